#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/phases/search/strategy.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/phases/search/spaces.hpp"
#include "tests/source_dir.hpp"

// Searches of a space that was measured whole (tests/data/spaces/README.md): no device is needed.

namespace gpuseq::bench {
namespace {

using testing::candidates_of;
using testing::KnownSpace;

struct Recorded {
  const char* name;  ///< of the file
  const char* family;
  const char* device;
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

class RecordedSpace : public ::testing::TestWithParam<Recorded> {
 protected:
  const KnownSpace space_ = read(GetParam());

  double found_with(const char* name, const Candidates& candidates, std::size_t evaluations) const {
    return testing::found_by(*make_strategy(name), candidates, space_.scores, evaluations);
  }
};

TEST_P(RecordedSpace, IsWholeAndWasMeasured) {
  EXPECT_GT(space_.keys.size(), 100u);
  for (const std::optional<double>& score : space_.scores) EXPECT_TRUE(score);
}

TEST_P(RecordedSpace, AModelFindsTheBestWithinThreePercentByFewOfIt) {
  const std::size_t few = space_.keys.size() / GetParam().one_of;
  const Candidates candidates = candidates_of(space_.keys);
  for (const NamedStrategy& one : strategies())
    RecordProperty(std::string(one.name), std::to_string(found_with(one.name.data(), candidates, few)));
  EXPECT_GT(found_with("guided", candidates, few), 0.97);
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedSpace,
                         ::testing::Values(Recorded{"fm_index-cpu", "fm_index", "cpu", 20},
                                           Recorded{"fm_index-h100", "fm_index", "cuda:0", 10},
                                           Recorded{"papara-h100", "papara", "cuda:0", 10},
                                           Recorded{"profile_hmm-h100", "profile_hmm", "cuda:0", 8}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gpuseq::bench
