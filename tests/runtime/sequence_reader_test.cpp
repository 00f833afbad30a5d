#include "runtime/io/sequence_reader.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SequenceReaderTest : public testing::Test {
 protected:
  std::vector<Sequence> read(std::string_view content, const SequenceReadOptions& options = {}) const {
    return read_sequences(folder_.write("input", content), options);
  }
  void expect_refused(std::string_view content) const {
    expect_error_text([&] { read(content); });
  }
  TemporaryFolder folder_;
};

TEST_F(SequenceReaderTest, JoinsTheLinesOfFastaAndKeepsCase) {
  const auto sequences = read(">chr1 first  one\nACGT\nacgtN\n\n>chr2\t \nRYK\n");
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[0].name, "chr1");
  EXPECT_EQ(sequences[0].description, "first  one");
  EXPECT_EQ(sequences[0].sequence, "ACGTacgtN");
  EXPECT_EQ(sequences[0].line, 1u);
  EXPECT_EQ(sequences[1].name, "chr2");
  EXPECT_EQ(sequences[1].description, "");
  EXPECT_EQ(sequences[1].sequence, "RYK");
  EXPECT_EQ(sequences[1].line, 5u);
}

TEST_F(SequenceReaderTest, ReadsFastqRecordByRecord) {
  SequenceReader reader(folder_.write("reads.fq", "@r1 x\nACGT\n+\nII!~\n@r2\nA\n+r2\n@"));
  EXPECT_TRUE(reader.is_fastq());
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "r1");
  EXPECT_EQ(first->quality, "II!~");
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->quality, "@");
  EXPECT_EQ(second->line, 5u);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST_F(SequenceReaderTest, TakesCrlfAndAMissingLastLineEnd) {
  const auto fasta = read("\r\n>a\r\nAC\r\nGT");
  ASSERT_EQ(fasta.size(), 1u);
  EXPECT_EQ(fasta[0].sequence, "ACGT");
  const auto fastq = read("@a b\r\nAC\r\n+\r\nII\r\n\r\n");
  ASSERT_EQ(fastq.size(), 1u);
  EXPECT_EQ(fastq[0].description, "b");
  EXPECT_EQ(fastq[0].quality, "II");
}

TEST_F(SequenceReaderTest, ReadsGzipOfSeveralMembersWhateverTheFileIsCalled) {
  const auto sequences = read(gzip(">a\nAC") + gzip("") + gzip("GT\n>b\nTT\n"));
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[0].sequence, "ACGT");
  EXPECT_EQ(sequences[1].sequence, "TT");
}

TEST_F(SequenceReaderTest, ReadsLinesLongerThanItsBuffers) {
  const std::string letters(3'000'000, 'G');
  for (const std::string& content : {">a\n" + letters + "\nA\n", gzip(">a\n" + letters + "\nA\n")}) {
    const auto sequences = read(content);
    ASSERT_EQ(sequences.size(), 1u);
    EXPECT_EQ(sequences[0].sequence, letters + "A");
  }
}

TEST_F(SequenceReaderTest, ReadsAPipeThatDeliversByteByByte) {
  const fs::path pipe = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string content = gzip(">a\nACGT\n");
  std::jthread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    for (const char byte : content) out.put(byte).flush();
  });
  const auto sequences = read_sequences(pipe);
  ASSERT_EQ(sequences.size(), 1u);
  EXPECT_EQ(sequences[0].sequence, "ACGT");
}

TEST_F(SequenceReaderTest, NameIsTheFirstWordOfAHeader) {
  for (const std::string blanks : {" ", "\t", " \t  "}) {
    const auto fasta = read(">" + blanks + "a" + blanks + "first  one \nAC\n>" + blanks + "\nG\n");
    ASSERT_EQ(fasta.size(), 2u);
    EXPECT_EQ(fasta[0].name, "a");
    EXPECT_EQ(fasta[0].description, "first  one ");
    EXPECT_EQ(fasta[1].name, "");
    EXPECT_EQ(read("@" + blanks + "r x\nAC\n+" + blanks + "r x\nII\n")[0].name, "r");
  }
}

