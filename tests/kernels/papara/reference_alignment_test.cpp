#include "kernels/papara/data/reference_alignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

class Alignments : public ::testing::Test {
 protected:
  ReferenceAlignment read(std::string_view content) const {
    return read_alignment(folder_.write("rows", content), Alphabet::dna);
  }
  /// The message without the file's name.
  std::string error(std::string_view content) const {
    try {
      read(content);
    } catch (const UsageError& usage) {
      const std::string message = usage.what(), file = (folder_.path() / "rows").string();
      EXPECT_THAT(message, StartsWith(file));
      return message.substr(file.size());
    }
    return "read";
  }

  TemporaryFolder folder_;
};

TEST_F(Alignments, OfFastaJoinLinesAndKeepLetters) {
  const ReferenceAlignment alignment = read("\n>one first\nACgt\r\n-.\n\n> two\tsecond\nNNRY?X\n");
  EXPECT_THAT(alignment.names, ElementsAre("one", "two"));
  EXPECT_THAT(alignment.rows, ElementsAre("ACgt-.", "NNRY?X"));
  EXPECT_THAT(alignment.lines, ElementsAre(2u, 6u));
  EXPECT_EQ(alignment.sites(), 6u);
  EXPECT_EQ(alignment.place, (folder_.path() / "rows").string());
}

TEST_F(Alignments, OfPhylipAreSequentialOnOneLineOrMore) {
  for (const char* text : {"2 6\none ACGTAC\ntwo --GTNN\n", " 2  6 \none ACG\nTAC\ntwo --G TNN\n",
                           "2 6\none\nACG\n\nTAC\ntwo\n--\nGTNN", "2 6\r\none\tAC GTAC\r\ntwo\t--GTNN\r\n"}) {
    const ReferenceAlignment alignment = read(text);
    EXPECT_THAT(alignment.names, ElementsAre("one", "two")) << text;
    EXPECT_THAT(alignment.rows, ElementsAre("ACGTAC", "--GTNN")) << text;
  }
}

TEST_F(Alignments, OfPhylipAreInterleaved) {
  const ReferenceAlignment alignment = read("3 8\nt1 ACGT\nt2 AC-T\nt3 NNNN\n\nAAAA\nCCCC\nGG GG\n");
  EXPECT_THAT(alignment.names, ElementsAre("t1", "t2", "t3"));
  EXPECT_THAT(alignment.rows, ElementsAre("ACGTAAAA", "AC-TCCCC", "NNNNGGGG"));
  EXPECT_THAT(alignment.lines, ElementsAre(2u, 3u, 4u));
}

TEST_F(Alignments, OfOneRowAndOneSiteAreAllowed) {
  EXPECT_THAT(read(">a\nA\n").rows, ElementsAre("A"));
  EXPECT_THAT(read("1 1\na A").rows, ElementsAre("A"));
}

TEST_F(Alignments, AreReadFromGzip) {
  EXPECT_THAT(read(gzip(">a\nACGT\n")).rows, ElementsAre("ACGT"));
  EXPECT_THAT(read(gzip("1 4\na ACGT\n")).rows, ElementsAre("ACGT"));
}

TEST_F(Alignments, ThatAreNoneTellWhatIsAllowed) {
  const std::string allowed = "the file is empty, allowed: an alignment in FASTA or PHYLIP format";
  EXPECT_EQ(error(""), ": " + allowed);
  EXPECT_EQ(error(" \n\n"), ": " + allowed);
  EXPECT_EQ(error("\n#NEXUS\n"),
            ":2: found '#' at the start, allowed: '>' (FASTA) or the number of rows and of sites (PHYLIP)");
  EXPECT_THROW(read_alignment(folder_.path() / "none", Alphabet::dna), UsageError);
}

