#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/tune/replay.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/tune/spaces.hpp"
#include "tests/source_dir.hpp"

// Searches of a space that was measured whole (tests/data/spaces/README.md): no device is needed.

namespace gpuseq::bench {
namespace {

using testing::KnownSpace;

/// A space as `report --export` writes it. A parameter that a variant lacks is -1 or "none".
KnownSpace recorded(const char* name) {
  const nlohmann::json file = read_json(source_dir() / "tests" / "data" / "spaces" / name);
  KnownSpace space;
  for (const nlohmann::json& entry : file.at("cache")) {
    Point point;
    for (const auto& key : file.at("tune_params_keys").get<std::vector<std::string>>())
      if (key != "variant" && entry.at(key) != -1 && entry.at(key) != "none")
        point.set(key, axis_value_from_json(entry.at(key)));
    space.keys.push_back({"fm_index", entry.at("variant").get<std::string>(), {}, std::move(point), "cpu"});
    space.scores.push_back(entry.at("time").is_number() ? std::optional(1 / entry.at("time").get<double>())
                                                        : std::nullopt);
  }
  return space;
}

const KnownSpace& space() {
  static const KnownSpace known = recorded("fm_index-cpu.cache.json");
  return known;
}

/// The share of the best that is found, the median of 20 seeds.
double found_with(const char* name, std::size_t evaluations) {
  const Candidates candidates = candidates_of(space().keys);
  const auto strategy = make_strategy(name);
  std::vector<double> shares;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    shares.push_back(replay(*strategy, candidates, space().scores, evaluations, seed).back() /
                     space().best());
  std::ranges::nth_element(shares, shares.begin() + 10);
  return shares[10];
}

TEST(RecordedSpace, IsWholeAndWasMeasured) {
  EXPECT_GT(space().keys.size(), 200u);
  for (const std::optional<double>& score : space().scores) EXPECT_TRUE(score);
}

TEST(RecordedSpace, AModelFindsTheBestWithinThreePercentByATwentiethOfIt) {
  for (const NamedStrategy& one : strategies())
    RecordProperty(std::string(one.name),
                   std::to_string(found_with(one.name.data(), space().keys.size() / 20)));
  EXPECT_GT(found_with("guided", space().keys.size() / 20), 0.97);
}

}  // namespace
}  // namespace gpuseq::bench