TEST_F(SequenceReaderTest, CountsRecordsWithoutALetter) {
  for (const std::string content : {">a\n>b\nAC\n>c", "@a\n\n+\n\n@b\nAC\n+\nII\n@c\n\n+\n\n"})
    for (const bool skip : {false, true}) {
      SequenceReader reader(folder_.write("input", content), {.skip_empty_sequences = skip});
      std::string names;
      for (Sequence record; reader.next(record);) names += record.name;
      EXPECT_EQ(names, skip ? "b" : "abc") << content;
      EXPECT_EQ(reader.empty_records(), 2u);
      EXPECT_EQ(reader.position().records, 3u);
    }
}

/// Programs that trim reads write them, and others cut blank lines off the end of a file.
TEST_F(SequenceReaderTest, AnEmptyReadMayLackItsQuality) {
  const std::string good = "@a\nAC\n+\nII\n";
  for (const std::string end : {"\n\n+\n\n", "\n\n+\n", "\n\n+", "\r\n\r\n+\r\n"})
    for (const std::string behind : {"", "@c\nG\n+\n@\n"}) {
      if (!behind.empty() && !end.ends_with('\n')) continue;
      const auto reads = read(good + "@b" + end + behind);
      ASSERT_EQ(reads.size(), behind.empty() ? 2u : 3u);
      EXPECT_EQ(reads[1].name, "b");
      EXPECT_EQ(reads[1].sequence + reads[1].quality, "");
      EXPECT_EQ(reads.back().sequence, behind.empty() ? "" : "G");
    }
  expect_refused(good + "@b\n\n+\nI\n");
  expect_refused(good + "@b\n+\nII\n");
  expect_refused(good + "@b\n\n");
}

TEST_F(SequenceReaderTest, LeavesOutBlankLinesAndBlanksAtLineEnds) {
  const auto fasta = read(" \n\t\r\n>a \n \nAC \nGT\t \r\n\n \n>b\nG\n \n");
  ASSERT_EQ(fasta.size(), 2u);
  EXPECT_EQ(fasta[0].sequence, "ACGT");
  EXPECT_EQ(fasta[1].sequence, "G");
  EXPECT_EQ(read("\n@a\nAC\n+\nII\n \n@b\nG\n+\nI\n\t\n").size(), 2u);
  expect_refused(">a\n AC\n");
}

TEST_F(SequenceReaderTest, LeavesOutAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& content : {mark + ">a\nAC\n", gzip(mark + ">a\nAC\n"), mark + "\n>a\nAC\n"}) {
    const auto sequences = read(content);
    ASSERT_EQ(sequences.size(), 1u);
    EXPECT_EQ(sequences[0].name + " " + sequences[0].sequence, "a AC");
  }
  expect_refused(mark);
  expect_refused(gzip(mark));
  expect_refused(">a\n" + mark + "AC\n");
}

TEST_F(SequenceReaderTest, ReadsOtherAlphabetsWhenTold) {
  EXPECT_EQ(read(">p\nMKV*-x\n", {.alphabet = "ACDEFGHIKLMNPQRSTVWXY*-"})[0].sequence, "MKV*-x");
  EXPECT_THROW(read(">p\nACGTN\n", {.alphabet = "ACGT"}), UsageError);
}

TEST_F(SequenceReaderTest, LeavesOutWhatIsToBeIgnoredBetweenLetters) {
  const SequenceReadOptions options{.ignored = " \t"};
  EXPECT_EQ(read(">p\nAC GT\n \t\n\tAA \n", options)[0].sequence, "ACGTAA");
  EXPECT_EQ(read(">p\n \n", options)[0].sequence, "");
  EXPECT_THROW(read(">p\nAC GT\n"), UsageError);
  expect_error_text([&] { read(">p\n A C*\n", options); });
}

