#include "bench/bound/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace gpuseq::bench {
namespace {

/// A curve is used up to this multiple of its largest footprint.
constexpr double kPastTheEnd = 2.0;

bool same_kind(const Curve& curve, const results::StateKey& state, const std::string& access) {
  if (curve.probe != "random_access" || curve.device != state.device || curve.unit != "bytes/s") return false;
  if (!curve.fixed.has("access") || !curve.fixed.has("block_bytes")) return false;
  return curve.fixed.word("access") == access;
}

/// Block size -> best bandwidth at the footprint over all curves of that block size.
using Bandwidths = std::map<double, double>;

struct Fit {
  Bandwidths bandwidths;
  std::string reason;  // why there are none
};

/// The curves for a state: of its device and access kind. On the CPU of the same number of threads and, if
/// there are such, also of fewer: more threads are at least as fast.
std::vector<const Curve*> curves_for(const results::StateKey& state, const std::string& access,
                                     std::span<const Curve> curves, int all_threads) {
  const bool cpu = state.device == "cpu";
  const std::int64_t threads = threads_of(state.point, all_threads);
  std::vector<const Curve*> chosen;
  bool as_many = !cpu;
  for (const Curve& curve : curves) {
    if (!same_kind(curve, state, access) || curve.points.empty()) continue;
    const std::int64_t probed = threads_of(curve.fixed, all_threads);
    as_many = as_many || probed == threads;
    if (!cpu || probed <= threads) chosen.push_back(&curve);
  }
  if (!as_many) chosen.clear();
  return chosen;
}

/// Points that were probed but are disturbed, for the reason why there is no bound.
std::size_t disturbed_points(const results::StateKey& state, const std::string& access,
                             std::span<const Curve> curves) {
  std::size_t count = 0;
  for (const Curve& curve : curves)
    if (same_kind(curve, state, access)) count += curve.disturbed.size();
  return count;
}

/// @param exactly  ignore curves that begin beyond the footprint
Fit fit(const results::StateKey& state, const std::string& access, double footprint, bool exactly,
        std::span<const Curve> curves, int all_threads) {
  const bool cpu = state.device == "cpu";
  const std::int64_t threads = threads_of(state.point, all_threads);
  const std::string with_threads = cpu ? fmt::format(" on {} threads", threads) : "";
  Fit found{
      {},
      fmt::format("no random_access probe with {} accesses{} ran on {}", access, with_threads, state.device)};
  bool as_many = !cpu;  // one thread's rate is no bound of all threads
  for (const Curve* curve : curves_for(state, access, curves, all_threads)) {
    const double first = curve->points.front().footprint_bytes, last = curve->points.back().footprint_bytes;
    if (exactly && footprint < first) {
      found.reason = fmt::format("the probes begin at {:.3g} bytes, the state stays within less", first);
      if (stands_aside(*curve, curves)) continue;
      return {{}, found.reason};
    }
    if (footprint > kPastTheEnd * last) {
      found.reason = fmt::format("the probes reach {:.3g} bytes, the state touches {:.3g}", last, footprint);
      continue;
    }
    as_many = as_many || threads_of(curve->fixed, all_threads) == threads;
    double& best = found.bandwidths[static_cast<double>(curve->fixed.integer("block_bytes"))];
    best = std::max(best, reached_at(*curve, footprint));
  }
  if (!as_many && !found.bandwidths.empty()) {
    found.bandwidths.clear();
    found.reason = fmt::format("no random_access probe{} reaches {:.3g} bytes", with_threads, footprint);
  }
  if (const std::size_t count = disturbed_points(state, access, curves); count > 0)
    found.reason += fmt::format("; {} points were disturbed and do not count", count);
  return found;
}

/// Log-log interpolation over block sizes. Smaller blocks than probed cost as much as the smallest; larger
/// blocks have the bandwidth of the largest.
double interpolated(const Bandwidths& bandwidths, double block_bytes) {
  const auto above = bandwidths.lower_bound(block_bytes);
  if (above == bandwidths.end()) return bandwidths.rbegin()->second;
  if (above->first == block_bytes) return above->second;
  if (above == bandwidths.begin()) return above->second * block_bytes / above->first;
  return log_log(block_bytes, *std::prev(above), *above);
}

/// The best bandwidth for a block size from all probed sizes: interpolated or, if that is more, the block
/// rate of larger blocks, or each block read as several smaller ones that cover it.
double bandwidth_at(const Bandwidths& bandwidths, double block_bytes) {
  double most = interpolated(bandwidths, block_bytes);
  for (const auto& [probed_bytes, bandwidth] : bandwidths)
    most = std::max(most, bandwidth * block_bytes / (probed_bytes * std::ceil(block_bytes / probed_bytes)));
  return most;
}

/// The blocks of a traffic that are bounded by a probe over a footprint, and their least time.
struct MemoryBound {
  double footprint_bytes = 0, blocks = 0;
  double spread_bytes = 0;  // if larger than footprint_bytes
  double asked_bytes = 0;   // the footprint of the two whose probe gives the bandwidth
  double bandwidth = 0;     // bytes per second
  double seconds = 0;
  std::string reason = {};  // why there is no bound
};

/// All blocks at the footprint or, for a traffic with classes, for each class its blocks and those of larger
/// classes. Blocks outside the hottest c bytes miss in all levels smaller than c bytes, which at best contain
/// hotter data. A uniform probe over c bytes has some hits in these levels, and only hits in larger levels.
/// So the probe is no slower than these blocks.
std::vector<MemoryBound> bounds_of(const Traffic& traffic) {
  if (traffic.classes.empty())
    return {{.footprint_bytes = static_cast<double>(traffic.footprint_bytes), .blocks = traffic.blocks}};
  std::vector<MemoryBound> bounds;
  for (const TrafficClass& at : traffic.classes) {
    double blocks = 0;
    for (const TrafficClass& other : traffic.classes)
      if (other.footprint_bytes >= at.footprint_bytes) blocks += other.blocks;
    bounds.push_back({.footprint_bytes = static_cast<double>(at.footprint_bytes),
                      .blocks = blocks,
                      .spread_bytes = static_cast<double>(at.spread_bytes)});
  }
  return bounds;
}

/// The share of blocks outside all caches, for blocks spread over more memory than they touch; 0 if a cache
/// can contain all. This share is as slow as a probe over all of that memory: data caches contain no relevant
/// part of it, but TLBs do.
double missed_share(const DeviceLimits& limits, const MemoryBound& bound) {
  if (bound.spread_bytes <= bound.footprint_bytes || limits.levels.empty()) return 0;
  return 1 - std::min(1.0, limits.levels.back().bytes / bound.footprint_bytes);
}

/// The bound with the longest time; classes below the first probed footprint have no bound.
MemoryBound slowest(const results::StateKey& state, const std::string& access, const Traffic& traffic,
                    std::span<const Curve> curves, int all_threads, const DeviceLimits& limits) {
  const auto block_bytes = static_cast<double>(traffic.block_bytes);
  MemoryBound longest;
  for (MemoryBound& bound : bounds_of(traffic)) {
    const Fit found =
        fit(state, access, bound.footprint_bytes, !traffic.classes.empty(), curves, all_threads);
    if (found.bandwidths.empty()) {
      if (!(longest.seconds > 0)) longest.reason = found.reason;
      continue;
    }
    bound.bandwidth = bandwidth_at(found.bandwidths, block_bytes);
    bound.asked_bytes = bound.footprint_bytes;
    if (const double missed = missed_share(limits, bound); missed > 0) {
      const Fit spread = fit(state, access, bound.spread_bytes, true, curves, all_threads);
      const double slower =
          spread.bandwidths.empty() ? bound.bandwidth : bandwidth_at(spread.bandwidths, block_bytes) / missed;
      if (slower < bound.bandwidth) {
        bound.bandwidth = slower;
        bound.asked_bytes = bound.spread_bytes;
      }
    }
    bound.seconds = bound.blocks * block_bytes / bound.bandwidth;
    if (bound.seconds > longest.seconds) longest = bound;
  }
  return longest;
}

std::string explanation(const Work& work, const Traffic& traffic, const MemoryBound& bound,
                        const std::string& access) {
  const double per = 100 / work.amount;
  if (traffic.classes.empty())
    return fmt::format("{:.4g} blocks of {} B per 100 {} over {:.3g} B/s of {} random access at {:.3g} bytes",
                       per * bound.blocks, traffic.block_bytes, work.unit, bound.bandwidth, access,
                       bound.footprint_bytes);
  return fmt::format(
      "{:.4g} of {:.4g} blocks of {} B per 100 {}, those outside the hottest {:.3g} bytes, over {:.3g} B/s "
      "of {} random access at {}",
      per * bound.blocks, per * traffic.blocks, traffic.block_bytes, work.unit, bound.footprint_bytes,
      bound.bandwidth, access,
      bound.asked_bytes > bound.footprint_bytes
          ? fmt::format("{:.3g} bytes, in which they lie", bound.asked_bytes)
          : "as many bytes");
}

/// Least nanoseconds per access; 0 if no probe measured it.
double latency_at(const std::string& device, double footprint, std::span<const Curve> curves) {
  double least = 0;
  for (const Curve& curve : curves) {
    if (curve.probe != "latency" || curve.device != device || curve.points.empty()) continue;
    if (footprint < curve.points.front().footprint_bytes) continue;
    const double found = value_at(curve, footprint);
    if (least == 0 || found < least) least = found;
  }
  return least;
}

DeviceLimits limits_of_device(const results::Record& record) {
  const auto device = record.provenance.find("device");
  return device == record.provenance.end() ? DeviceLimits() : limits_of(*device);
}

}  // namespace

