#include "reports/comparison/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "results/statistics/inference.hpp"
#include "runtime/system/random.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::comparison {
namespace {

constexpr std::size_t kDraws = 200;
constexpr std::size_t kMostStates = 250;  // of a process: a thousand comparisons of more take minutes
constexpr std::array kSlowdowns{0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0};

/// At most `found` of `tried`, each with probability `share`.
double chance_of_at_most(std::size_t found, std::size_t tried, double share) {
  if (share <= 0 || found >= tried) return 1;
  if (share >= 1) return 0;
  const double n = static_cast<double>(tried);
  double chance = 0;
  for (std::size_t i = 0; i <= found; ++i) {
    const double k = static_cast<double>(i);
    chance += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                       k * std::log(share) + (n - k) * std::log1p(-share));
  }
  return chance;
}

std::string variant_of(const results::StateKey& state) {
  return state.family + "/" + state.variant;
}

Side drawn(const Side& base, std::size_t processes, const char* name, Random& random) {
  Side side{.name = name};
  for (std::size_t i = 0; i < processes; ++i)
    side.processes.push_back(base.processes[random.below(base.processes.size())]);
  return side;
}

/// Both sides drawn anew, a variant of one of them slower.
class Trials {
 public:
  Trials(const Side& base, std::size_t new_processes, CompareOptions options)
      : base_(base), new_processes_(new_processes), options_(std::move(options)) {
    // Of one machine and one program, whatever it may have been built from.
    options_.allowed = {.device = true, .driver = true, .problem = true};
    options_.allow_missing = true;
    std::set<std::string> variants;
    for (const auto& process : base.processes)
      for (const ComparedRecord& record : process) variants.insert(variant_of(record.state));
    variants_.assign(variants.begin(), variants.end());
  }

  /// In how many of kDraws comparisons a state regressed that should, or any where no variant is slower.
  std::size_t found(double slowdown) const {
    std::vector<std::uint8_t> found(kDraws);
    ThreadPool(0, /*pin=*/false).parallel_for(kDraws, 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t draw = begin; draw < end; ++draw) found[draw] = regressed(draw, slowdown);
    });
    return static_cast<std::size_t>(std::ranges::count(found, 1));
  }

 private:
  bool regressed(std::size_t draw, double slowdown) const {
    Random random(options_.seed, draw);
    const Side base = drawn(base_, base_.processes.size(), "base", random);
    Side next = drawn(base_, new_processes_, "drawn", random);
    const std::string& slow = variants_[draw % variants_.size()];
    if (slowdown > 0)
      for (auto& process : next.processes)
        for (ComparedRecord& record : process)
          if (variant_of(record.state) == slow)
            for (double& sample : record.samples_s) sample *= 1 + slowdown;
    const Comparison comparison = compare(base, next, options_);
    return std::ranges::any_of(comparison.states, [&](const StateComparison& state) {
      return state.verdict == Verdict::regressed && (slowdown == 0 || variant_of(state.state) == slow);
    });
  }

  const Side& base_;
  std::size_t new_processes_;
  CompareOptions options_;
  std::vector<std::string> variants_;
};

}  // namespace

double upper_bound_of_share(std::size_t found, std::size_t tried, double confidence) {
  double low = 0, high = 1;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (chance_of_at_most(found, tried, middle) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

Maybe<Certificate> certify(const Side& base, std::size_t new_processes, const CompareOptions& options) {
  const std::size_t states = base.processes.empty() ? 0 : base.processes.front().size();
  if (states > kMostStates) return {std::nullopt, fmt::format("more than {} states", kMostStates)};
  if (std::min(base.processes.size(), new_processes) < results::kFewestValues)
    return {std::nullopt, fmt::format("a side has fewer than {} processes", results::kFewestValues)};
  const Trials trials(base, new_processes, options);
  Certificate certificate{.draws = kDraws,
                          .false_alarms = trials.found(0),
                          .base_processes = base.processes.size(),
                          .new_processes = new_processes};
  certificate.false_alarm_bound = upper_bound_of_share(certificate.false_alarms, kDraws, options.confidence);
  const auto is_caught = [&](double slowdown) {
    return static_cast<double>(trials.found(slowdown)) >=
           Certificate::kCaughtShare * static_cast<double>(kDraws);
  };
  // What is slower is caught more often.
  const auto smallest =
      std::ranges::partition_point(kSlowdowns, [&](double slowdown) { return !is_caught(slowdown); });
  if (smallest != kSlowdowns.end()) certificate.smallest_caught = *smallest;
  return {certificate, {}};
}

}  // namespace gpuseq::comparison
