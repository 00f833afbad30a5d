#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "bench/commands/profile/compare_profiles.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/bench/lines.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json published(const std::string& name) {
  return read_profile(source_dir() / "configs/published" / ("machine-" + name + ".json"));
}

/// Numbers that the paper's transcription has of a device: by the label, or the property of table 1.
std::multimap<std::string, double> facts_of(const std::string& device) {
  std::multimap<std::string, double> found;
  const json paper = read_json(source_dir() / "configs/published/fm-index.json");
  for (const json& fact : paper["facts"]) {
    // Figure 10 has a line for two of the profiles.
    const std::string of = fact.value("device", "");
    const bool both = of == "NVIDIA GTX Titan, K20c" && device != "NVIDIA GTX 750Ti";
    if ((of == device || both) && fact.contains("value"))
      found.emplace(fact.value("figure", "") == "fm-index/table1" ? fact["label"].get<std::string>()
                                                                  : fact["source"].get<std::string>(),
                    fact["value"].get<double>());
  }
  return found;
}

bool has(const std::multimap<std::string, double>& facts, const std::string& place, double value) {
  const auto [first, last] = facts.equal_range(place);
  return std::any_of(first, last, [&](const auto& fact) { return fact.second == value; });
}

class PublishedProfiles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Devices, PublishedProfiles, ::testing::Values("titan", "k20", "gtx750ti"),
                         [](const auto& name) { return std::string(name.param); });

TEST_P(PublishedProfiles, HaveTheNumbersOfThePapersTranscriptionEachWithItsPlace) {
  const ordered_json profile = published(GetParam());
  EXPECT_EQ(profile["origin"], "published");
  EXPECT_EQ(profile["source"],
            read_json(source_dir() / "configs/published/fm-index.json")["paper"]["citation"]);
  const ordered_json& device = profile["devices"]["cuda:0"];
  const auto facts = facts_of(device["name"]);
  for (const auto& [key, label] :
       std::map<std::string, std::string>{{"cores", "cores"},
                                          {"hardware_threads", "hardware threads"},
                                          {"clock_hz", "clock"},
                                          {"memory_bandwidth_bytes_per_s", "memory bandwidth"},
                                          {"memory_bytes", "memory"},
                                          {"thermal_design_power_w", "thermal design power"}})
    EXPECT_TRUE(has(facts, label, device["stated"][key])) << key;
  EXPECT_EQ(device["stated"].size(), 7u) << "and their source";
  EXPECT_TRUE(device["stated"]["source"].get<std::string>().starts_with("table 1"));
  for (const ordered_json& level : device["levels"])
    EXPECT_TRUE(has(facts, level["source"], level["measured_bytes"])) << level;
  for (const ordered_json& remark : device["remarks"])
    EXPECT_TRUE(has(facts, remark["source"], remark["value"])) << remark;
  for (const char* measured : {"curves", "sequential", "instructions", "launches"})
    EXPECT_TRUE(device[measured].empty()) << measured << ": the paper has them in pictures, if at all";
}

TEST(PublishedProfile, IsPrintedWithoutWhatThePaperDoesNotGive) {
  std::string text;
  for (const char* name : {"titan", "k20", "gtx750ti"}) text += profile_text(published(name));
  expect_text(text);
}

TEST(PublishedProfile, IsComparedWithOthersByWhatBothHave) {
  ordered_json measured = published("titan");
  measured.erase("origin");
  measured["devices"]["cuda:0"]["name"] = "New";
  measured["devices"]["cuda:0"]["stated"] = {{"memory_bytes", 12e9}};
  const auto devices =
      devices_of(std::vector<NamedProfile>{{"titan", published("titan")}, {"new", measured}});
  EXPECT_EQ(devices[0].label, "NVIDIA GTX Titan, published");
  const std::string text = comparison_text(devices);
  expect_text(text);
  const std::string both = comparison_text(
      devices_of(std::vector<NamedProfile>{{"titan", published("titan")}, {"k20", published("k20")}}));
  expect_text(testing::lines_beyond(both, text));
}

TEST(PublishedProfile, NamesItsSourceAndAMeasuredOneSaysHowQuietItWas) {
  const TemporaryFolder folder;
  ordered_json profile = published("titan");
  profile.erase("source");
  EXPECT_THROW(read_profile(folder.write("a.json", profile.dump())), UsageError);
  profile["origin"] = "measured";
  EXPECT_THROW(read_profile(folder.write("b.json", profile.dump())), UsageError);
  profile["devices"]["cuda:0"]["quiet"] = {{"spread", nullptr}, {"verdict", "quiet"}};
  EXPECT_NO_THROW(read_profile(folder.write("c.json", profile.dump())));
}

}  // namespace
}  // namespace gpuseq::bench