TEST_F(Alignments, OfFastaThatAreWrongNameTheLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {">a\nAC\n>b\nACG\n", ":3: row 2 'b' has 3 letters, the first row has 2"},
      {">a\nAC\n>b\nACG\n>c\nAC", ":3: row 2 'b' has 3 letters, the first row has 2"},
      {">a\nAC\n>b\n>c\nAC\n", ":3: row 2 'b' has 0 letters, allowed: one or more"},
      {">a\n", ":1: row 1 'a' has 0 letters, allowed: one or more"},
      {">a\nAC\n>b\nAC\n>a\nAC\n", ":5: the name 'a' was used before, at line 1"},
      {">a\nAC\n> \nAC\n", ":3: row 2 has no name"},
      {">a\nAC\nGJ\n", ":3: 'J' at letter 4 of row 1 'a', allowed: IUPAC nucleotides, '-', '.', '?'"},
      {std::string(">a\nA\0\n", 6), ":2: the byte 0x00 at letter 2 of row 1 'a'"},
      {">a\x01\nAC\n", ":1: the byte 0x01 in the name of row 1"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(error(text), StartsWith(message)) << text;
}

TEST_F(Alignments, OfPhylipThatAreWrongNameTheLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"2\na AC\nb AC\n",
       ":1: '' in the header is no count, allowed: the number of rows and the number of sites"},
      {"2 x\na AC\nb AC\n", ":1: 'x' in the header is no count"},
      {"0 2\n", ":1: '0' in the header is no count"},
      {"2 0\n", ":1: '0' in the header is no count"},
      {"99999999999999999999 2\n", ":1: '99999999999999999999' in the header is no count"},
      {"2 2 I\na AC\nb AC\n", ":1: 'I' after the two numbers of the header"},
      {"3 2\na AC\nb AC\n", ":3: the file ends after 2 rows, the header says 3"},
      {"3 2\n", ":1: the file ends after 0 rows, the header says 3"},
      {"18446744073709551615 18446744073709551615\na AC\n",
       ":2: the file ends after 1 rows, the header says"},
      {"2 3\na ACG\nb AC\n", ":3: row 2 'b' has 2 letters up to here, the first row 3"},
      {"2 3\na AC\nb AC\n", ":3: row 1 'a' has 2 letters, the header says 3 sites"},
      {"2 3\na ACG\nb ACGT\n", ":3: row 2 'b' has 4 letters, the header says 3 sites"},
      {"2 2\na AC\na AC\n", ":3: the name 'a' was used before, at line 2"},
      {"2 2\na AC\nb AJ\n", ":3: 'J' at letter 2 of row 2 'b', allowed: IUPAC nucleotides, '-', '.', '?'"},
      {"2 2\na AC\nb AC\nc AC\n", ":4: text after the 2 rows that the header says"},
      {"2 4\nt1 AC\nt2 AC\n\nGT\nGJ\n", ":6: 'J' at letter 4 of row 2 't2'"},
      {"2 4\nt1 AC\nt2 AC\n\nGT\n", ":5: row 2 't2' has 2 letters, the header says 4 sites"},
      {"2 4\nt1 AC\nGT\nt2 AC\nG\n", ":5: row 2 't2' has 3 letters, the header says 4 sites"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(error(text), StartsWith(message)) << text;
}

TEST(ReadAlignment, TakesAminoAcidsWhereTheyAreAskedForAndSaysSoWhereNot) {
  const TemporaryFolder folder;
  const auto file = folder.write("rows.fasta", ">a\nMK-WuX\n>b\nmkBZ*?\n");
  const ReferenceAlignment proteins = read_alignment(file, Alphabet::protein);
  EXPECT_EQ(proteins.alphabet, Alphabet::protein);
  EXPECT_THAT(proteins.rows, ::testing::ElementsAre("MK-WuX", "mkBZ*?"));
  const auto error = [](const std::filesystem::path& path, Alphabet alphabet) -> std::string {
    try {
      read_alignment(path, alphabet);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error(folder.write("q", ">a\nACE\n"), Alphabet::dna),
              ::testing::HasSubstr(":2: 'E' at letter 3 of row 1 'a', allowed: IUPAC nucleotides, '-', '.', "
                                   "'?' (alphabet = dna)"));
  EXPECT_THAT(error(folder.write("q", "2 3\na ACE\nb A1E\n"), Alphabet::protein),
              ::testing::HasSubstr(":3: '1' at letter 2 of row 2 'b', allowed: IUPAC amino acids"));
}

}  // namespace
}  // namespace gpuseq::papara
