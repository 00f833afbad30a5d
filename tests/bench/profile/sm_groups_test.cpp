#include "bench/profile/sm_groups.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#if GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

results::Record record_of(std::int64_t windows, const std::string& assigned_by, double rate) {
  results::Record record;
  record.kind = "probe";
  record.state = {"windows",
                  "cuda",
                  {},
                  Point{{"footprint_bytes", std::int64_t{80} << 30},
                        {"block_bytes", std::int64_t{128}},
                        {"windows", windows},
                        {"assigned_by", assigned_by}},
                  "cuda:0"};
  record.statistics = results::Statistics{};
  record.statistics->rate = rate;
  record.facts = json::object();
  return record;
}

/// The profile of a device with five multiprocessors, the third of which has no number.
struct WithGroups {
  WithGroups() {
    by_group.facts = json{{"sm_groups", {{"groups", {{0, 3}, {1, 4, 5}}}, {"clear", true}}}};
    device["windows"] = windows_json(std::vector{everywhere, by_number, by_group}, "cuda:0");
  }
  results::Record everywhere = record_of(1, "sm_number", 2.1e12),
                  by_number = record_of(2, "sm_number", 2.5e12), by_group = record_of(2, "sm_group", 2.86e12);
  ordered_json device{{"name", "NVIDIA H100"}, {"stated", {{"uuid", "GPU-1"}}}};
};

TEST(SmGroupsOfAProfile, AreThoseThatWindowsWereAssignedBy) {
  const WithGroups profile;
  EXPECT_TRUE(has_sm_groups(profile.device));
  EXPECT_EQ(profile.device["windows"]["rates"].size(), 3u);
  expect_text(windows_text(profile.device));
}

TEST(SmGroupsOfAProfile, SayWhyThereAreNone) {
  results::Record none = record_of(2, "sm_group", 0);
  none.status = results::Status::skipped;
  none.statistics.reset();
  none.failure = results::Failure{"resource", "no two slow each other down"};
  const results::Record everywhere = record_of(1, "sm_number", 5e11);
  ordered_json device{{"name", "small"}};
  device["windows"] = windows_json(std::vector{everywhere, none}, "cuda:0");
  EXPECT_FALSE(has_sm_groups(device));
  expect_text(windows_text(device));
  EXPECT_TRUE(windows_json({}, "cuda:0").is_null());
  EXPECT_EQ(windows_text(ordered_json::object()), "");
}

TEST(SmGroupsOfAProfile, MakeAHeaderThatAnyProgramCanInclude) {
  const TemporaryFolder folder;
  const std::string header = sm_groups_header(WithGroups().device);
  folder.write("sm-groups.hpp", header);
  // The larger group is number 0; multiprocessor 2 is in none.
  const std::string program = folder.write("program.cpp", R"(
#include "sm-groups.hpp"
#include <cstring>
int main() {
  using namespace sm_groups;
  const int expected[] = {1, 0, -1, 1, 0, 0, -1};
  for (unsigned number = 0; number < 7; ++number)
    if (group_of(number) != expected[number]) return 1;
  if (window_of(1, 2) != 0 || window_of(3, 2) != 1 || window_of(3, 1) != 0 || window_of(2, 2) != 0) return 2;
  return group_count == 2 && !std::strcmp(device_uuid, "GPU-1") ? 0 : 3;
}
)");
  const std::string binary = folder.path() / "program";
  ASSERT_EQ(std::system(("c++ -std=c++11 -Wall -Wextra -Werror -o " + binary + " " + program).c_str()), 0);
  EXPECT_EQ(std::system(binary.c_str()), 0);
}

#if GPUSEQ_HAVE_CUDA
TEST(SmGroupsOfAProfile, MakeAHeaderForDeviceCode) {
  if (const auto version = cuda::nvrtc_version(); !version.value)
    GTEST_SKIP() << "no NVRTC: " << version.reason;
  const KernelSource source{.name = "ask",
                            .text =
                                "#include \"sm-groups.hpp\"\nextern \"C\" __global__ void ask(int* groups) { "
                                "groups[threadIdx.x] = sm_groups::group_of(threadIdx.x) + "
                                "sm_groups::window_of(threadIdx.x, 2); }\n",
                            .headers = {{"sm-groups.hpp", sm_groups_header(WithGroups().device)}},
                            .options = {"--std=c++17"},
                            .may_spill = false};
  EXPECT_EQ(cuda::compile(source, "sm_90", {}).resources.spill_bytes, 0);
}
#endif

}  // namespace
}  // namespace gpuseq::bench
