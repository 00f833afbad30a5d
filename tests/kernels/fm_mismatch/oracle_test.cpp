#include "kernels/fm_mismatch/oracle.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/fm_mismatch/small_texts.hpp"

namespace gpuseq::fm_mismatch {
namespace {

ByMismatches counted(const std::string& text, const std::string& letters, u32 most) {
  return count_by_trying(fm_index::testing::codes(text), letters, most);
}

TEST(MismatchOracle, CountsPlacesByTheLettersThatDiffer) {
  EXPECT_EQ(counted("GATTACA", "TA", 0), (ByMismatches{1, 0, 0}));
  EXPECT_EQ(counted("GATTACA", "TA", 1), (ByMismatches{1, 3, 0}));  // GA, TT, CA
  EXPECT_EQ(counted("GATTACA", "TA", 2), (ByMismatches{1, 3, 2}));
  EXPECT_EQ(counted("GATTACA", "GATTACA", 2), (ByMismatches{1, 0, 0}));
  EXPECT_EQ(counted("GATTACA", "GATTACAG", 2), (ByMismatches{0, 0, 0}));
  EXPECT_EQ(counted("GATTACA", "", 2), (ByMismatches{0, 0, 0}));
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
