#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/base/registry.hpp"
#include "bench/predict/by_card.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/tune/spaces.hpp"
#include "tests/source_dir.hpp"

// Searches of a space that was measured whole (tests/data/spaces/README.md): no device is needed.

namespace gpuseq::bench {
namespace {

using testing::KnownSpace;

struct Recorded {
  const char* name;  ///< of the file
  const char* family;
  const char* device;
  const char* probes;  ///< the run whose probes let expect what points do; null: nothing is expected
  std::size_t one_of;  ///< points, that so many evaluations are enough
};

/// A space as `report --export` writes it. A parameter that a variant lacks is -1 or "none".
KnownSpace read(const Recorded& which) {
  const std::string name = std::string(which.name) + ".cache.json";
  const nlohmann::json file = read_json(source_dir() / "tests" / "data" / "spaces" / name);
  KnownSpace space;
  const Point problem = Point::parse(file.at("problem_size").get<std::string>());
  for (const nlohmann::json& entry : file.at("cache")) {
    Point point;
    for (const auto& key : file.at("tune_params_keys").get<std::vector<std::string>>())
      if (key != "variant" && entry.at(key) != -1 && entry.at(key) != "none")
        point.set(key, axis_value_from_json(entry.at(key)));
    space.keys.push_back(
        {which.family, entry.at("variant").get<std::string>(), problem, std::move(point), which.device});
    space.scores.push_back(entry.at("time").is_number() ? std::optional(1 / entry.at("time").get<double>())
                                                        : std::nullopt);
  }
  return space;
}

/// The kernels of a space as states of a plan. They point into `family`.
std::vector<State> states_of(const KnownSpace& space, const Family& family) {
  std::vector<State> states;
  for (const results::StateKey& key : space.keys)
    states.push_back({.key = key,
                      .kind = "kernel",
                      .phase = "tune",
                      .family = &family,
                      .variant = &family.variant(key.variant)});
  return states;
}

class RecordedSpace : public ::testing::TestWithParam<Recorded> {
 protected:
  const KnownSpace space_ = read(GetParam());

  double found_with(const char* name, const Candidates& candidates, std::size_t evaluations) const {
    return testing::found_by(*make_strategy(name), candidates, space_.scores, evaluations);
  }

  /// What the probes alone let expect of each point.
  std::vector<std::optional<double>> expected_by(const char* probes) const {
    const Registry registry = make_registry();
    const std::vector<State> states = states_of(space_, registry.family(GetParam().family));
    std::map<std::string, double> rates;
    for (const PredictedContest& contest :
         predictions_by_card(states, {}, read_probed_machine(source_dir() / "results" / probes)))
      for (const Prediction& one : contest.ranking) rates[one.state.to_string()] = one.rate;
    std::vector<std::optional<double>> expected;
    for (const results::StateKey& key : space_.keys) {
      const auto found = rates.find(key.to_string());
      expected.push_back(found == rates.end() ? std::nullopt : std::optional(found->second));
    }
    return expected;
  }
};

TEST_P(RecordedSpace, IsWholeAndWasMeasured) {
  EXPECT_GT(space_.keys.size(), 100u);
  for (const std::optional<double>& score : space_.scores) EXPECT_TRUE(score);
}

TEST_P(RecordedSpace, AModelFindsTheBestWithinThreePercentByFewOfIt) {
#ifndef GPUSEQ_HAVE_CUDA
  if (GetParam().probes) GTEST_SKIP() << "built without CUDA: its variants are not there";
#endif
  const std::size_t few = space_.keys.size() / GetParam().one_of;
  Candidates candidates = candidates_of(space_.keys);
  for (const NamedStrategy& one : strategies())
    RecordProperty(std::string(one.name), std::to_string(found_with(one.name.data(), candidates, few)));
  if (GetParam().probes) candidates.expected = expected_by(GetParam().probes);
  const double found = found_with("guided", candidates, few);
  RecordProperty("expecting", std::to_string(found));
  EXPECT_GT(found, 0.97);
}

INSTANTIATE_TEST_SUITE_P(
    Of, RecordedSpace,
    ::testing::Values(Recorded{"fm_index-cpu", "fm_index", "cpu", nullptr, 20},
                      Recorded{"fm_index-h100", "fm_index", "cuda:0", "h100-fm-index", 20},
                      Recorded{"papara-h100", "papara", "cuda:0", "h100-fm-index", 20},
                      Recorded{"profile_hmm-h100", "profile_hmm", "cuda:0", "h100-fm-index", 20}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::ranges::replace(name, '-', '_');
      return name;
    });

}  // namespace
}  // namespace gpuseq::bench
