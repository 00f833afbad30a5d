#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "kernels/exact_match/family.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/device.hpp"
#include "tests/runtime/temporary_folder.hpp"

// The part of exec that needs a GPU: its output is that of the CPU.

namespace gpuseq::exact_match {
namespace {

class ExecOnAGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const DeviceList devices = list_devices();
    if (!devices.reason_no_cuda.empty()) GTEST_SKIP() << devices.reason_no_cuda;
    gpu_ = open_device("cuda:0");
    const auto problem = load_problem(
        {.point = problem_space().complete(Point::parse("reference_bases=100000,reference_sequences=3,repeat_"
                                                        "percent=30,query_count=5000,errors_per_1000=15")),
         .files = {},
         .seed = 4,
         .cache_dir = {}});
    files_ = problem->write_files(folder_.path());
  }

  std::string exec(Device& device, const std::string& variant, const std::string& point,
                   const std::string& options) {
    const auto out = folder_.path() / "matches.txt";
    family_->exec({.variant = variant,
                   .point = Point::parse(point),
                   .options = family_->exec_options().complete(Point::parse(options)),
                   .data = files_,
                   .outputs = {{"out", out}},
                   .cache_dir = folder_.path() / "cache"},
                  device);
    std::ostringstream text;
    text << std::ifstream(out).rdbuf();
    return text.str();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu"), gpu_;
  std::map<std::string, std::filesystem::path> files_;
};

TEST_F(ExecOnAGpu, WritesWhatTheCpuWritesInOneTreeAndInSeveral) {
  for (const std::string search : {"min_length=20,both_strands=yes", "min_length=14,mode=mumreference",
                                   "min_length=14,mode=mum,both_strands=yes"}) {
    const std::string expected = exec(*cpu_, "tree_words", "", search);
    EXPECT_GT(expected.size(), 100'000u);
    for (const std::string variant : {"tree_gpu", "tree_words_gpu"})
      for (const std::string point : {"result=slots", "result=matches,query_order=sorted"})
        for (const std::string split : {"", ",memory=1,longest_query=100"})
          EXPECT_TRUE(exec(*gpu_, variant, point, search + split) == expected)
              << variant << " " << point << " " << search << split;
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
