#include "kernels/exact_match/data/query_blocks.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/mutate.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Queries read with several threads are those that one reader reads, errors too.

namespace gpuseq::exact_match {
namespace {

/// The queries of a file, and the error that ended reading.
struct Outcome {
  std::vector<std::string> names;
  std::vector<u8> letters;
  std::string error;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << outcome.names.size() << " queries, " << outcome.letters.size() << " letters, error: \""
             << outcome.error << '"';
}

template <typename Next>
Outcome all_of(const Next& next) {
  Outcome outcome;
  try {
    for (Queries queries = next(); queries.count() > 0; queries = next()) {
      outcome.names.insert(outcome.names.end(), queries.names.begin(), queries.names.end());
      for (u64 query = 0; query < queries.count(); ++query) {
        const auto codes = queries.codes(query);
        outcome.letters.insert(outcome.letters.end(), codes.begin(), codes.end());
        outcome.letters.push_back(kNoBase);
      }
    }
  } catch (const UsageError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome by_one_reader(const std::filesystem::path& file) {
  try {
    QueryReader reader(file);
    return all_of([&] { return reader.next(1); });
  } catch (const UsageError& error) {
    return {.names = {}, .letters = {}, .error = error.what()};
  }
}

Outcome by_threads(const std::filesystem::path& file, int threads, u64 piece_bytes, u64 ahead = 0) {
  QueryBlocks blocks(file,
                     {.threads = threads, .piece_bytes = piece_bytes, .ahead = ahead, .letters_in_order = 1});
  return all_of([&] { return blocks.next(); });
}

class QueryBlocksTest : public ::testing::Test {
 protected:
  /// @returns the result of one reader
  Outcome compare(const std::string& content, u64 piece_bytes, int threads = 2) {
    const auto file = folder_.write("queries", content);
    Outcome expected = by_one_reader(file);
    const Outcome found = by_threads(file, threads, piece_bytes);
    EXPECT_EQ(found.error, expected.error) << "pieces of " << piece_bytes;
    if (expected.error.empty()) {
      EXPECT_EQ(found, expected) << "pieces of " << piece_bytes;
    } else {
      // The block with the error is not given; the given part is the beginning.
      EXPECT_LE(found.names.size(), expected.names.size());
      expected.names.resize(found.names.size());
      expected.letters.resize(found.letters.size());
      EXPECT_EQ(found.names, expected.names);
      EXPECT_EQ(found.letters, expected.letters);
    }
    return expected;
  }

  TemporaryFolder folder_;
};

const std::string kFasta =
    "\n\r\n>a one\nACGTN\nGGTCA\n>b\n>c\r\nAcgtryACG\r\n\r\n>\nTTGACCA\n\n>d x\n\nAC\nGT\nAC>GT\n";
const std::string kFastq =
    "\n@a "
    "one\nACGTN\n+\n@III@\n@b\n\n+\n\n\n@c\r\nTTGACCA\r\n+c\r\n@+IIIII\r\n\r\n@d\nAC\n+\n+@\n@e\nACG\n+\n@@@"
    "\n";

TEST_F(QueryBlocksTest, ReadsWhatOneReaderReadsWhereverTheFileIsCut) {
  for (u64 bytes = 1; bytes < 100; ++bytes) {
    const std::string fasta = kFasta.substr(0, kFasta.size() - 6);  // without the '>' in a sequence
    EXPECT_EQ(compare(fasta, bytes).error, "");
    EXPECT_EQ(compare(gzip(fasta), bytes).names.size(), 5u);
    EXPECT_EQ(compare(kFastq, bytes).names.size(), 5u);
    EXPECT_EQ(compare(gzip(kFastq), bytes, 3).error, "");
    compare(kFasta, bytes);
  }
  expect_text(compare(kFasta, 100).error);
}

TEST_F(QueryBlocksTest, NamesTheRecordAndTheLineOfAnErrorFarBehind) {
  std::string fasta, fastq;
  for (int i = 0; i < 5000; ++i) {
    fasta += fmt::format(">r{}\nACGTAC\nGT\n", i);
    fastq += fmt::format("@r{}\nACGTACGT\n+\n@IIIIIII\n", i);
  }
  for (const u64 bytes : {100u, 70000u, 1000000u}) {
    EXPECT_EQ(compare(fasta, bytes).names.size(), 0u + 5000);
    EXPECT_EQ(compare(fastq, bytes).error, "");
  }
  const std::string packed = gzip(fastq);
  for (const std::string& malformed : {fasta + ">bad\nAC-T\n" + fasta, fastq + "@bad\nACT\n+\nII\n" + fastq,
                                       fastq + "@bad\nACT\n", packed.substr(0, packed.size() / 2)}) {
    for (const u64 bytes : {100u, 70000u}) compare(malformed, bytes);
    expect_text(compare(malformed, 1000000).error);
  }
}

TEST_F(QueryBlocksTest, GoesOnInOneStreamWhereAQualityLooksLikeARecord) {
  // Not FASTQ as others write it, but four lines per record: cut behind "+", the '@' line is taken for a
  // header.
  std::string fastq;
  for (int i = 0; i < 200; ++i) fastq += fmt::format("@r{}\nACGT\n+\n@III\n\n\n+AC\n", i);
  EXPECT_NE(compare(fastq, 10).error, "");
  fastq.clear();
  for (int i = 0; i < 200; ++i) fastq += fmt::format("@r{}\n\n+\n\n@+\n\n+\n\n", i);
  EXPECT_EQ(compare(fastq, 7).names.size(), 400u);
}

TEST_F(QueryBlocksTest, ReadsRecordsThatAreLongerThanPieces) {
  Random random(3);
  std::string fasta, fastq;
  for (const std::size_t length : {10u, 300000u, 5u, 90000u}) {
    const std::string letters = testing::random_letters(random, length, "ACGTN");
    fasta += ">long\n" + testing::folded(letters);
    fastq += "@long\n" + letters + "\n+\n" + std::string(length, '@') + "\n";
  }
  for (const u64 bytes : {1u, 1000u, 65536u, 200000u}) {
    EXPECT_EQ(compare(fasta, bytes).names.size(), 4u);
    EXPECT_EQ(compare(fastq, bytes).names.size(), 4u);
    EXPECT_EQ(compare(gzip(fastq), bytes).names.size(), 4u);
  }
}

TEST_F(QueryBlocksTest, WaitsForWhoTakesTheBlocksAndMayBeLeftBefore) {
  std::string fasta;
  for (int i = 0; i < 2000; ++i) fasta += fmt::format(">r{}\nACGT\n", i);
  const auto file = folder_.write("queries", fasta);
  EXPECT_EQ(by_threads(file, 3, 50, 1), by_one_reader(file));
  QueryBlocks blocks(file, {.threads = 3, .piece_bytes = 50});
  EXPECT_GT(blocks.next().count(), 0u);
}

TEST_F(QueryBlocksTest, EveryMutationOfAFileIsReadOrRefusedAsByOneReader) {
  Random random(77);
  int read = 0, refused = 0;
  for (int i = 0; i < 1200; ++i) {
    std::string content = random.below(2) == 0 ? kFasta.substr(0, kFasta.size() - 6) : kFastq;
    if (random.below(3) == 0) content += content;
    gpuseq::testing::mutate(random, ">@+\n\r \tNacgtX-*", content, 4);
    if (random.below(4) == 0) {
      content = gzip(content);
      if (random.below(2) == 0) gpuseq::testing::mutate(random, "\x1f\x8b", content, 2);
    }
    const u64 bytes = 1 + random.below(random.below(2) == 0 ? 30 : 200);
    (compare(content, bytes, 1 + static_cast<int>(random.below(3))).error.empty() ? read : refused) += 1;
    if (HasFailure()) FAIL() << i << ":\n" << content;
  }
  EXPECT_GT(read, 120);
  EXPECT_GT(refused, 120);
}

TEST_F(QueryBlocksTest, AnyBytesAreReadOrRefusedAsByOneReader) {
  Random random(78);
  const std::string telling = ">@+\n\n\n\r\nAC \t";
  for (int i = 0; i < 1200; ++i) {
    std::string content(random.below(60), '\0');
    for (char& byte : content)
      byte = random.below(12) == 0 ? static_cast<char>(random.below(256))
                                   : telling[random.below(telling.size())];
    if (random.below(2) == 0) content = (random.below(2) == 0 ? ">" : "@") + content;
    compare(content, 1 + random.below(20), 1 + static_cast<int>(random.below(2)));
    if (HasFailure()) FAIL() << i << ":\n" << content;
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
