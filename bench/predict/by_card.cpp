#include "bench/predict/by_card.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "bench/predict/expectations.hpp"

namespace gpuseq::bench {
namespace {

/// A multiprocessor of every GPU since Maxwell issues from so many warps at a time (CUDA's programming guide,
/// compute capabilities).
constexpr double kWarpsIssuedAtATime = 4, kThreadsOfWarp = 32;
/// Until a warp issues the next instruction, if that needs the result.
constexpr double kCyclesOfAnInstruction = 4;
/// Whatever is hot, what threads read in order takes its place in the L1.
constexpr std::size_t kBeyondL1 = std::size_t{1} << 20;
constexpr std::size_t kInL1 = std::size_t{1} << 15;
constexpr std::size_t kSectorBytes = 32;  // that a GPU's L1 asks for at a time
/// What was read in order stays until something takes its place: so many lines for each that is in use.
/// Fitted to exact matching on an H200.
constexpr std::size_t kLinesKept = 3;

/// Dependent accesses that are under way on a GPU at a time.
double accesses_under_way(const Expectation& expected, const DeviceLimits& limits) {
  const double threads = expected.threads_per_multiprocessor > 0
                             ? std::min(expected.threads_per_multiprocessor, kResidentThreads)
                             : kResidentThreads;
  const double all = limits.multiprocessors * threads / expected.threads_per_access;
  return expected.most_accesses > 0 ? std::min(all, expected.most_accesses) : all;
}

Maybe<results::Ceiling> bound_of(const results::StateKey& key, const Expectation& expected,
                                 const ProbedMachine& there, const DeviceLimits& limits) {
  Maybe<results::Ceiling> memory, instructions;
  if (expected.traffic)
    memory = memory_ceiling_of(key, expected.work, *expected.traffic, 0, there.probes.curves,
                               there.all_threads, limits);
  if (expected.instructions)
    instructions = instruction_ceiling_of(key, expected.work, *expected.instructions, 0,
                                          there.probes.throughputs, there.all_threads);
  return lower_of(memory, instructions);
}

/// How much longer the multiprocessor with the most parts works than if all had as many.
double unevenness(const Expectation& expected, const DeviceLimits& limits) {
  const double multiprocessors = limits.multiprocessors;
  if (!(expected.parts > 0) || multiprocessors == 0) return 1;
  return std::ceil(expected.parts / multiprocessors) * multiprocessors / expected.parts;
}

/// How long the warp with the longest part takes for it when nothing else is left, in order to issue it.
double longest_s(const Expectation& expected, double bound_s, const DeviceLimits& limits) {
  if (!(expected.longest_threads > 0)) return 0;
  const double threads_at_a_time = limits.multiprocessors * kWarpsIssuedAtATime * kThreadsOfWarp;
  return expected.longest_share * bound_s * threads_at_a_time / expected.longest_threads;
}

/// How long the blocks of a traffic take that are waited for, so many at a time.
/// @param work  of the state; any
double waited_s(const results::StateKey& key, const Work& work, Traffic traffic, double in_flight,
                const ProbedMachine& there) {
  traffic.access = "dependent";  // of independent ones, too, a step waits for what it reads
  traffic.in_flight = in_flight;
  const Maybe<results::Ceiling> waiting = latency_ceiling_of(key, work, traffic, 0, there.probes.curves);
  return waiting.value ? work.amount / waiting.value->rate : 0;
}

double waited_s(const results::StateKey& key, const CountedExpectation& counted, const ProbedMachine& there,
                const DeviceLimits& limits) {
  const Expectation& expected = counted.expected;
  if (!expected.traffic || counted.warps) return 0;
  double under_way = counted.under_way * static_cast<double>(threads_of(key.point, there.all_threads));
  if (limits.multiprocessors > 0) under_way = accesses_under_way(expected, limits);
  return under_way > 0 ? waited_s(key, expected.work, *expected.traffic, under_way, there) : 0;
}

/// How many are served a second where so many customers go round between queues and a delay, by mean value
/// analysis (Lazowska et al. 1984, chapter 6).
double served(int customers, const std::array<double, 2>& service_s, double delay_s) {
  std::array<double, 2> queue{};
  double rate = 0;
  for (int n = 1; n <= customers; ++n) {
    std::array<double, 2> at_queue_s{};
    double round_s = delay_s;
    for (std::size_t i = 0; i < queue.size(); ++i) round_s += at_queue_s[i] = service_s[i] * (1 + queue[i]);
    rate = n / round_s;
    for (std::size_t i = 0; i < queue.size(); ++i) queue[i] = rate * at_queue_s[i];
  }
  return rate;
}

/// Lines that threads of all multiprocessors read and write in order.
std::size_t streams_bytes(const WarpWork& all, const DeviceLimits& limits) {
  return static_cast<std::size_t>(limits.multiprocessors * (all.read_bytes + all.written_bytes));
}

/// The blocks of a traffic where caches also hold what goes by in order, and none of a multiprocessor's own
/// is left for blocks.
Traffic beside_streams(Traffic traffic, const WarpWork& all, const DeviceLimits& limits) {
  if (traffic.classes.empty()) traffic.classes.push_back({traffic.footprint_bytes, traffic.blocks});
  for (TrafficClass& at : traffic.classes)
    at.footprint_bytes = std::max(at.footprint_bytes + kLinesKept * streams_bytes(all, limits), kBeyondL1);
  return traffic;
}

/// How long the memory behind the multiprocessors' own caches takes for blocks, for what these caches did not
/// keep of what threads read in order, and for what threads write.
/// @param missed  share of the reads in order
double memory_s(const results::StateKey& key, const CountedExpectation& counted, double missed,
                const ProbedMachine& there, const DeviceLimits& limits) {
  const WarpWork& all = *counted.warps;
  const Expectation& expected = counted.expected;
  const auto takes_s = [&](const Traffic& traffic) {
    const Maybe<results::Ceiling> bound =
        memory_ceiling_of(key, expected.work, traffic, 0, there.probes.curves, there.all_threads, limits);
    return bound.value ? expected.work.amount / bound.value->rate : 0;
  };
  const double blocks_s = expected.traffic ? takes_s(beside_streams(*expected.traffic, all, limits)) : 0;
  return blocks_s +
         takes_s({.blocks = missed * all.thread_reads,
                  .block_bytes = kSectorBytes,
                  .footprint_bytes = std::max(streams_bytes(all, limits), kBeyondL1)}) +
         takes_s({.blocks = all.thread_writes, .block_bytes = kSectorBytes, .footprint_bytes = kBeyondL1});
}

/// How long a GPU's warps take that share the schedulers, each of which issues an instruction at a time, and
/// the memory, and wait each for its own accesses and results.
double warps_s(const results::StateKey& key, const CountedExpectation& counted, const ProbedMachine& there,
               const DeviceLimits& limits) {
  if (!counted.warps || !(counted.warps->warps > 0) || limits.multiprocessors == 0) return 0;
  const WarpWork& all = *counted.warps;
  const Expectation& expected = counted.expected;
  double lanes_per_s = 0;  // as fast as the fastest operation that was probed
  for (const Throughput& one : there.probes.throughputs)
    if (one.device == key.device) lanes_per_s = std::max(lanes_per_s, one.rate);
  if (!(lanes_per_s > 0)) return 0;
  const double schedulers = limits.multiprocessors * kWarpsIssuedAtATime;
  const double cycle_s = schedulers * kThreadsOfWarp / lanes_per_s;
  double block_s = 0;
  if (expected.traffic && expected.traffic->blocks > 0) {
    const Traffic traffic = beside_streams(*expected.traffic, all, limits);
    block_s = waited_s(key, expected.work, traffic, 1, there) / traffic.blocks;  // mean
  }
  const auto read_s = [&](double footprint_bytes) {
    return waited_s(
        key, expected.work,
        {.blocks = 1, .block_bytes = 1, .footprint_bytes = static_cast<std::size_t>(footprint_bytes)}, 1,
        there);
  };
  const double near_s = read_s(kInL1), far_s = read_s(kBeyondL1), own_s = read_s(all.read_bytes);
  const double missed = far_s > near_s ? std::clamp((own_s - near_s) / (far_s - near_s), 0.0, 1.0) : 0;
  const std::array<double, 2> service_s{
      all.instructions / all.warps * cycle_s,
      memory_s(key, counted, missed, there, limits) / all.warps * schedulers};
  const double delay_s =
      (kCyclesOfAnInstruction - 1) * service_s[0] + (all.waits * block_s + all.reads * own_s) / all.warps;
  const double most = limits.multiprocessors * all.resident_threads / kThreadsOfWarp;
  const double each = std::max(1.0, std::min(most, all.warps) / schedulers);
  return std::max(1.0, all.warps / schedulers) / served(static_cast<int>(each), service_s, delay_s) +
         (all.longest - 1) * (service_s[0] + delay_s);
}

}  // namespace

Maybe<Prediction> predicted_by_card(const results::StateKey& key, const CountedExpectation& counted,
                                    const ProbedMachine& there) {
  const ProbedMachine::Device* const to = there.find(key.device);
  if (to == nullptr) return {std::nullopt, key.device + " was not probed"};
  const Expectation& expected = counted.expected;
  const DeviceLimits limits = limits_of(to->description);
  Maybe<results::Ceiling> bound = bound_of(key, expected, there, limits);
  if (!bound.value) return {std::nullopt, bound.reason};
  const double bound_s = expected.work.amount / bound.value->rate;
  const double bound_by_parts_s =
      std::max(bound_s * unevenness(expected, limits), longest_s(expected, bound_s, limits));
  // Memory is one of the queues that warps go round.
  const double work_s = counted.warps ? std::max(bound_by_parts_s, warps_s(key, counted, there, limits))
                                      : bound_by_parts_s + waited_s(key, counted, there, limits);
  const double seconds = work_s + least_launch_s(there.probes.launches, key.device);
  Prediction found{.state = key,
                   .rate = expected.work.amount / seconds,
                   .rate_unit = expected.work.unit + "/s",
                   .ceiling = std::move(bound.value),
                   .bound_share = bound_s / seconds};
  found.ceiling->fraction = found.rate / found.ceiling->rate;
  return {std::move(found), {}};
}

std::vector<State> kernels_of(std::span<const results::Record> records, const Family& family) {
  std::vector<State> states;
  std::set<std::string> seen;
  for (const results::Record& record : records) {
    if (record.kind != "kernel" || record.state.family != family.name()) continue;
    if (!seen.insert(record.state.to_string()).second) continue;
    for (const Variant& variant : family.variants())
      if (variant.name == record.state.variant)
        states.push_back({.key = record.state,
                          .kind = "kernel",
                          .phase = "sweep",
                          .family = &family,
                          .variant = &variant});
  }
  return states;
}

std::vector<PredictedContest> predictions_by_card(std::span<const State> kernels, const SuiteConfig& config,
                                                  const ProbedMachine& there,
                                                  const std::function<void(const State&)>& alive) {
  ContestsOfPredictions contests;
  Expectations expectations(config);
  for (const State& state : kernels) {
    const ProbedMachine::Device* const to = there.find(state.key.device);
    if (state.kind != "kernel" || state.variant->whole_process || to == nullptr) continue;
    if (alive) alive(state);
    const Maybe<CountedExpectation> expected = expectations.of(state);
    contests.add({.family = state.key.family,
                  .problem = state.key.problem,
                  .problem_label = state.key.problem.to_string(),
                  .device_there = to->id,
                  .name_there = to->name()},
                 expected.value ? predicted_by_card(state.key, *expected.value, there)
                                : Maybe<Prediction>{std::nullopt, expected.reason});
  }
  return std::move(contests).ranked();
}

}  // namespace gpuseq::bench
