#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/pairwise_distance/data/generator.hpp"
#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/random.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u64 kMeanNameBytes = 64;

Metric metric_of(const Point& point) {
  const auto found = std::ranges::find(kMetricNames, point.word("metric"));
  return static_cast<Metric>(found - kMetricNames.begin());  // the axis has no other values
}

/// Data set 0 uses the seed itself, as problems without this axis did.
u64 seed_of_data_set(u64 seed, std::int64_t data_set) {
  auto place = static_cast<std::uint64_t>(data_set);
  return data_set == 0 ? seed : seed ^ split_mix64(place);
}

Instances generate(const ProblemSpec& spec) {
  const Generation generation{.count = static_cast<u64>(spec.point.integer("instance_count")),
                              .attributes = static_cast<u64>(spec.point.integer("attribute_count")),
                              .alphabet = static_cast<u32>(spec.point.integer("alphabet")),
                              .missing_per_mille = static_cast<u32>(spec.point.integer("missing")),
                              .real = is_real(metric_of(spec.point))};
  require_pairs_fit(generation.count, generation.attributes, generation.missing_per_mille > 0);
  const u64 bytes_of_value =
      (generation.real ? sizeof(float) : 1) + (generation.missing_per_mille > 0 ? 1 : 0);
  require_host_memory(generation.count * (generation.attributes * bytes_of_value + kMeanNameBytes),
                      "random instances");
  ThreadPool pool(spec.threads);
  return random_instances(generation, seed_of_data_set(spec.seed, spec.point.integer("data_set")), pool);
}

Choice choice_of(const std::string& word) {
  return word == "yes" ? Choice::yes : word == "no" ? Choice::no : Choice::automatic;
}

void read(const ProblemSpec& spec, bool pairs_at_once, DistanceProblem::State& state) {
  const std::filesystem::path path = data_file(spec, "instances", "random");
  ReadInstances file = read_instances(path, {.real = is_real(state.metric),
                                             .pairs_at_once = pairs_at_once,
                                             .header = choice_of(spec.point.word("header")),
                                             .names = choice_of(spec.point.word("names"))});
  if (!file.numeric && state.metric != Metric::hamming)
    throw UsageError(fmt::format("metric {}: {} has symbols, allowed: hamming, or values that are numbers",
                                 kMetricNames[static_cast<u32>(state.metric)], path.string()));
  state.instances = std::move(file.instances);
  if (pairs_at_once) require_pairs_fit(state.instances);
}

}  // namespace

std::unique_ptr<DistanceProblem> load_problem(const ProblemSpec& given, bool pairs_at_once) {
  ProblemSpec spec = given;
  spec.point = problem_space().complete(spec.point);
  auto state = std::make_unique<DistanceProblem::State>();
  state->metric = metric_of(spec.point);
  state->cache_dir = spec.cache_dir;
  state->threads = spec.threads;
  const auto start = std::chrono::steady_clock::now();
  if (spec.point.word("instances") == "random")
    state->instances = generate(spec);
  else
    read(spec, pairs_at_once, *state);
  state->origin = {
      {"instances", spec.point.word("instances")}, {"seed", spec.seed}, {"load_s", seconds_since(start)}};
  if (spec.point.word("instances") == "random") state->origin["data_set"] = spec.point.integer("data_set");
  state->finish();
  return std::make_unique<DistanceProblem>(std::move(state));
}

}  // namespace gpuseq::pairwise_distance
