#include <fstream>

#include "tests/bench/toy_program.hpp"
#include "tests/example_family/family.hpp"

// The example of docs/adding.md in the whole program: listed, measured, drawn, and run on a file.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;

TEST(ExampleFamily, IsListedWithItsAxes) {
  const Scratch scratch;
  const Result list = result_of(scratch, "list", {"families"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("base_counts"));
  EXPECT_THAT(result_of(scratch, "exec", {"base_counts", "--help"}).out,
              HasSubstr("tables that bases take turns in"));
}

TEST(ExampleFamily, CountsTheBasesOfAFile) {
  const Scratch scratch;
  std::ofstream(scratch / "a.fa") << ">a\nACGTNNacgt\n>b\nAAC\n";
  const Result exec = result_of(
      scratch, "exec",
      {"base_counts", "--data", "sequence=" + (scratch / "a.fa").string(), "--out", scratch / "counts.tsv"});
  EXPECT_EQ(exec.code, 0) << exec.err;
  EXPECT_EQ(content(scratch / "counts.tsv"), "A\t4\nC\t3\nG\t2\nT\t2\n");
}

TEST(ExampleFamily, IsMeasuredAndDrawn) {
  const Scratch scratch;
  const std::string config = scratch.write("config.json", R"({"name": "counts", "devices": "cpu",
    "sampling": {"min_samples": 3, "max_samples": 3, "max_seconds": 0.2, "probe_passes": 1},
    "families": {"base_counts": {"problems": [{"bases": 5000}], "variants": {"tables": {"tables": "all"}}}}})");
  const std::filesystem::path dir = scratch / "run";
  const Result result = result_of(scratch, "--config", {config, "--output", dir});
  ASSERT_EQ(result.code, 0) << result.err;
  std::vector<results::Record> measured = records(dir);
  std::erase_if(measured, [](const results::Record& record) { return record.phase != "sweep"; });
  ASSERT_EQ(measured.size(), 4u);
  for (const results::Record& record : measured) {
    EXPECT_EQ(record.status, results::Status::ok);
    EXPECT_EQ(record.problem_label, "random, 5 kbases");
  }
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  using namespace gpuseq;
  bench::Registry registry = bench::make_registry();
  registry.families.push_back(base_counts::make_family());
  if (std::getenv("GPUSEQ_TEST_PROGRAM") != nullptr) return bench::run_program(argc, argv, registry);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
