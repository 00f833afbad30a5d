#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// `run --profile CASE` and ranges of NVTX, in the whole program with a plugin that counts its launches.

namespace gpuseq::bench::testing {
namespace {

class ProfiledCase : public ::testing::Test {
 protected:
  Result profile(const std::string& name) {
    const std::string config = scratch_.write("config.json", R"({"name": "c", "devices": "cpu", "families": {
        "pairwise_distance": {"problems": [{"instance_count": 20, "attribute_count": 70}],
                              "variants": {"bytes": {"target": "avx2"}}}}})");
    setenv("GPUSEQ_TEST_LAUNCHES", (scratch_ / "launches").c_str(), 1);
    const Result result =
        result_of(scratch_, "run", {"--config", config, "--plugin", GPUSEQ_TEST_PLUGINS, "--profile", name});
    unsetenv("GPUSEQ_TEST_LAUNCHES");
    return result;
  }
  Scratch scratch_;
};

constexpr const char* kCase = "pairwise_distance/right/instance_count=20,attribute_count=70/block=32/cpu";

TEST_F(ProfiledCase, IsLaunchedOnceAndNothingElseIs) {
  const Result profiled = profile(kCase);
  EXPECT_EQ(profiled.code, 0) << profiled.err;
  EXPECT_EQ(content(scratch_ / "launches"), "launch\n");
  EXPECT_FALSE(std::filesystem::exists("runs"));
  expect_text(profiled.out);
}

TEST_F(ProfiledCase, MayBeOneOfOurs) {
  EXPECT_EQ(profile("pairwise_distance/bytes/instance_count=20,attribute_count=70//cpu").code, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "launches"));
}

TEST_F(ProfiledCase, UnknownOnesAreRefusedWithNearNames) {
  for (const char* name :
       {"pairwise_distance/rigth/instance_count=20,attribute_count=70/block=16/cpu", "right",
        "pairwise_distance/right/instance_count=20/block=17/cpu", "pairwise_distance/right///cuda:0"}) {
    const Result refused = profile(name);
    EXPECT_EQ(refused.code, 2);
    const std::size_t near = refused.err.find("; near it");  // before it are the variants of this build
    ASSERT_NE(near, std::string::npos) << refused.err;
    expect_text(refused.err.substr(near));
  }
}

#ifdef GPUSEQ_TEST_NVTX
TEST_F(ProfiledCase, ARangeOfItsNameIsAroundItsLaunch) {
  setenv("NVTX_INJECTION64_PATH", GPUSEQ_TEST_NVTX, 1);
  setenv("GPUSEQ_TEST_RANGES", (scratch_ / "ranges").c_str(), 1);
  const Result profiled = profile(kCase);
  unsetenv("NVTX_INJECTION64_PATH");
  unsetenv("GPUSEQ_TEST_RANGES");
  EXPECT_EQ(profiled.code, 0) << profiled.err;
  expect_text(content(scratch_ / "ranges"));
}
#endif

}  // namespace
}  // namespace gpuseq::bench::testing