Maybe<results::Bound> memory_bound_of(const results::StateKey& state, const Work& work,
                                      const Traffic& traffic, double rate, std::span<const Curve> curves,
                                      int all_threads, const DeviceLimits& limits) {
  if (!(traffic.blocks > 0) || traffic.block_bytes == 0 || !(work.amount > 0))
    return {std::nullopt, "the state touches no memory blocks"};
  std::string access = "independent";
  MemoryBound memory = slowest(state, access, traffic, curves, all_threads, limits);
  if (traffic.access != access) {
    const MemoryBound waiting = slowest(state, traffic.access, traffic, curves, all_threads, limits);
    if (waiting.seconds > 0 && (!(memory.seconds > 0) || waiting.seconds < memory.seconds)) {
      access = traffic.access;
      memory = waiting;
    }
  }
  if (!(memory.seconds > 0)) return {std::nullopt, memory.reason};
  results::Bound bound;
  bound.rate = work.amount / memory.seconds;
  bound.bound_by = word(level_at(limits, memory.footprint_bytes));
  bound.fraction = rate / bound.rate;
  bound.explanation = explanation(work, traffic, memory, access);
  return {bound, {}};
}

Maybe<results::Bound> latency_bound_of(const results::StateKey& state, const Work& work,
                                       const Traffic& traffic, double rate, std::span<const Curve> curves) {
  if (traffic.access != "dependent" || !(traffic.in_flight > 0) || !(work.amount > 0)) return {};
  std::vector<TrafficClass> classes = traffic.classes;
  if (classes.empty()) classes.push_back({traffic.footprint_bytes, traffic.blocks});
  double waited_ns = 0;
  for (const TrafficClass& at : classes)
    waited_ns += at.blocks * latency_at(state.device, static_cast<double>(at.footprint_bytes), curves);
  if (!(waited_ns > 0)) return {};
  results::Bound bound;
  bound.rate = work.amount * traffic.in_flight / (1e-9 * waited_ns);
  bound.bound_by = word(BindingResource::latency);
  bound.fraction = rate / bound.rate;
  bound.explanation = fmt::format(
      "{:.4g} blocks per 100 {} that wait for each other, {:.4g} at a time at most, each {:.3g} ns",
      100 * traffic.blocks / work.amount, work.unit, traffic.in_flight, waited_ns / traffic.blocks);
  return {bound, {}};
}

