#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/io/json_text.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/source_dir.hpp"

// `machine` as a process, on runs that are finished.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class MachineCommand : public ::testing::Test {
 protected:
  /// A copy of a committed run, which the card is written into.
  fs::path copied(const std::string& run) const {
    const fs::path dir = scratch_ / run;
    fs::create_directory(dir);
    for (const char* file : {"records.jsonl", "run.json"})
      fs::copy(source_dir() / "results" / run / file, dir / file);
    return dir;
  }
  Scratch scratch_;
};

TEST_F(MachineCommand, WritesTheCardOfARunBesideItsRecordsAndPrintsIt) {
  const fs::path dir = copied("h100-instructions");
  const Result result = result_of(scratch_, "machine", {dir});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("cuda:0: NVIDIA H100"));
  EXPECT_THAT(result.out, HasSubstr((dir / "machine.json").string()));
  const nlohmann::json card = read_json(dir / "machine.json");
  EXPECT_EQ(card["schema_version"], 1);
  EXPECT_TRUE(card["devices"].contains("cuda:0"));
}

TEST_F(MachineCommand, RefusesWhatIsNoRunWithProbes) {
  const Result nothing = result_of(scratch_, "machine", {scratch_ / "none"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("has no records.jsonl; allowed: the folder of a run"));
  const fs::path dir = scratch_ / "empty";
  fs::create_directory(dir);
  scratch_.write("empty/records.jsonl", "");
  const Result empty = result_of(scratch_, "machine", {dir});
  EXPECT_EQ(empty.code, 2);
  EXPECT_THAT(empty.err, HasSubstr("found no record of a probe"));
  EXPECT_FALSE(fs::exists(dir / "machine.json"));
  EXPECT_EQ(result_of(scratch_, "machine", {"--effort", "great"}).code, 2);
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv);
}
