#pragma once

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/config/registry.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/system/seconds_since.hpp"

// A program with one variant made slower on purpose, for tests of the gate.

namespace gpuseq::bench::testing {

/// "toy/steady=1.05": each launch of that variant takes 1.05 times as long, in real time. On a GPU a kernel
/// waits, and its own start (a microsecond) adds to the time.
inline constexpr const char* kSlowdownVariable = "GPUSEQ_TEST_SLOWDOWN";

class SlowedSession : public Session {
 public:
  SlowedSession(std::unique_ptr<Session> session, Device& device, double factor)
      : session_(std::move(session)), device_(device), factor_(factor) {
    if (device.kind() == DeviceKind::cpu) return;
    std::vector<double> seconds(kLaunches);
    for (double& launch_s : seconds) launch_s = device.time_s([this] { session_->launch(); });
    launch_s_ = results::median(seconds);
  }
  Cost cost() const override { return session_->cost(); }
  /// A GPU waits by the time of the earlier launches: the time of this launch is not known when it is
  /// enqueued.
  void launch() override {
    const auto start = std::chrono::steady_clock::now();
    session_->launch();
    device_.keep_busy((factor_ - 1) * launch_s_.value_or(seconds_since(start)));
  }
  Verification verify() override { return session_->verify(); }
  std::optional<Resources> resources() const override { return session_->resources(); }
  std::map<std::string, std::vector<double>> side_samples_s() override { return session_->side_samples_s(); }
  nlohmann::json facts() const override { return session_->facts(); }
  std::vector<Device*> devices_at_work() const override { return session_->devices_at_work(); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = session_->notes();
    notes.push_back(std::to_string(factor_) + " times the time on purpose (" + kSlowdownVariable + ")");
    return notes;
  }

 private:
  static constexpr std::size_t kLaunches = 7;  // timed before the first launch of the caller
  std::unique_ptr<Session> session_;
  Device& device_;
  double factor_;
  std::optional<double> launch_s_ = {};  // of a GPU
};

/// Slows the variant down that the environment variable names, where it is set.
/// @param registry  its families are no const objects
/// @throws std::invalid_argument if the variable names no variant of the registry
inline Registry slowed(Registry registry) {
  const char* given = std::getenv(kSlowdownVariable);
  if (given == nullptr) return registry;
  const std::string text = given;
  const std::size_t slash = text.find('/'), equals = text.find('=');
  if (slash > equals || equals == std::string::npos) throw std::invalid_argument(kSlowdownVariable);
  const double factor = std::stod(text.substr(equals + 1));
  auto& variant = const_cast<Variant&>(
      registry.family(text.substr(0, slash)).variant(text.substr(slash + 1, equals - slash - 1)));
  variant.prepare = [prepare = variant.prepare, factor](Problem& problem, const Point& point,
                                                        Device& device) -> std::unique_ptr<Session> {
    return std::make_unique<SlowedSession>(prepare(problem, point, device), device, factor);
  };
  return registry;
}

}  // namespace gpuseq::bench::testing
