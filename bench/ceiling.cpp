#include "bench/ceiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace gpuseq::bench {
namespace {

/// How far past the largest footprint that was probed a curve still speaks for a state.
constexpr double kPastTheEnd = 2.0;

bool same_kind(const Curve& curve, const results::StateKey& state, const std::string& access) {
  if (curve.probe != "random_access" || curve.device != state.device || curve.unit != "bytes/s") return false;
  if (!curve.fixed.has("access") || !curve.fixed.has("block_bytes")) return false;
  return curve.fixed.word("access") == access;
}

/// Block size -> best bandwidth at the footprint over all curves of that block size.
using Bandwidths = std::map<double, double>;

struct Fit {
  std::string access;
  Bandwidths bandwidths;
  std::string reason;  // why there are none
};

/// The curves that speak for a state: of its device and access kind, and on the CPU of as many threads or,
/// where there are such, also of fewer: what these reach, more can.
std::vector<const Curve*> curves_for(const results::StateKey& state, const std::string& access,
                                     std::span<const Curve> curves, int all_threads) {
  const bool cpu = state.device == "cpu";
  const std::int64_t threads = threads_of(state.point, all_threads);
  std::vector<const Curve*> chosen;
  bool as_many = !cpu;
  for (const Curve& curve : curves) {
    if (!same_kind(curve, state, access)) continue;
    const std::int64_t probed = threads_of(curve.fixed, all_threads);
    as_many = as_many || probed == threads;
    if (!cpu || probed <= threads) chosen.push_back(&curve);
  }
  if (!as_many) chosen.clear();
  return chosen;
}

Fit fit(const results::StateKey& state, const std::string& access, const Traffic& traffic,
        std::span<const Curve> curves, int all_threads) {
  const std::string with_threads =
      state.device == "cpu" ? fmt::format(" on {} threads", threads_of(state.point, all_threads)) : "";
  Fit found{
      access,
      {},
      fmt::format("no random_access probe with {} accesses{} ran on {}", access, with_threads, state.device)};
  const auto footprint = static_cast<double>(traffic.footprint_bytes);
  for (const Curve* curve : curves_for(state, access, curves, all_threads)) {
    const double probed = curve->points.back().footprint_bytes;
    if (footprint > kPastTheEnd * probed) {
      found.reason =
          fmt::format("the probes reach {:.3g} bytes, the state touches {:.3g}", probed, footprint);
      continue;
    }
    double& best = found.bandwidths[static_cast<double>(curve->fixed.integer("block_bytes"))];
    best = std::max(best, value_at(*curve, footprint));
  }
  return found;
}

/// Log-log between block sizes. Below the smallest one probed a block costs as much as that one; above the
/// largest, its bandwidth holds.
double bandwidth_at(const Bandwidths& bandwidths, double block_bytes) {
  const auto above = bandwidths.lower_bound(block_bytes);
  if (above == bandwidths.end()) return bandwidths.rbegin()->second;
  if (above->first == block_bytes) return above->second;
  if (above == bandwidths.begin()) return above->second * block_bytes / above->first;
  const auto below = std::prev(above);
  const double share = std::log(block_bytes / below->first) / std::log(above->first / below->first);
  return std::exp((1 - share) * std::log(below->second) + share * std::log(above->second));
}

}  // namespace

Maybe<results::Ceiling> memory_ceiling_of(const results::StateKey& state, const Work& work,
                                          const Traffic& traffic, double rate, std::span<const Curve> curves,
                                          int all_threads) {
  if (!(traffic.blocks > 0) || traffic.block_bytes == 0 || !(work.amount > 0))
    return {std::nullopt, "the state touches no memory blocks"};
  Fit found = fit(state, traffic.access, traffic, curves, all_threads);
  // What waits for nothing is no slower: a looser ceiling, but one.
  if (found.bandwidths.empty() && traffic.access != "independent")
    found = fit(state, "independent", traffic, curves, all_threads);
  if (found.bandwidths.empty()) return {std::nullopt, found.reason};
  const auto block_bytes = static_cast<double>(traffic.block_bytes);
  const double bandwidth = bandwidth_at(found.bandwidths, block_bytes);
  results::Ceiling ceiling;
  ceiling.rate = work.amount / (traffic.blocks * block_bytes / bandwidth);
  ceiling.bound_by = "random access";
  ceiling.fraction = rate / ceiling.rate;
  ceiling.explanation =
      fmt::format("{:.4g} blocks of {} B per 100 {} over {:.3g} B/s of {} random access at {:.3g} bytes",
                  100 * traffic.blocks / work.amount, traffic.block_bytes, work.unit, bandwidth, found.access,
                  static_cast<double>(traffic.footprint_bytes));
  return {ceiling, {}};
}

ProbeResults probe_results(std::span<const results::Record> records) {
  return {curves_of(records), throughputs_of(records)};
}

Maybe<results::Ceiling> lower_of(const Maybe<results::Ceiling>& a, const Maybe<results::Ceiling>& b) {
  if (a.value && b.value) return a.value->rate <= b.value->rate ? a : b;
  if (a.value || b.value || a.reason == b.reason) return b.value ? b : a;
  return {std::nullopt,
          a.reason.empty() || b.reason.empty() ? a.reason + b.reason : a.reason + "; " + b.reason};
}

Maybe<results::Ceiling> memory_ceiling_of(const results::Record& record, const ProbeResults& probes,
                                          int all_threads) {
  if (!record.traffic) return {};
  return memory_ceiling_of(record.state, record.work, *record.traffic, record.statistics->rate, probes.curves,
                           all_threads);
}

Maybe<results::Ceiling> instruction_ceiling_of(const results::Record& record, const ProbeResults& probes,
                                               int all_threads) {
  if (!record.instructions) return {};
  return instruction_ceiling_of(record.state, record.work, *record.instructions, record.statistics->rate,
                                probes.throughputs, all_threads);
}

Maybe<results::Ceiling> ceiling_of(const results::Record& record, const ProbeResults& probes,
                                   int all_threads) {
  if (!record.traffic && !record.instructions)
    return {std::nullopt, "the variant counts neither the blocks that it touches nor its instructions"};
  return lower_of(memory_ceiling_of(record, probes, all_threads),
                  instruction_ceiling_of(record, probes, all_threads));
}

}  // namespace gpuseq::bench
