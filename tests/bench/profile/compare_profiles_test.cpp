#include "bench/commands/profile/compare_profiles.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "bench/profile/profile_file.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/bench/lines.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

/// A device whose blocks of 64 bytes come at `rate` up to 1 MiB and at a quarter of it at 16 MiB.
ordered_json device(const std::string& name, double rate, double latency_ns = 100) {
  const auto points = [](double near, double far) {
    return ordered_json{{{"footprint_bytes", 1 << 20}, {"median", near}},
                        {{"footprint_bytes", 1 << 24}, {"median", far}}};
  };
  return {{"name", name},
          {"stated", ordered_json::object()},
          {"levels",
           {{{"name", "L2"},
             {"kind", "cache"},
             {"measured_bytes", 2e6},
             {"low_bytes", 1e6},
             {"high_bytes", 3e6},
             {"stated_bytes", 2097152},
             {"uncertain", false}},
            {{"name", "level 1"},
             {"kind", "cache"},
             {"measured_bytes", 5e4},
             {"low_bytes", 4e4},
             {"high_bytes", 6e4},
             {"stated_bytes", nullptr},
             {"uncertain", true}}}},
          {"stated_only", ordered_json::array()},
          {"curves",
           {{{"probe", "random_access"},
             {"point", {{"block_bytes", 64}, {"access", "independent"}, {"in_flight", 4}}},
             {"unit", "bytes/s"},
             {"points", points(rate, rate / 4)}},
            {{"probe", "random_access"},
             {"point", {{"block_bytes", 64}, {"access", "independent"}, {"in_flight", 1}}},
             {"unit", "bytes/s"},
             {"points", points(rate / 10, rate / 10)}},
            {{"probe", "latency"},
             {"point", {{"stride_bytes", 128}}},
             {"unit", "ns"},
             {"points", points(latency_ns, 2 * latency_ns)}}}},
          {"sequential",
           {{{"operation", "read"}, {"footprint_bytes", 1 << 20}, {"rate", 9e12}},
            {{"operation", "read"}, {"footprint_bytes", 1 << 30}, {"rate", rate}}}},
          {"instructions",
           {{{"operation", "add"}, {"pipe", "alu"}, {"threads", 1}, {"rate", 1e9}},
            {{"operation", "add"}, {"pipe", "alu"}, {"threads", 0}, {"rate", 8e9}}}},
          {"launches", ordered_json::array()},
          {"quiet", {{"spread", nullptr}, {"verdict", "quiet"}}}};
}

NamedProfile profile(const std::string& name, const std::string& id, ordered_json device) {
  return {name, {{"schema_version", 2}, {"devices", {{id, std::move(device)}}}}};
}

std::string compared(std::vector<NamedProfile> profiles) {
  return comparison_text(devices_of(profiles));
}

/// Profiles of two devices that are the same but for the added values.
std::string compared(ordered_json one = device("One", 1e12), ordered_json two = device("Two", 1e12)) {
  return compared({profile("a", "cuda:0", std::move(one)), profile("b", "cuda:0", std::move(two))});
}

/// The value at 4 MiB is half way in octaves between the points of the best curve.
TEST(CompareProfiles, SaysTimesTheFirstDevice) {
  expect_text(compared(device("One", 1e12), device("Two", 2e12, 50)));
}

TEST(CompareProfiles, ComparesTheSameOnly) {
  ordered_json other = device("Two", 1e12);
  other["instructions"] =
      ordered_json::array({{{"operation", "add"}, {"pipe", "alu"}, {"threads", 0}, {"rate", 4e9}}});
  const std::string text = compared(device("One", 1e12), other);
  expect_text(testing::lines_beyond(text, compared()));
  expect_text(testing::lines_beyond(compared(), text));
}

