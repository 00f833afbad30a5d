#include "bench/measure/slowdown.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "results/statistics/statistics.hpp"
#include "runtime/contract/devices_at_work.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

class SlowedSession : public Session, public DevicesAtWork {
 public:
  SlowedSession(std::unique_ptr<Session> session, Device& device, double factor)
      : session_(std::move(session)), device_(device), factor_(factor) {
    if (device.kind() == DeviceKind::cpu) return;
    std::vector<double> seconds(kLaunches);
    for (double& launch_s : seconds) launch_s = device.time_s([this] { session_->launch(); });
    launch_s_ = results::median(seconds);
  }
  Work work() const override { return session_->work(); }
  /// A GPU is kept busy so long as its launches took before: what this one takes is not known when it is
  /// enqueued.
  void launch() override {
    const auto start = std::chrono::steady_clock::now();
    session_->launch();
    device_.keep_busy((factor_ - 1) * launch_s_.value_or(seconds_since(start)));
  }
  Verification verify() override { return session_->verify(); }
  std::optional<Traffic> traffic() const override { return session_->traffic(); }
  std::optional<Instructions> instructions() const override { return session_->instructions(); }
  std::optional<Resources> resources() const override { return session_->resources(); }
  std::optional<HeldMemory> memory() const override { return session_->memory(); }
  std::map<std::string, std::vector<double>> side_samples_s() override { return session_->side_samples_s(); }
  nlohmann::json facts() const override { return session_->facts(); }
  std::vector<Device*> devices_at_work() const override {
    return gpuseq::devices_at_work(*session_, device_);
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = session_->notes();
    notes.push_back(fmt::format("slowed down {} times on purpose ({})", factor_, kSlowdownVariable));
    return notes;
  }

 private:
  static constexpr std::size_t kLaunches = 7;  // that tell how long one takes
  std::unique_ptr<Session> session_;
  Device& device_;
  double factor_;
  std::optional<double> launch_s_ = {};  // of a GPU
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

std::unique_ptr<Session> slowed_for_tests(std::unique_ptr<Session> session, const results::StateKey& state,
                                          Device& device) {
  const char* given = std::getenv(kSlowdownVariable);
  if (given == nullptr || *given == '\0') return session;
  const std::string_view text = given;
  const std::size_t equals = std::min(text.find('='), text.size());
  const double factor = factor_of(text.substr(std::min(equals + 1, text.size())), text);
  if (text.substr(0, equals) != state.family + "/" + state.variant) return session;
  return std::make_unique<SlowedSession>(std::move(session), device, factor);
}

}  // namespace gpuseq::bench
