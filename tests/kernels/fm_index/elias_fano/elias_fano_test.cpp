#include <gtest/gtest.h>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/walk.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/elias_fano/elias_fano_cases.hpp"

namespace gpuseq::fm_index {
namespace {

using testing::elias_fano_layout;
using testing::for_each_elias_fano_index;
using testing::PsiCase;

TEST(EliasFano, TheWalkerFindsTheIntervalsOfBruteForce) {
  for (const std::string& text : testing::elias_fano_texts()) {
    const PsiCase given(text);
    for_each_elias_fano_index(text, [&](const Index& index) {
      EXPECT_LE(index.entries.size(), elias_fano_bytes_at_most(index.layout, index.view.rows, false));
      const Walker walker(index);
      for (std::size_t i = 0; i < given.queries.size(); ++i) {
        const auto found = walker.search(given.packed_words.data() + u64{given.begin[i]} * 4, given.bases[i]);
        ASSERT_TRUE(found.l == given.expected[i].l && found.h == given.expected[i].h)
            << "k=" << index.layout.k << " d=" << index.layout.d << ' ' << given.queries[i];
      }
    });
  }
}

TEST(EliasFano, PlacesAreQuotientsOfBucketsWhateverTheirNumber) {
  for (u32 buckets = 2; buckets <= 255; ++buckets) {
    const EliasFanoWord word{5, elias_fano_reciprocal(buckets), buckets, 0};
    const u32 last = (1u << 24) - 1;
    for (const u32 bucket :
         {0u, 1u, buckets - 1, buckets, last / buckets * buckets - 1, last / buckets * buckets, last}) {
      const EliasFanoPlace place = elias_fano_place(word, bucket * kBucketRows + 17);
      ASSERT_EQ(place.line, 5 + bucket / buckets) << bucket << " / " << buckets;
      ASSERT_EQ(place.bucket, bucket % buckets);
      ASSERT_EQ(place.low, 17u);
    }
  }
}

TEST(EliasFano, LinesHaveRoomForTheirBucketsAndSlots) {
  for (const u32 line_bytes : {64u, 128u})
    for (u32 d = 512; d <= 65280; d += 256) {
      const u32 slots = elias_fano_slots(line_bytes, d);
      ASSERT_GE(slots, kEliasFanoPointer + 4);
      ASSERT_EQ(slots % 4, 0u);
      ASSERT_LE(33 + d / 256 + 9 * slots, 8 * line_bytes) << d;
    }
}

TEST(EliasFano, TakesLessThanOneAndAHalfBytesABaseOfARandomText) {
  ThreadPool pool(1);
  const Bwt bwt = testing::bwt_of_letters(testing::random_letters(2'000'000, 3), pool, 1);
  const ColumnRank rank(bwt, pool);
  const auto bytes_a_base = [&](const Layout& layout) {
    return build_index(bwt, rank, layout, 0, pool).bits_per_base() / 8;
  };
  EXPECT_LT(bytes_a_base(elias_fano_layout(3, 2816, 64)), 1.52);
  EXPECT_LT(bytes_a_base(elias_fano_layout(3, 6144, 128)), 1.45);
  EXPECT_LT(bytes_a_base(elias_fano_layout(4, 22528, 128)), 1.52);
  EXPECT_LT(bytes_a_base(elias_fano_layout(4, 10240, 64)), 1.7);
}

TEST(EliasFano, LayoutsThatCannotBeAreRefusedWithWhatIsAllowed) {
  expect_text(why_invalid(elias_fano_layout(7, 10240, 64)));
  expect_text(why_invalid(elias_fano_layout(4, 10240, 32)));
  expect_text(why_invalid(elias_fano_layout(4, 10000, 64)));
  expect_text(why_invalid(elias_fano_layout(4, 65536, 64)));
  EXPECT_EQ(why_invalid(elias_fano_layout(4, 10240, 64)), "");
  EXPECT_THROW(require_elias_fano(u64{1} << 32), ResourceError);
}

}  // namespace
}  // namespace gpuseq::fm_index
