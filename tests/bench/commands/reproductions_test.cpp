#include "bench/commands/reproductions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "bench/base/name_filter.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::HasSubstr;

TEST(Reproductions, NameConfigsThatHaveWhatTheyKeep) {
  for (const Reproduction& row : reproductions()) {
    const json config = read_json(source_dir() / "configs" / row.config);
    const json families = config.value("families", json::object());
    json probes = config.value("probes", json::object());
    if (config.contains("probes_of"))
      probes.update(read_json(source_dir() / "configs" / config["probes_of"].get<std::string>())["probes"]);
    for (const std::string_view family : row.families) EXPECT_TRUE(families.contains(family)) << row.figure;
    if (row.config != std::string_view("machine/quick.json")) continue;
    for (const std::string_view probe : row.probes) EXPECT_TRUE(probes.contains(probe)) << row.figure;
  }
}

TEST(Reproductions, RefuseFiguresOfSeveralMachinesAndUnknownOnes) {
  EXPECT_EQ(reproduction_of("fm-index/fig8").figure, "fm-index/fig8");
  try {
    reproduction_of("suite/same_states");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fm-index/fig8"));
  }
  EXPECT_THROW(reproduction_of("fm-index/fig88"), UsageError);
}

TEST(KeepWhatIsDrawn, LeavesFamiliesProbesAndPassesOfAFigure) {
  json document{{"name", "all"},
                {"counters", true},
                {"energy", "winners"},
                {"families", {{"fm_index", json::object()}, {"papara", json::object()}}},
                {"probes", {{"latency", json::object()}, {"random_access", json::object()}}}};
  json of_kernels = document;
  keep_what_is_drawn(reproduction_of("fm-index/fig8"), of_kernels);
  EXPECT_EQ(of_kernels["families"].size(), 1u);
  EXPECT_TRUE(of_kernels["probes"].empty());
  EXPECT_FALSE(of_kernels.contains("counters"));
  EXPECT_FALSE(of_kernels.contains("energy"));
  EXPECT_EQ(of_kernels["probe_budget_s"], 0);
  json of_probes = document;
  keep_what_is_drawn(reproduction_of("latency"), of_probes);
  EXPECT_TRUE(of_probes["families"].empty());
  EXPECT_TRUE(of_probes["probes"].contains("latency"));
  json of_ceilings = document;
  keep_what_is_drawn(reproduction_of("fm-index/ceiling"), of_ceilings);
  EXPECT_FALSE(of_ceilings.contains("probe_budget_s"));
}

}  // namespace
}  // namespace gpuseq::bench
