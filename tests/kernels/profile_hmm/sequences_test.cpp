#include "kernels/profile_hmm/data/sequences.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "kernels/profile_hmm/data/blast_header.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/random.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/profile_hmm/blast_files.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Files that hmmsearch 3.3.2 takes were found by running it on each, and its codes by reading them
// with Easel's esl_sqio_Read into digital sequences.

namespace gpuseq::profile_hmm {
namespace {

using testing::ber;
using testing::blast_header;
using testing::BlastFiles;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Codes = std::vector<u8>;

class ProfileHmmSequences : public ::testing::Test {
 protected:
  Sequences read(std::string_view content, u64 most = 0) const {
    return read_sequences(folder_.write("proteins.fasta", content), most);
  }
  Codes codes_of(std::string_view content) const { return read(content).codes; }
  void expect_refused(const std::filesystem::path& path) const {
    expect_error_text([&] { read_sequences(path); });
  }
  void expect_refused_fasta(std::string_view content) const {
    expect_refused(folder_.write("proteins.fasta", content));
  }
  TemporaryFolder folder_;
};

TEST_F(ProfileHmmSequences, CodesAreEaselsInEveryLetterThatFastaMayHave) {
  EXPECT_EQ(codes_of(">a\nACDEFGHIKLMNPQRSTVWYBJZOUX*~_.acdx\n"),
            (Codes{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                   17, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 20, 20, 0,  1,  2,  26}));
}

TEST_F(ProfileHmmSequences, RecordsAreThoseOfHmmsearch) {
  const Sequences sequences = read("\n>a first\nAC\n\n D\tE\r\n>b\n>  c second one\nF\n>d x\x01y z\nGH");
  EXPECT_THAT(sequences.names, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(sequences.begin, ElementsAre(0, 4, 4, 5, 7));
  EXPECT_EQ(sequences.codes, (Codes{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(sequences.count(), 4u);
  EXPECT_EQ(sequences.residues(), 7u);
  EXPECT_EQ(sequences.length(1), 0u);
  EXPECT_THAT(sequences.row(3), ElementsAre(5, 6));
  EXPECT_THAT(read(gzip(">a\nAC\n>b\nD\n")).names, ElementsAre("a", "b"));
  EXPECT_THAT(read(">a").begin, ElementsAre(0, 0));
}

TEST_F(ProfileHmmSequences, AreOnlySoManyWhenTold) {
  const std::string content = ">a\nAC\n>b\nD\n>c\nE1\n";
  EXPECT_THAT(read(content, 1).names, ElementsAre("a"));
  EXPECT_THAT(read(content, 2).names, ElementsAre("a", "b"));
  EXPECT_THROW(read(content, 3), UsageError);
}

TEST_F(ProfileHmmSequences, SayWhichLetterHmmsearchWouldRefuse) {
  for (const std::string letter : {"-", "1", "!", "@", "\x0b", "\xe9"})
    expect_refused_fasta(">a\nAC\n>b x\nDE\nF" + letter + "\n");
  expect_refused_fasta(">a\nAC>b\n");  // hmmsearch begins a record
  expect_refused_fasta(">a\nAC\n>\nAC\n");
  expect_refused_fasta("");
  expect_refused_fasta("ACDE\n");
  expect_refused_fasta("@a\nACDE\n+\nIIII\n");
  expect_refused(folder_.path() / "none.fasta");
}

TEST_F(ProfileHmmSequences, MayBeAsLongAsHmmsearchTakes) {
  EXPECT_EQ(read(">a\n" + std::string(kMostResidues, 'M') + "\n").residues(), kMostResidues);
  expect_refused_fasta(">a\nM\n>b\n" + std::string(kMostResidues + 1, 'M') + "\n");
}

TEST_F(ProfileHmmSequences, WrittenOnesAreReadAgain) {
  Sequences sequences;
  Codes all(kResidueCodes);
  for (u8 code = 0; code < kResidueCodes; ++code) all[code] = code;
  for (const std::size_t count : {0u, 1u, 59u, 60u, 61u, 500u}) {
    Codes codes;
    for (std::size_t i = 0; i < count; ++i) codes.push_back(all[i * 7 % kResidueCodes]);
    sequences.append("s" + std::to_string(count), codes);
  }
  std::ostringstream out;
  write_fasta(out, sequences);
  const Sequences again = read(out.str());
  EXPECT_EQ(again.names, sequences.names);
  EXPECT_EQ(again.begin, sequences.begin);
  EXPECT_EQ(again.codes, sequences.codes);
  for (std::istringstream lines(out.str()); !lines.eof();) {
    std::string line;
    std::getline(lines, line);
    EXPECT_LE(line.size(), 60u);
  }
}

TEST_F(ProfileHmmSequences, OfABlastVolumeHaveItsResiduesAndNames) {
  std::string all;
  for (char code = 0; code < 28; ++code) all += code;
  const BlastFiles files({blast_header("one GO:1"), blast_header("two", "", true), blast_header("")},
                         {all, std::string("\x0c\x01"), ""});
  const Sequences sequences = read_sequences(files.write(folder_));
  EXPECT_THAT(sequences.names, ElementsAre("one", "two", "2"));
  EXPECT_THAT(sequences.begin, ElementsAre(0, 28, 30, 30));
  Codes expected;
  for (const char letter : std::string("-ABCDEFGHIKLMNPQRSTVWXYZU*OJMA"))
    expected.push_back(static_cast<u8>(kResidueLetters.find(letter)));
  EXPECT_EQ(sequences.codes, expected);
  EXPECT_THAT(read_sequences(files.write(folder_), 2).names, ElementsAre("one", "two"));
}

TEST_F(ProfileHmmSequences, OfABlastVolumeAreNamedByTheirIdentifiers) {
  const auto text = [](u8 kind, const std::string& fields) { return ber(kind, ber(0x30, fields)); };
  const std::string name = ber(0xa0, ber(0x1a, "HBB_HUMAN")), accession = ber(0xa1, ber(0x1a, "P68871"));
  const std::string gi = ber(0xab, ber(0x02, "\x01"));
  EXPECT_EQ(name_of_blast_header(blast_header("Hemoglobin", text(0xa7, name + accession))), "HBB_HUMAN");
  EXPECT_EQ(name_of_blast_header(blast_header("Hemoglobin", gi + text(0xa4, accession), true)), "P68871");
  EXPECT_EQ(name_of_blast_header(blast_header("x", ber(0xa0, ber(0xa1, ber(0x1a, "local 1"))))), "local_1");
  EXPECT_EQ(name_of_blast_header(blast_header("x", ber(0xa0, ber(0xa0, ber(0x02, "\x01\x02"))))), "258");
  EXPECT_EQ(name_of_blast_header(blast_header("x", text(0xae, ber(0xa0, ber(0x1a, "1ABC"))))), "1ABC");
  EXPECT_EQ(name_of_blast_header(blast_header(std::string(300, 't') + " more", gi)), std::string(300, 't'));
  EXPECT_EQ(name_of_blast_header(blast_header("")), "");
  EXPECT_EQ(name_of_blast_header(""), "");
  for (const bool definite : {false, true}) {  // there is nothing behind the header
    EXPECT_EQ(name_of_blast_header(blast_header("x", "", definite) + "\x30"), "x");
    EXPECT_EQ(name_of_blast_header(blast_header("", "", definite) + blast_header("other")), "");
  }
}

TEST_F(ProfileHmmSequences, OfABlastVolumeThatDoesNotFitTogetherAreRefused) {
  const std::vector<std::string> headers{blast_header("one"), blast_header("two")},
      residues{"\x01\x03", "\x04"};
  const BlastFiles good(headers, residues);
  const auto expect = [&](const BlastFiles& files) { expect_refused(files.write(folder_)); };
  expect(BlastFiles(headers, residues, 5));
  expect(BlastFiles(headers, residues, 4, 0));
  expect(BlastFiles(headers, {"\x01\x1c", "\x04"}));
  expect(BlastFiles(headers, {std::string(kMostResidues + 1, '\1'), "\x04"}));
  BlastFiles files = good;
  files.psq.pop_back();
  expect(files);
  files = good;
  files.phr.pop_back();
  expect(files);
  files = good;
  files.psq[3] = 1;
  expect(files);
  files = good;
  files.phr[1] = 0x7f;  // longer than the header
  expect(files);
  for (std::size_t size = 0; size < good.pin.size(); ++size) {
    files = good;
    files.pin.resize(size);
    EXPECT_THROW(read_sequences(files.write(folder_)), UsageError);
  }
  files = good;
  files.pin.replace(files.pin.size() - 12, 4, testing::big_endian(9));
  expect(files);
  good.write(folder_);
  std::filesystem::remove(folder_.path() / "volume.phr");
  expect_refused(folder_.path() / "volume.psq");
}

/// Records of many shapes, so many that several threads read them.
std::string large_fasta() {
  constexpr std::size_t kBytes = 3 << 20;
  Random random(7);
  std::string text = "\n\r\n";
  for (u64 number = 1; text.size() < kBytes; ++number) {
    text += ">  protein" + std::to_string(number) + (number % 3 == 0 ? " of a kind\x01nr another" : "");
    text += number % 5 == 0 ? "\r\n" : "\n";
    for (u64 line = random.below(9); line > 0; --line) {
      for (u64 letter = random.below(80); letter > 0; --letter)
        text += "ACDEFGHIKLMNPQRSTVWYacX*_ \t"[random.below(25)];
      text += line % 4 == 0 ? "\r\n" : line % 7 == 0 ? "\n\n" : "\n";
    }
  }
  return text;
}

TEST_F(ProfileHmmSequences, OfALargeFileAreReadByThreadsAsTheyAreInOrder) {
  const std::string text = large_fasta();
  const Sequences by_threads = read(text), in_order = read(gzip(text));
  ASSERT_GT(by_threads.count(), 5000u);
  EXPECT_EQ(by_threads.names, in_order.names);
  EXPECT_EQ(by_threads.begin, in_order.begin);
  EXPECT_EQ(by_threads.codes, in_order.codes);
  EXPECT_EQ(read(text, 17).count(), 17u);
}

/// Headers, line ends and letters at the borders of pieces, and files of one byte less than threads read.
TEST_F(ProfileHmmSequences, OfALargeFileAreTheSameWhateverLiesAtTheBordersOfPieces) {
  constexpr std::size_t kPiece = 256 << 10;
  for (const std::size_t bytes : {4 * kPiece - 1, 4 * kPiece, 4 * kPiece + 1, 5 * kPiece + 2})
    for (std::size_t shift = 0; shift < 6; ++shift) {
      std::string text = ">first\r\n";
      for (std::size_t piece = 1; text.size() < bytes; ++piece) {
        const std::size_t border = std::min(piece * kPiece + shift - 3, bytes - 12);
        for (std::size_t letters = 1; text.size() < border; ++letters)
          if (letters % 50'000 == 0 && text.size() + 10 < border)
            text += "\n>more\n";  // no record may be too long
          else
            text += letters % 61 == 0 ? '\n' : "ACDEFGHIKL"[letters % 10];
        text += fmt::format("\r\n>p{} x\r\nMK\r\n", piece).substr(0, bytes - text.size());
      }
      ASSERT_EQ(text.size(), bytes);
      if (text.back() == '>') text.back() = '\n';
      const Sequences by_threads = read(text), in_order = read(gzip(text));
      ASSERT_EQ(by_threads.names, in_order.names) << bytes << ' ' << shift;
      EXPECT_EQ(by_threads.begin, in_order.begin) << bytes << ' ' << shift;
      EXPECT_TRUE(by_threads.codes == in_order.codes) << bytes << ' ' << shift;
    }
}

TEST_F(ProfileHmmSequences, OfALargeFileAreRefusedWithTheirLinesAndRecords) {
  const std::string sound = large_fasta();
  const auto refusal = [&](const std::string& text) -> std::string {
    try {
      read(text);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const std::size_t about : {std::size_t{0}, sound.size() / 3, sound.size() - 4000}) {
    const std::size_t header = sound.find("\n>", about) + 1, letters = sound.find('\n', header) + 1;
    for (const auto& [at, wrong] :
         {std::pair(letters, "!"), std::pair(letters, "A>"), std::pair(header + 1, "\a")}) {
      const std::string text = sound.substr(0, at) + wrong + sound.substr(at);
      EXPECT_THAT(refusal(text), HasSubstr("record")) << at << wrong;
      EXPECT_EQ(refusal(text), refusal(gzip(text))) << at << wrong;
    }
  }
  expect_text(refusal(sound + ">\nAC\n"));
  expect_text(refusal(std::string(2 << 20, '\n')));
  expect_text(refusal("@a\nAC\n+\nII\n" + sound));
}

TEST(ProfileHmmSequencesOfSwissProt, AreThoseThatEaselReadsOfTheVolume) {
  const std::filesystem::path volume = "/usr/share/metastudent-data/dataset_201401/BPO/goasp.fasta.psq";
  if (!std::filesystem::exists(volume)) GTEST_SKIP() << "package metastudent-data is not installed";
  const Sequences sequences = read_sequences(volume);
  EXPECT_EQ(sequences.count(), 486'000u);
  EXPECT_EQ(sequences.residues(), 178'226'192u);
  EXPECT_THAT(sequences.names.front(), HasSubstr("B0RED7|GO:0006200"));
  EXPECT_THAT(sequences.names.back(), HasSubstr("Q9JHR9|GO:0000122"));
  EXPECT_EQ(Hash().update(std::span<const u8>(sequences.codes)).hex16(), "f819ea8c15a0bffd");
}

}  // namespace
}  // namespace gpuseq::profile_hmm