TEST(CompareProfiles, HasTheBestOfTheLinkToTheHostWhereBothKnowIt) {
  const auto linked = [](const char* name, double rate) {
    ordered_json one = device(name, 1e12);
    const auto copy = [](int bytes, double copied) {
      return ordered_json{
          {"memory", "pinned"}, {"direction", "to_host"}, {"transfer_bytes", bytes}, {"rate", copied}};
    };
    one["host_link"] = {
        {"transfers", ordered_json::array({copy(4096, rate / 50), copy(1 << 26, rate)})},
        {"zero_copy", ordered_json::array({{{"block_bytes", 64}, {"rate", rate / 2}}})},
        {"zero_copy_sequential", ordered_json::array({{{"operation", "read"}, {"rate", rate / 1.25}}})}};
    return one;
  };
  expect_text(testing::lines_beyond(compared(linked("One", 25e9), linked("Two", 50e9)), compared()));
  EXPECT_EQ(compared(linked("One", 25e9)), compared());
}

TEST(CompareProfiles, HasWhatOnlySomeProfilesHave) {
  const auto with = [](const char* name, double times) {
    ordered_json one = device(name, 1e12);
    const auto level = [&](double ns, const ordered_json& bytes) {
      return ordered_json{{"latency_clocks", 1}, {"latency_ns", times * ns}, {"served_bytes", bytes}};
    };
    one["load_paths"] = ordered_json::array(
        {{{"path", "texture"}, {"levels", {level(45, 204800), level(140, nullptr)}}, {"fetch_bytes", 32.0}}});
    one["atomics"] = ordered_json::array(
        {{{"memory", "shared"}, {"operation", "add"}, {"conflict_lanes", 1}, {"rate", 8e12 * times}},
         {{"memory", "shared"}, {"operation", "add"}, {"conflict_lanes", 32}, {"rate", 2e11}}});
    one["barriers"] =
        ordered_json::array({{{"threads_per_block", 64}, {"blocks_per_sm", 1}, {"seconds", 9e-9 * times}}});
    one["clusters"] = {{"sizes", {{{"cluster_blocks", 2}, {"rate", 4e12 * times}, {"latency_ns", 90}}}},
                       {"reason", ""}};
    const auto loaded = [&](const char* operation, double load, double ns) {
      return ordered_json{{"operation", operation}, {"load_bytes_per_s", load}, {"latency_ns", ns * times}};
    };
    one["loaded_latency"] = ordered_json::array({loaded("read", 0, 300), loaded("read", 1e12, 400),
                                                 loaded("read", 2e12, 900), loaded("write", 1e12, 700)});
    one["tlb"] = ordered_json::array({{{"pages", "huge"},
                                       {"page_bytes", 2 << 20},
                                       {"served_bytes", 4294967296 * times},
                                       {"exceeded_bytes", 8e9},
                                       {"extra_ns", nullptr}}});
    one["numa"] = {{"accesses",
                    {{{"node", 0}, {"memory_node", 0}, {"operation", nullptr}, {"latency_ns", 80 * times}},
                     {{"node", 0}, {"memory_node", 1}, {"operation", nullptr}, {"latency_ns", 120 * times}},
                     {{"node", 0}, {"memory_node", 1}, {"operation", "read"}, {"latency_ns", 900.0}}}},
                   {"reason", ""}};
    return one;
  };
  expect_text(testing::lines_beyond(compared(with("One", 1), with("Two", 2)), compared()));
}

TEST(CompareProfiles, KeepsDevicesOfOneModelApart) {
  const auto devices = devices_of(std::vector{profile("first", "cpu", device("Xeon", 1e10)),
                                              profile("second", "cpu", device("Xeon", 2e10)),
                                              profile("third", "cuda:0", device("H200", 1e12))});
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[0].label, "Xeon (first, cpu)");
  EXPECT_EQ(devices[1].label, "Xeon (second, cpu)");
  EXPECT_EQ(devices[2].label, "H200");
  const std::string text = comparison_text(devices);
  EXPECT_THAT(text, Not(HasSubstr("H200")));  // no other GPU to compare it with
}