TEST_F(SequenceReaderTest, EndsHeadersWhereTold) {
  const auto sequences = read(
      ">a one\x01"
      "b two\x02\nAC\n",
      {.header_end = '\x01'});
  EXPECT_EQ(sequences[0].name, "a");
  EXPECT_EQ(sequences[0].description, "one");
  expect_refused(
      ">a one\x01"
      "b two\nAC\n");
}

TEST_F(SequenceReaderTest, SaysWhereAFastaFileIsMalformed) {
  expect_refused("ACGT\n");
  expect_refused(">a\nAC\n>b x\nACGT\nAC*T\n");
  expect_refused(">a\nA C\n");
  expect_refused(">a\nA-C\n");
  expect_refused(std::string_view(">a\nA\0C\n", 7));
  expect_refused(std::string_view(">a\0b\nAC\n", 8));
  expect_refused(">a\rACGT\r");
  expect_refused(">a\nAC\n@b\nAC\n");
}

TEST_F(SequenceReaderTest, SaysWhereAFastqFileIsMalformed) {
  const std::string good = "@a\nAC\n+\nII\n";
  expect_refused(good + ">b\nAC\n+\nII\n");
  expect_refused(good + "@b\nAC\nGT\n+\nIIII\n");
  expect_refused(good + "@b\nAC\n+\nIII\n");
  expect_refused(good + "@b\nAC\n+c\nII\n");
  expect_refused(good + "@b\nAC\n+\nI \n");
  expect_refused(good + "@b\nAC\n+\nI\x80\n");
  expect_refused(good + "@b");
  expect_refused(good + "@b\nAC\n");
  expect_refused(good + "@b\nAC\n+");
}

TEST_F(SequenceReaderTest, SaysThatAFileIsEmptyMissingOrAFolder) {
  expect_refused("");
  expect_refused("\n\r\n");
  expect_refused(gzip(""));
  expect_error_text([&] { read_sequences(folder_.path() / "none.fa"); });
  expect_error_text([&] { read_sequences(folder_.path()); });
  EXPECT_THROW(read_sequences("/proc/self/mem"), UsageError);
}

TEST_F(SequenceReaderTest, SaysThatGzipDataAreDamagedOrTruncated) {
  std::string content = ">a\n";
  for (int i = 0; i < 5000; ++i) content += "ACGT"[(i * i / 7) % 4];
  const std::string good = gzip(content);
  expect_refused(good.substr(0, good.size() / 2));
  expect_refused(good.substr(0, good.size() - 4));
  expect_refused(good.substr(0, 3));
  const std::string small = gzip(">a\n");
  std::string damaged = small;
  damaged[damaged.size() - 6] ^= 1;  // its checksum
  expect_refused(damaged);
  expect_refused(small + "tail");
  expect_refused(small + std::string(3, '\0') + "tail");
  expect_refused(good + "\x1f\x8b");
}

/// Tapes and block devices are filled up with them.
TEST_F(SequenceReaderTest, ZeroBytesBehindGzipDataAreIgnored) {
  for (const std::size_t zeros : {1u, 512u, 200'000u}) {
    const std::string pad(zeros, '\0');
    EXPECT_EQ(read(gzip(">a\nAC\n") + pad)[0].sequence, "AC");
    const auto sequences =
        read(gzip(">a\nAC\n") + pad + gzip("GT\n") + gzip("") + pad + gzip(">b\nG\n") + pad);
    ASSERT_EQ(sequences.size(), 2u);
    EXPECT_EQ(sequences[0].sequence, "ACGT");
    EXPECT_EQ(sequences[1].sequence, "G");
  }
}

TEST(SequenceReaderOnRealData, ReadsTheEcoliGenomeOfBowtieExamples) {
  const fs::path genome = "/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz";
  if (!fs::exists(genome)) GTEST_SKIP() << "package bowtie-examples is not installed";
  const auto sequences = read_sequences(genome);
  ASSERT_EQ(sequences.size(), 1u);
  EXPECT_EQ(sequences[0].sequence.size(), 4'938'920u);
  EXPECT_THAT(sequences[0].name, HasSubstr("NC_008253"));
}

}  // namespace
}  // namespace gpuseq
