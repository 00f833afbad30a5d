#include "kernels/pairwise_distance/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/pairwise_distance/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr u32 kGenotypes = 3;

std::string_view name_of(Metric metric) {
  return kMetricNames[static_cast<u32>(metric)];
}

void check_shape(const Instances& instances) {
  if (instances.count == 0 || instances.attributes == 0)
    throw UsageError(
        fmt::format("instances: found {} instances of {} attributes, allowed: one of one, or more",
                    instances.count, instances.attributes));
  if (instances.alphabet > kMostSymbols)
    throw UsageError(fmt::format("instances: found an alphabet of {} symbols, allowed: 1 to {}",
                                 instances.alphabet, kMostSymbols));
  const u64 values = instances.values();
  const u64 found = instances.is_real() ? instances.reals.size() : instances.codes.size();
  if (found != values || (instances.has_missing() && instances.missing.size() != values) ||
      (!instances.names.empty() && instances.names.size() != instances.count))
    throw UsageError(
        fmt::format("instances: found {} {}, {} marks of missing values and {} names of {} x {} values",
                    found, instances.is_real() ? "real values" : "codes", instances.missing.size(),
                    instances.names.size(), instances.count, instances.attributes));
}

void check_reals(const Instances& instances) {
  const double most = largest_real(instances.attributes);
  for (u64 i = 0; i < instances.values(); ++i)
    if (!(std::abs(double{instances.reals[i]}) <= most))
      throw UsageError(fmt::format(
          "instance {}, attribute {}: found {}, allowed: {:.3g} at most either way, as the square of a "
          "distance by {} attributes is a 32-bit floating point number",
          i / instances.attributes + 1, i % instances.attributes + 1, instances.reals[i], most,
          instances.attributes));
}

void check_codes(const Instances& instances) {
  const u8 largest = std::ranges::max(instances.codes);
  if (largest < instances.alphabet) return;
  const u64 at = static_cast<u64>(std::ranges::find(instances.codes, largest) - instances.codes.begin());
  throw UsageError(fmt::format("instance {}, attribute {}: found the code {}, allowed: 0 to {}",
                               at / instances.attributes + 1, at % instances.attributes + 1, largest,
                               instances.alphabet - 1));
}

/// Sums are 32-bit numbers in all variants, and so are the numbers of compared attributes.
void check_metric(const Instances& instances, Metric metric) {
  if (is_real(metric) != instances.is_real())
    throw UsageError(fmt::format("metric {}: found {}, allowed: {}", name_of(metric),
                                 instances.is_real() ? "real values" : "codes",
                                 instances.is_real() ? "euclidean" : "real values"));
  if (instances.is_real()) check_reals(instances);
  if (metric == Metric::ibs && instances.alphabet > kGenotypes)
    throw UsageError(
        fmt::format("metric ibs: found an alphabet of {} symbols, allowed: genotypes, which are 0, 1 or 2 "
                    "copies of an allele",
                    instances.alphabet));
  const u64 largest = is_real(metric) ? 1 : std::max(1u, largest_value_distance(metric, instances.alphabet));
  const u64 most = std::numeric_limits<u32>::max() / largest;
  if (instances.attributes > most)
    throw UsageError(fmt::format(
        "metric {}: found {} attributes of {} symbols, allowed: up to {} (a distance has 32 bits)",
        name_of(metric), instances.attributes, instances.alphabet, most));
}

std::string hash_of(const DistanceProblem::State& state) {
  const Instances& instances = state.instances;
  const std::array<u64, 3> sizes{instances.count, instances.attributes, instances.alphabet};
  Hash content;
  content.update(name_of(state.metric));
  content.update(std::span<const u64>(sizes));
  content.update(std::span<const u8>(instances.codes));
  content.update(std::span<const float>(instances.reals));
  content.update(std::span<const u8>(instances.missing));
  return content.hex16();
}

}  // namespace

void DistanceProblem::State::finish() {
  check_shape(instances);
  for (u64 i = 0; i < instances.missing.size(); ++i)
    if (instances.missing[i] != 0) instances.remove(i);
  if (!instances.is_real()) check_codes(instances);
  check_metric(instances, metric);
  const u64 missing = instances.missing_values();
  if (missing == 0) instances.missing.clear();
  for (u64 i = instances.names.size(); i < instances.count; ++i)
    instances.names.push_back(std::to_string(i + 1));
  if (missing > 0)
    notes.push_back(fmt::format("{} of {} values are missing; pairs are compared without them", missing,
                                instances.values()));
}

const CheckedDistances& DistanceProblem::State::make_checked() {
  std::call_once(checked_once, [this] {
    ThreadPool pool(threads);
    checked = pairwise_distance::make_checked(instances, metric, pool);
  });
  return checked;
}

DistanceProblem::DistanceProblem(std::unique_ptr<State> state) : state_(std::move(state)) {}
DistanceProblem::~DistanceProblem() = default;

std::string DistanceProblem::hash() const {
  std::call_once(state_->hash_once, [this] { state_->hash = hash_of(*state_); });
  return state_->hash;
}
const Instances& DistanceProblem::instances() const {
  return state_->instances;
}
Metric DistanceProblem::metric() const {
  return state_->metric;
}
const std::filesystem::path& DistanceProblem::cache_dir() const {
  return state_->cache_dir;
}
std::vector<std::string> DistanceProblem::notes() const {
  return state_->notes;
}
void DistanceProblem::keep_to(u64 bytes) {
  state_->memory_limit = bytes;
}
u64 DistanceProblem::memory_limit() const {
  return state_->memory_limit;
}
std::span<const u64> DistanceProblem::checked_rows() const {
  return state_->make_checked().rows;
}
std::span<const u32> DistanceProblem::expected_sums() const {
  return state_->make_checked().sums;
}
std::span<const u32> DistanceProblem::expected_compared() const {
  return state_->make_checked().compared;
}

double DistanceProblem::comparisons() const {
  return work_of(known_data(state_->instances, state_->metric)).amount;
}

std::string DistanceProblem::label(const Point& problem) const {
  const Instances& instances = state_->instances;
  const std::string data = data_name(problem, "instances");
  std::string label =
      fmt::format("{}{} instances x {} attributes{}", data == "random" ? "" : data + ", ", instances.count,
                  instances.attributes,
                  state_->metric == Metric::hamming ? "" : fmt::format(", {}", name_of(state_->metric)));
  if (data == "random" && problem.has("data_set") && problem.integer("data_set") > 0)
    label += fmt::format(", data set {}", problem.integer("data_set"));
  return label;
}

nlohmann::json DistanceProblem::describe() const {
  const Instances& instances = state_->instances;
  nlohmann::json result = state_->origin;
  result.update({{"metric", name_of(state_->metric)},
                 {"instance_count", instances.count},
                 {"attribute_count", instances.attributes},
                 {"alphabet", instances.alphabet},
                 {"missing_values", instances.missing_values()},
                 {"comparisons", comparisons()},
                 {"notes", state_->notes}});
  return result;
}

std::unique_ptr<DistanceProblem> make_problem(Instances instances, Metric metric,
                                              std::filesystem::path cache_dir) {
  auto state = std::make_unique<DistanceProblem::State>();
  state->instances = std::move(instances);
  state->metric = metric;
  state->cache_dir = std::move(cache_dir);
  state->finish();
  return std::make_unique<DistanceProblem>(std::move(state));
}

}  // namespace gpuseq::pairwise_distance