TEST(CompareProfiles, OneProcessorAndOneGpuAreInOneTable) {
  EXPECT_EQ(compared({profile("a", "cpu", device("One", 1e12)), profile("b", "cuda:0", device("Two", 1e12))}),
            compared());
}

TEST(CompareProfiles, WithNothingInCommonSaysSo) {
  ordered_json bare = device("Two", 1e12);
  for (const char* key : {"levels", "curves", "sequential", "instructions"})
    bare[key] = ordered_json::array();
  expect_text(compared(device("One", 1e12), bare));
}

TEST(CompareProfiles, DrawsALineADeviceInPanelsOfWhatWasProbed) {
  const auto chart = comparison_chart(devices_of(
      std::vector{profile("a", "cpu", device("One", 1e11)), profile("b", "cuda:0", device("Two", 1e12))}));
  EXPECT_EQ(chart.series, (std::vector<std::string>{"One", "Two"}));
  ASSERT_EQ(chart.panels.size(), 2u);  // no block of 32 or 128 B was probed
  EXPECT_EQ(chart.panels[0].title, "blocks of 64 B");
  EXPECT_EQ(chart.panels[0].marks.size(), 4u);
  EXPECT_EQ(chart.panels[0].marks[0].y, 1e11);
  EXPECT_EQ(chart.panels[1].title, "latency");
  EXPECT_DOUBLE_EQ(chart.panels[1].marks[0].y, 100e-9);
}

TEST(ProfileFile, IsCheckedAgainstItsSchema) {
  TemporaryFolder folder;
  const ordered_json good = profile("a", "cpu", device("One", 1e12)).profile;
  const nlohmann::json sorted = good;
  EXPECT_EQ(nlohmann::json(read_profile(folder.write("a/machine.json", good.dump()))), sorted);
  EXPECT_EQ(nlohmann::json(read_profile(folder.path() / "a")), sorted);
  ordered_json bad = good;
  bad["devices"]["cpu"]["curves"][0]["points"][1]["median"] = -1;
  expect_error_text([&] { read_profile(folder.write("bad.json", bad.dump())); });
  EXPECT_THROW(read_profile(folder.write("none.json", "{}")), UsageError);
  EXPECT_THROW(read_profile(folder.write("torn.json", "{\"schema_version\": 1,")), UsageError);
  EXPECT_THROW(read_profile(folder.path() / "not here.json"), UsageError);
}

TEST(CompareProfiles, HaveWindowsOverAllMemoryAndDrawOnlyWhoHasPoints) {
  const auto with_windows = [](const std::string& name, double by_group) {
    ordered_json one = device(name, 1e11);
    const auto row = [](int windows, const char* assigned_by, double rate) {
      return ordered_json{{"footprint_bytes", 1e11},
                          {"block_bytes", 128},
                          {"windows", windows},
                          {"assigned_by", assigned_by},
                          {"rate", rate}};
    };
    one["windows"] = {{"rates", {row(1, "sm_number", 7e11), row(2, "sm_group", by_group)}},
                      {"sm_groups", nullptr},
                      {"reason", ""}};
    return one;
  };
  ordered_json without_curves = device("none", 1e11);
  without_curves["curves"] = ordered_json::array();
  std::vector<NamedProfile> profiles{profile("a", "cuda:0", with_windows("GPU A", 2e12)),
                                     profile("b", "cuda:0", with_windows("GPU B", 4e12)),
                                     profile("c", "cuda:0", without_curves)};
  const std::vector<ComparedDevice> devices = devices_of(profiles);
  for (NamedProfile& one : profiles) one.profile["devices"]["cuda:0"].erase("windows");
  expect_text(testing::lines_beyond(comparison_text(devices), compared(profiles)));
  EXPECT_EQ(comparison_chart(devices).series, (std::vector<std::string>{"GPU A", "GPU B"}));
}

}  // namespace
}  // namespace gpuseq::bench
