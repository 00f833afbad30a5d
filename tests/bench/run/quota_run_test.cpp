#include "tests/bench/lines.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/system/own_control_group.hpp"

// Runs under a CPU quota, as of `docker run --cpus 0.5`.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class QuotaRun : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!group_.usable()) GTEST_SKIP() << "no control group with a CPU quota can be made";
  }
  Result result(std::vector<std::string> arguments, bool in_group) {
    Program program(scratch_, std::move(arguments), [&] {
      if (in_group && !group_.enter()) _exit(77);
    });
    const int code = program.wait();
    return {code, program.out(), program.err()};
  }
  Result measured(const std::string& to, bool in_group) {
    const auto config = scratch_.write("toys.json", small_config(R"({"steady": {"speed": 4}})"));
    return result({"run", "--config", config, "--output", scratch_ / to, "--no-report"}, in_group);
  }
  nlohmann::json host(const std::string& dir) const {
    return (*records(scratch_ / dir).front().provenance)["host"];
  }

  Scratch scratch_;
  OwnControlGroup group_;
};

TEST_F(QuotaRun, IsStatedRecordedAndListedAsADifference) {
  setenv("GPUSEQ_PYTHON", "", 1);  // the package of the checkout
  const Result without = measured("without", false), with = measured("with", true);
  if (with.code == 77) GTEST_SKIP() << "no process can be moved into a control group";
  ASSERT_EQ(without.code, 0) << without.err;
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_THAT(without.err, Not(HasSubstr("CPU quota")));
  EXPECT_THAT(with.err, AllOf(HasSubstr("CPU quota: 0.5 of "), HasSubstr("all threads means 1 here")));
  EXPECT_TRUE(host("without")["cpu_quota"].is_null());
  EXPECT_EQ(host("with")["cpu_quota"], 0.5);
  EXPECT_EQ(host("with")["available_cpus"], 1);
  const Result compared = result({"compare", scratch_ / "without", scratch_ / "with"}, false);
  EXPECT_NE(compared.code, 2) << compared.err;
  expect_text(lines_with(compared.out, "host/cpu_quota"));
}

TEST_F(QuotaRun, ThatDiffersAtResumeIsRefused) {
  const Result with = measured("run", true);
  if (with.code == 77) GTEST_SKIP() << "no process can be moved into a control group";
  ASSERT_EQ(with.code, 0) << with.err;
  const Result refused = result({"run", "--resume", scratch_ / "run", "--no-report"}, false);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("CPU quota 0.5"), HasSubstr("--on-other-devices")));
  EXPECT_EQ(result({"run", "--resume", scratch_ / "run", "--no-report"}, true).code, 0);
}

}  // namespace
}  // namespace gpuseq::bench
