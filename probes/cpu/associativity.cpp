#include "probes/associativity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "probes/cpu/memory.hpp"
#include "probes/cpu/probes.hpp"
#include "probes/cuda/access.cuh"
#include "runtime/system/threads.hpp"
#include "runtime/time/clock_step.hpp"

namespace gpuseq::probes {
namespace {

constexpr std::size_t kCaches = 2;  // the third has too many sets: see the README

/// One thread chases through lines at a fixed stride, which it adds one by one until cache sets are overfull.
/// This happens once, when the session is created; a launch chases through all lines of the pool.
class Associativity final : public Session {
 public:
  Associativity(std::shared_ptr<CpuMemory> memory, const Point& point, std::uint64_t seed)
      : memory_(std::move(memory)),
        stride_bytes_(static_cast<std::size_t>(point.integer("stride_bytes"))),
        pool_(static_cast<std::size_t>(point.integer("lines"))),
        thread_(1) {
    const std::uint32_t bits = bits_below(pool_.size());
    for (std::size_t i = 0; i < pool_.size(); ++i)
      pool_[i] = static_cast<std::uint32_t>(node_at(i, pool_.size(), bits, seed));
    memory_->contents = {};
    thread_.run([&](int) {
      found_ = find_conflict_sets(
          pool_, [&](std::span<const std::uint32_t> lines) { return access_ns(lines); }, kCaches);
      lay_out(pool_);
    });
  }

  Cost cost() const override { return {.work = {static_cast<double>(kAccesses), "accesses"}}; }

  void launch() override {
    thread_.run([&](int) { at_ = followed(at_, kAccesses); });
  }

  /// Whether the chase through all lines ends where their order implies.
  Verification verify() override {
    const std::uint64_t steps = pool_.size() / 2;
    thread_.run([&](int) { at_ = followed(line(pool_.front()), steps); });
    Verification result{at_ == line(pool_[steps]), steps, {}};
    if (!result.passed) result.reason = "the chase ended at another line than its order says";
    return result;
  }

  nlohmann::json facts() const override {
    nlohmann::json caches = nlohmann::json::array();
    for (const ConflictSet& one : found_)
      caches.push_back({{"ways", one.ways ? nlohmann::json(*one.ways) : nlohmann::json()},
                        {"served_ns", one.served},
                        {"missed_ns", one.missed},
                        {"lines", one.lines},
                        {"reason", one.reason}});
    return {{"caches", std::move(caches)}};
  }

 private:
  static constexpr std::uint64_t kAccesses = 100'000;

  std::byte* line(std::uint32_t number) { return memory_->data() + number * stride_bytes_; }

  void lay_out(std::span<const std::uint32_t> lines) {
    for (std::size_t i = 0; i < lines.size(); ++i)
      *reinterpret_cast<std::byte**>(line(lines[i])) = line(lines[i + 1 == lines.size() ? 0 : i + 1]);
    at_ = line(lines.front());
  }

  static std::byte* followed(std::byte* at, std::uint64_t accesses) {
    for (std::uint64_t i = 0; i < accesses; ++i) at = *reinterpret_cast<std::byte* volatile*>(at);
    return at;
  }

  /// The least of some measurements, each short enough that most are undisturbed.
  double access_ns(std::span<const std::uint32_t> lines) {
    constexpr std::size_t kWarmRounds = 8, kLeastAccesses = 1024;
    constexpr int kLooks = 4;
    lay_out(lines);
    at_ = followed(at_, kWarmRounds * lines.size());
    std::size_t accesses = (kLeastAccesses + lines.size() - 1) / lines.size() * lines.size();
    while (least_look_s_ > 0 && followed_s(accesses) < least_look_s_) accesses *= 2;
    double least_s = std::numeric_limits<double>::infinity();
    for (int look = 0; look < kLooks; ++look)
      if (const double seconds = followed_s(accesses); seconds > 0) least_s = std::min(least_s, seconds);
    if (!std::isfinite(least_s))
      throw ClockError("accesses to memory took no time on the host's clock, or less");
    return 1e9 * least_s / static_cast<double>(accesses);
  }

  double followed_s(std::uint64_t accesses) {
    const double begin_s = steady_seconds();
    at_ = followed(at_, accesses);
    return steady_seconds() - begin_s;
  }

  /// Short, as there are many measurements.
  static double least_look_s() {
    constexpr double kLongestStepS = 2e-4;
    const double step_s = clock_step_s();
    if (step_s > kLongestStepS)
      throw ClockError(fmt::format("the host's clock moves in steps of {:.3g} s, allowed: up to {} s", step_s,
                                   kLongestStepS));
    return least_time_s(step_s);
  }

  double least_look_s_ = least_look_s();
  std::shared_ptr<CpuMemory> memory_;
  std::size_t stride_bytes_;
  std::vector<std::uint32_t> pool_;
  ThreadPool thread_;
  std::byte* at_ = nullptr;
  std::vector<ConflictSet> found_;
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_associativity(ProbeProblem& problem, const Point& point,
                                                   Device& device) {
  Point memory = point;
  memory.set("footprint_bytes", point.integer("lines") * point.integer("stride_bytes"));
  return std::make_unique<Associativity>(CpuMemory::of(problem, memory, device), point, problem.seed());
}

}  // namespace gpuseq::probes