ProbeResults probe_results(std::span<const results::Record> records) {
  return {curves_of(records), throughputs_of(records), launch_times_of(records)};
}

Maybe<results::Bound> lower_of(const Maybe<results::Bound>& a, const Maybe<results::Bound>& b) {
  if (a.value && b.value) return a.value->rate <= b.value->rate ? a : b;
  if (a.value || b.value || a.reason == b.reason) return b.value ? b : a;
  return {std::nullopt,
          a.reason.empty() || b.reason.empty() ? a.reason + b.reason : a.reason + "; " + b.reason};
}

Maybe<results::Bound> memory_bound_of(const results::Record& record, const ProbeResults& probes,
                                      int all_threads) {
  if (!record.traffic) return {};
  const double rate = record.statistics->rate;
  return lower_of(memory_bound_of(record.state, record.work, *record.traffic, rate, probes.curves,
                                  all_threads, limits_of_device(record)),
                  latency_bound_of(record.state, record.work, *record.traffic, rate, probes.curves));
}

Maybe<results::Bound> launch_bound_of(const results::Record& record, const ProbeResults& probes, int) {
  const Maybe<results::Bound> launch = launch_bound_of(record, probes.launches);
  return launch.value && is_short(record, *launch.value) ? launch : Maybe<results::Bound>();
}

Maybe<results::Bound> instruction_bound_of(const results::Record& record, const ProbeResults& probes,
                                           int all_threads) {
  if (!record.instructions) return {};
  Maybe<results::Bound> found =
      instruction_bound_of(record.state, record.work, *record.instructions, record.statistics->rate,
                           probes.throughputs, all_threads);
  if (found.value)
    found.value = of_used_multiprocessors(std::move(*found.value), record, limits_of_device(record));
  return found;
}

Maybe<results::Bound> bound_of(const results::Record& record, const ProbeResults& probes, int all_threads) {
  const Maybe<results::Bound> launch = launch_bound_of(record, probes, all_threads);
  if (!record.traffic && !record.instructions && !launch.value)
    return {std::nullopt, "the variant counts neither the blocks that it touches nor its instructions"};
  return lower_of(lower_of(memory_bound_of(record, probes, all_threads),
                           instruction_bound_of(record, probes, all_threads)),
                  launch);
}

}  // namespace gpuseq::bench
