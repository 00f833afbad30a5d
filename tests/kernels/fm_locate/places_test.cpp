#include "kernels/fm_locate/data/places.hpp"

#include <gtest/gtest.h>

#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_locate {
namespace {

class Places : public ::testing::Test {
 protected:
  std::string place(u64 position, u64 bases) const {
    const auto found = place_of(reference_, position, bases);
    return found ? std::to_string(found->record) + ":" + std::to_string(found->offset) : "none";
  }

  TemporaryFolder folder_;
  // The text: AC GT | GG | A, of which the first record has three fragments.
  fm_index::Reference reference_ =
      fm_index::read_reference(folder_.write("r.fa", ">first of all\nACNNG\nTRGGN\n>n\nNNN\n>last\nNA\n"), 0);
};

TEST_F(Places, AreInTheRecordsWithTheirOtherLetters) {
  EXPECT_EQ(reference_.names, (std::vector<std::string>{"first", "n", "last"}));
  EXPECT_EQ(place(0, 1), "0:0");
  EXPECT_EQ(place(1, 1), "0:1");
  EXPECT_EQ(place(2, 2), "0:4");
  EXPECT_EQ(place(3, 1), "0:5");
  EXPECT_EQ(place(4, 2), "0:7");
  EXPECT_EQ(place(5, 1), "0:8");
  EXPECT_EQ(place(6, 1), "2:1");
}

TEST_F(Places, AcrossAJoinAreNone) {
  EXPECT_EQ(place(0, 2), "0:0");
  EXPECT_EQ(place(0, 3), "none");  // over Ns
  EXPECT_EQ(place(3, 2), "none");  // over an R
  EXPECT_EQ(place(5, 2), "none");  // over records
  EXPECT_EQ(place(1, 6), "none");
  EXPECT_EQ(place(6, 2), "none");  // over the end
}

TEST_F(Places, OfAReferenceThatIsCutAreThoseOfItsStart) {
  reference_ = fm_index::read_reference(folder_.write("s.fa", ">a\nACNNG\n>b\nTTT\n"), 4);
  EXPECT_EQ(place(3, 1), "1:0");
  EXPECT_EQ(reference_.fragments.size(), 3u);
}

}  // namespace
}  // namespace gpuseq::fm_locate
