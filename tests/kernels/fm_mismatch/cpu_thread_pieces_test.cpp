#include <gtest/gtest.h>

#include "kernels/fm_mismatch/problem.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/kernels/fm_index/threads/repeating_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Indexes whose lines and words threads make in shares, and queries that they search in shares: the oracle
// tries every place of the text.

namespace gpuseq::fm_mismatch {
namespace {

TEST(MismatchThreadPieces, EveryVariantFindsWhatTryingEveryPlaceFinds) {
  const TemporaryFolder folder;
  CpuDevice device;
  for (const u64 bases : {786'430, 786'432}) {  // 4096 lines of 192 rows, and one more
    const std::string text = fm_index::testing::repeating_text(bases);
    std::string reads;
    Random random(bases);
    for (u32 i = 0; i < 150; ++i) {
      std::string read = text.substr(random.below(text.size() - 30), 16 + i % 12);
      if (i % 3 == 0) read[i % read.size()] = 'T';
      reads += ">r\n" + read + "\n";
    }
    MismatchProblem problem({.point = Point::parse("reference=text,queries=reads,mismatches=1,strands=both"),
                             .files = {{"text", folder.write("text.fa", ">t\n" + text + "\n")},
                                       {"reads", folder.write("reads.fa", reads)}},
                             .seed = 1,
                             .cache_dir = {},
                             .threads = 3});
    for (const Variant& one : cpu_variants())
      for (const char* point : {"threads=3", "threads=3,prefix_symbols=7", "threads=1,prefix_symbols=8"}) {
        const auto session = prepare_as<MismatchSession>(problem, one, Point::parse(point), device);
        const Verification verification = session->verify();
        EXPECT_TRUE(verification.passed) << one.name << ' ' << point << ": " << verification.reason;
        EXPECT_EQ(verification.checked, 150u);
      }
  }
}

}  // namespace
}  // namespace gpuseq::fm_mismatch
