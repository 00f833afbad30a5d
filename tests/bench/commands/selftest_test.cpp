#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;

TEST(Selftest, NamesWrongAnswersCrashesAndHangs) {
  const Scratch scratch;
  Program program(scratch, {"selftest", "--device", "cpu", "--timeout", "2s"});
  EXPECT_EQ(program.wait(), 1) << program.err();
  expect_text(program.out());
}

}  // namespace
}  // namespace gpuseq::bench
