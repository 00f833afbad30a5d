#include "bench/phases/predict/expected_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "bench/phases/predict/records_of_run.hpp"
#include "bench/phases/winners/problem_class.hpp"
#include "bench/plan/problem_data.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

std::string candidate_text(const results::StateKey& key) {
  return fmt::format("{}/{}", key.variant, key.point.to_string());
}

/// A contest of predictions with the keys by which a state is found.
struct Known {
  const PredictedContest* contest = nullptr;
  ProblemClass problem;
  std::unordered_map<std::string, double> rates;
};

std::vector<Known> known(std::span<const PredictedContest> contests, const Registry& registry,
                         const std::map<std::string, std::uint64_t>& bytes) {
  std::vector<Known> all;
  for (const PredictedContest& contest : contests) {
    const SearchSpace& space = registry.shared_family(contest.family)->problem_space();
    Known one{.contest = &contest, .problem = problem_class_of(space, contest.problem, bytes), .rates = {}};
    for (const Prediction& prediction : contest.ranking)
      one.rates.emplace(candidate_text(prediction.state), prediction.rate);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::vector<PredictedContest> predictions_from(std::span<const fs::path> runs,
                                               const std::set<std::string>& families,
                                               const ProbedMachine& there, const Registry& registry,
                                               const MemoryLimits& limits) {
  std::vector<PredictedContest> all;
  for (const fs::path& run : runs) {
    const std::vector<results::Record> records = records_of_run(run, registry);
    std::vector<PredictedContest> own =
        predictions(records, families, machine_of_run(run, records), there, limits);
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  return all;
}

ExpectedRates expected_rates(std::span<const State> planned, std::span<const PredictedContest> contests,
                             const Registry& registry, const SuiteConfig& config) {
  const std::map<std::string, std::uint64_t> bytes = data_bytes(config);
  const std::vector<Known> all = known(contests, registry, bytes);
  ExpectedRates expected;
  for (const State& state : planned) {
    if (state.kind != "kernel") continue;
    const std::string candidate = candidate_text(state.key);
    const ProblemClass problem =
        problem_class_of(registry.shared_family(state.key.family)->problem_space(), state.key.problem, bytes);
    std::optional<double> nearest;
    for (const Known& one : all) {
      if (one.contest->family != state.key.family || one.contest->device_there != state.key.device) continue;
      const auto rate = one.rates.find(candidate);
      const std::optional<double> apart = distance(problem, one.problem);
      if (rate == one.rates.end() || !apart || (nearest && *apart >= *nearest)) continue;
      nearest = apart;
      expected[state.key.to_string()] = rate->second;
    }
  }
  return expected;
}

}  // namespace gpuseq::bench
