#include "bench/measure/slowdown.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using Clock = std::chrono::steady_clock;

class SlowedSession : public Session {
 public:
  SlowedSession(std::unique_ptr<Session> session, double factor)
      : session_(std::move(session)), factor_(factor) {}
  Work work() const override { return session_->work(); }
  void launch() override {
    const auto start = Clock::now();
    session_->launch();
    const auto end = start + std::chrono::duration_cast<Clock::duration>((Clock::now() - start) * factor_);
    while (Clock::now() < end) {
    }
  }
  Verification verify() override { return session_->verify(); }
  std::optional<Traffic> traffic() const override { return session_->traffic(); }
  std::optional<Instructions> instructions() const override { return session_->instructions(); }
  std::optional<Resources> resources() const override { return session_->resources(); }
  std::map<std::string, std::vector<double>> side_samples_s() override { return session_->side_samples_s(); }
  nlohmann::json facts() const override { return session_->facts(); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = session_->notes();
    notes.push_back(fmt::format("slowed down {} times on purpose ({})", factor_, kSlowdownVariable));
    return notes;
  }

 private:
  std::unique_ptr<Session> session_;
  double factor_;
};

double factor_of(std::string_view text, std::string_view given) {
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  if (error != std::errc() || end != text.data() + text.size() || !(factor >= 1) || factor > 100)
    throw UsageError(fmt::format("{}={}: allowed is family/variant=factor with a factor from 1 to 100",
                                 kSlowdownVariable, given));
  return factor;
}

}  // namespace

std::unique_ptr<Session> slowed_for_tests(std::unique_ptr<Session> session, const results::StateKey& state) {
  const char* given = std::getenv(kSlowdownVariable);
  if (given == nullptr || *given == '\0') return session;
  const std::string_view text = given;
  const std::size_t equals = std::min(text.find('='), text.size());
  const double factor = factor_of(text.substr(std::min(equals + 1, text.size())), text);
  if (text.substr(0, equals) != state.family + "/" + state.variant) return session;
  if (state.device != "cpu")
    throw UsageError(fmt::format("{}={}: is no variant of the CPU", kSlowdownVariable, text));
  return std::make_unique<SlowedSession>(std::move(session), factor);
}

}  // namespace gpuseq::bench
