#include "tests/bench/toy_program.hpp"
#include "tests/example_family/family.hpp"

// The example of docs/guides/adding.md in the whole program.

namespace gpuseq::bench::testing {

TEST(ExampleFamily, CountsTheBasesOfAFile) {
  const Scratch scratch;
  const std::string file = scratch.write("a.fa", ">a\nACGTNNacgt\n>b\nAAC\n"), out = scratch / "out";
  EXPECT_EQ(run(scratch, {"exec", "base_counts", "--data", "sequence=" + file, "--out", out}), 0);
  EXPECT_EQ(content(out), "5\n");
}

TEST(ExampleFamily, IsMeasured) {
  const Scratch scratch;
  const std::string families = R"("families": {"base_counts": {"problems": [{}], "variants": {"scan": {}}}})";
  const std::string config = scratch.write(
      "config.json", R"({"name": "c", "devices": "cpu", )" + std::string(kSampling) + ", " + families + "}");
  EXPECT_EQ(run(scratch, {"--config", config, "--output", scratch / "run"}), 0);
  EXPECT_EQ(records(scratch / "run").at(0).status, results::Status::ok);
}

}  // namespace gpuseq::bench::testing

int main(int argc, char** argv) {
  gpuseq::bench::Registry registry = gpuseq::bench::make_registry();
  registry.families.push_back(gpuseq::base_counts::make_family());
  return gpuseq::bench::testing::toy_main(argc, argv, registry);
}
