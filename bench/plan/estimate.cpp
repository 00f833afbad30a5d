#include "bench/plan/estimate.hpp"

#include <algorithm>

#include "bench/plan/passes.hpp"

namespace gpuseq::bench {
namespace {

constexpr double kEnergyS =
    3;  // one that is not counted and two that are; the idle device is measured each minute
constexpr double kSetUpS = 0.05;

std::int64_t filled_by_probe(const State& state) {
  return state.kind == "probe" ? footprint_of(state.key).value_or(0) : 0;
}

/// Whether every footprint is filled again: a chain of addresses is one of its own length.
bool fills_alone(const State& state) {
  return state.key.family == "latency";
}

double sampling_s(const State& state, const SuiteConfig& config) {
  const SamplingOptions sampling = sampling_of(state, config.sampling);
  const double seconds =
      passes_of(state, config.sampling) * (std::max(sampling.max_seconds, sampling.min_seconds) + kSetUpS);
  return seconds + (state.kind != "probe" && config.energy == ExtraPass::all ? kEnergyS : 0);
}

constexpr double kFillBytesPerThreadS = 0.75e9;

double fill_s(const State& state, std::int64_t bytes, int threads, const SuiteConfig& config) {
  constexpr double kCudaFillBytesPerS = 3e11;
  const double bytes_per_s =
      state.variant->device == DeviceKind::cpu ? threads * kFillBytesPerThreadS : kCudaFillBytesPerS;
  return passes_of(state, config.sampling) * static_cast<double>(bytes) / bytes_per_s;
}

/// Memory grows with the largest footprint so far, and is filled again:
/// of octaves in any order so many times the largest of them, 2 ln 2.
constexpr double kFillsOfLargest = 1.4;

std::string filled_by(const State& state) {
  return state.key.device + " " + state.key.family;
}

}  // namespace

double TimeEstimate::of(const State& state) const {
  constexpr int kMostThreads = 8;  // more fill no faster
  const int threads = std::min(cpus_, kMostThreads);
  const std::int64_t footprint = filled_by_probe(state);
  if (fills_alone(state)) return sampling_s(state, config_) + fill_s(state, footprint, threads, config_);
  const auto found = filled_bytes_.find(filled_by(state));
  const std::int64_t filled = found == filled_bytes_.end() ? 0 : found->second;
  return sampling_s(state, config_) +
         kFillsOfLargest * fill_s(state, std::max<std::int64_t>(0, footprint - filled), threads, config_);
}

void TimeEstimate::add(const State& state) {
  seconds_ += of(state);
  std::int64_t& filled = filled_bytes_[filled_by(state)];
  filled = std::max(filled, filled_by_probe(state));
}

double estimated_s(std::span<const State> states, const SuiteConfig& config, int cpus) {
  TimeEstimate estimate(config, cpus);
  for (const State& state : states) estimate.add(state);
  return estimate.seconds();
}

}  // namespace gpuseq::bench
