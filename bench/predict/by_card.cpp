#include "bench/predict/by_card.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

/// A multiprocessor of every GPU since Maxwell issues from so many warps at a time (CUDA's programming guide,
/// compute capabilities).
constexpr double kWarpsIssuedAtATime = 4, kThreadsOfWarp = 32;

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

double waited_s(const results::StateKey& key, const Expectation& expected, const ProbedMachine& there,
                const DeviceLimits& limits) {
  if (!expected.traffic || limits.multiprocessors == 0) return 0;
  Traffic traffic = *expected.traffic;
  traffic.access = "dependent";  // of independent ones, too, a step waits for what it reads
  traffic.in_flight = accesses_under_way(expected, limits);
  const Maybe<results::Ceiling> waiting =
      latency_ceiling_of(key, expected.work, traffic, 0, there.probes.curves);
  return waiting.value ? expected.work.amount / waiting.value->rate : 0;
}

}  // namespace

Maybe<Prediction> predicted_by_card(const results::StateKey& key, const Variant& variant,
                                    const StateOutline& outline, const ProbedMachine& there) {
  const ProbedMachine::Device* const to = there.find(key.device);
  if (to == nullptr) return {std::nullopt, key.device + " was not probed"};
  if (!variant.expectation) return {std::nullopt, variant.name + " tells nothing before it is prepared"};
  Maybe<Expectation> expected;
  try {
    // Records may be older than an axis.
    expected =
        variant.expectation({variant.space.complete(outline.point), outline.problem, outline.data_bytes});
  } catch (const ResourceError& error) {
    return {std::nullopt, error.what()};
  } catch (const UsageError& error) {
    return {std::nullopt, error.what()};
  }
  if (!expected.value) return {std::nullopt, expected.reason};
  const DeviceLimits limits = limits_of(to->description);
  Maybe<results::Ceiling> bound = bound_of(key, *expected.value, there, limits);
  if (!bound.value) return {std::nullopt, bound.reason};
  const double bound_s = expected.value->work.amount / bound.value->rate;
  const double seconds =
      std::max(bound_s * unevenness(*expected.value, limits), longest_s(*expected.value, bound_s, limits)) +
      least_launch_s(there.probes.launches, key.device) + waited_s(key, *expected.value, there, limits);
  Prediction found{.state = key,
                   .rate = expected.value->work.amount / seconds,
                   .rate_unit = expected.value->work.unit + "/s",
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

std::vector<PredictedContest> predictions_by_card(std::span<const State> kernels,
                                                  const std::map<std::string, std::uint64_t>& data_bytes,
                                                  const ProbedMachine& there) {
  ContestsOfPredictions contests;
  for (const State& state : kernels) {
    const ProbedMachine::Device* const to = there.find(state.key.device);
    if (state.kind != "kernel" || state.variant->whole_process || to == nullptr) continue;
    contests.add(
        {.family = state.key.family,
         .problem = state.key.problem,
         .problem_label = state.key.problem.to_string(),
         .device_there = to->id,
         .name_there = to->name()},
        predicted_by_card(
            state.key, *state.variant,
            {state.key.point, state.family->problem_space().complete(state.key.problem), data_bytes}, there));
  }
  return std::move(contests).ranked();
}

}  // namespace gpuseq::bench
