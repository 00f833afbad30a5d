#include <gtest/gtest.h>

#include "kernels/profile_hmm/data/model.hpp"
#include "kernels/profile_hmm/data/sequences.hpp"
#include "tests/runtime/endless_input.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Time in the square of the records would be hours.
TEST(ProfileHmmLargeFiles, OfManyRecordsAreRead) {
  constexpr u64 kRecords = 1'000'000;
  std::string text;
  for (u64 i = 0; i < kRecords; ++i) text += ">a\nM\n";
  const TemporaryFolder folder;
  EXPECT_EQ(read_sequences(folder.write("many.fa", text)).count(), kRecords);
}

TEST(ProfileHmmLargeFiles, OfSequencesWithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  for (const char* unit : {"MKVLAAGIVGLCAKAYLDEPMKVLAAGIVGLCAKAYLDEP\n", ">a\nMKVLAAGI\n", "A"}) {
    const auto path = endless_file(folder, ">start\nA\n", unit);
    expect_does_not_fit([&] { read_sequences(path); });
  }
}

/// A plain file is read by threads: no part of it takes much.
TEST(ProfileHmmLargeFiles, OfMoreSequencesThanMemoryHoldsAreRefused) {
  constexpr u64 kRecords = 12'000'000;
  std::string text;
  text.reserve(kRecords * 5);
  for (u64 i = 0; i < kRecords; ++i) text += ">a\nM\n";
  const TemporaryFolder folder;
  const auto path = folder.write("many.fa", text);
  text = {};
  expect_does_not_fit([&] { read_sequences(path); });
}

TEST(ProfileHmmLargeFiles, OfModelsWithoutAnEndAreRefused) {
  const TemporaryFolder folder;
  const auto path = endless_file(folder, "HMMER3/f\nNAME ", "x");
  expect_does_not_fit([&] { read_models(path); });
}

}  // namespace
}  // namespace gpuseq::profile_hmm
