#include "kernels/papara/data/reference_alignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

using ::testing::ElementsAre;

class Alignments : public ::testing::Test {
 protected:
  ReferenceAlignment read(std::string_view content) const {
    return read_alignment(folder_.write("rows", content), Alphabet::dna);
  }
  std::string error(std::string_view content) const {
    try {
      read(content);
    } catch (const UsageError& usage) {
      return usage.what();
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

TEST_F(Alignments, PhylipInEveryFormHasTheSameRows) {
  const std::vector<std::pair<const char*, std::string>> cases{
      {"tabs",
       "\t3\t24\nTurkey\tAAGCTNGGGCATTTCAGGGTGAGC\nSalmo\tAAGCCTTGGCAGTGCAGGGTGAGC\n"
       "Homo\tACCGGTTGGCCGTTCAGGGTACAG\n"},
      {"carriage returns",
       "3 24\r\nTurkey AAGCTNGGGCATTTCAGGGTGAGC\r\n\r\nSalmo AAGCCTTGGCAGTGCAGGGTGAGC\r\n"
       "Homo ACCGGTTGGCCGTTCAGGGTACAG\r\n\r\n"},
      {"a byte order mark",
       "\xef\xbb\xbf"
       "3 24\nTurkey AAGCTNGGGCATTTCAGGGTGAGC\nSalmo AAGCCTTGGCAGTGCAGGGTGAGC\n"
       "Homo ACCGGTTGGCCGTTCAGGGTACAG\n"},
      {"groups of ten",
       " 3   24\n\n  Turkey    AAGCTNGGGC ATTTCAGGGT\nGAGC\nSalmo   AAGCCTTGGC AGTGCAGGGT\n GAGC\n"
       "Homo  ACCGGTTGGC CGTTCAGGGT\nACAG\n"},
      {"names on their own lines",
       "3 24\nTurkey\nAAGCTNGGGCATTTCAGGGT\nGAGC\nSalmo\nAAGCCTTGGCAGTGCAGGGT\nGAGC\n"
       "Homo\nACCGGTTGGCCGTTCAGGGT\nACAG\n"},
      {"blocks",
       "3 24 I\nTurkey    AAGCTNGGGC ATTTCAGGGT\nSalmo     AAGCCTTGGC AGTGCAGGGT\n"
       "Homo      ACCGGTTGGC CGTTCAGGGT\n\nGAGC\nGAGC\nACAG\n"},
      {"blocks with names",
       "3 24\nTurkey AAGCTNGGGCATTTCAGGGT\nSalmo AAGCCTTGGCAGTGCAGGGT\n"
       "Homo ACCGGTTGGCCGTTCAGGGT\n \t\nTurkey GAGC\nSalmo GAGC\nHomo ACAG\n"},
      {"ten columns",
       "3 24\nTurkey    AAGCTNGGGCATTTCAGGGTGAGC\nSalmo     AAGCCTTGGCAGTGCAGGGTGAGC\n"
       "Homo      ACCGGTTGGCCGTTCAGGGTACAG\n"},
      {"an S",
       "3 24 s\nTurkey AAGCTNGGGCATTTCAGGGT\nGAGC\nSalmo AAGCCTTGGCAGTGCAGGGT\nGAGC\n"
       "Homo ACCGGTTGGCCGTTCAGGGT\nACAG\n"},
  };
  for (const auto& [form, text] : cases) {
    const ReferenceAlignment alignment = read(text);
    EXPECT_THAT(alignment.names, ElementsAre("Turkey", "Salmo", "Homo")) << form;
    EXPECT_THAT(alignment.rows, ElementsAre("AAGCTNGGGCATTTCAGGGTGAGC", "AAGCCTTGGCAGTGCAGGGTGAGC",
                                            "ACCGGTTGGCCGTTCAGGGTACAG"))
        << form;
  }
}

TEST_F(Alignments, StrictPhylipNamesFillTenColumns) {
  for (const char* text :
       {"3 12\nSalmo gairAAGCCTTGGCAG\nH. SapiensACCGGTTGGCCG\nGorilla   AAACCCTTGCCG\n",
        "3 12\nSalmo gairAAGCCT\nTGGCAG\nH. SapiensACCGGT\nTGGCCG\nGorilla   AAACCC\nTTGCCG\n",
        "3 12\nSalmo gairAAGCCT\nH. SapiensACCGGT\nGorilla   AAACCC\n\n          TGGCAG\n          TGGCCG\n"
        "          TTGCCG\n",
        "3 12\r\nSalmo gairAAGCCT\r\nH. SapiensACCGGT\r\nGorilla   AAACCC\r\n\r\nSalmo gairTGGCAG\r\n"
        "H. SapiensTGGCCG\r\nGorilla   TTGCCG\r\n",
        "3 12\nSalmo gair  AAGCCTTGGCAG\nH. Sapiens  ACCGGTTGGCCG\nGorilla  AAACCCTTGCCG\n",
        "3 12\nSalmo gair\tAAGCCTTGGCAG\nH. Sapiens\tACCGGTTGGCCG\nGorilla\tAAACCCTTGCCG\n"}) {
    const ReferenceAlignment alignment = read(text);
    EXPECT_THAT(alignment.names, ElementsAre("Salmo_gair", "H._Sapiens", "Gorilla")) << text;
    EXPECT_THAT(alignment.rows, ElementsAre("AAGCCTTGGCAG", "ACCGGTTGGCCG", "AAACCCTTGCCG")) << text;
  }
}

TEST_F(Alignments, PhylipThatFitsNoFormNamesAllForms) {
  const std::string said = error("2 6\none ACG\nTAC\ntwo ACG\nTAJ\n");
  expect_text(said);
  // A mistake in a strict file is named where it is, not where its names end as words.
  expect_text(error("2 6\nHomo sapieACGACG\nPan trogloACG-JG\n"));
}

TEST_F(Alignments, PhylipOfTwoReadingsIsRefusedUnlessMarked) {
  const std::string rows = "A CCCC\nC CCCC\nG GGGG\nC GGGG\n";
  expect_text(error("2 9\n" + rows));
  EXPECT_THAT(read("2 9 S\n" + rows).names, ElementsAre("A", "G"));
  EXPECT_THAT(read("2 9 I\n" + rows).names, ElementsAre("A", "C"));
  EXPECT_THAT(read("2 9 I\n" + rows).rows, ElementsAre("CCCCGGGGG", "CCCCCGGGG"));
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
  expect_text(error(""));
  expect_text(error(" \n\n"));
  expect_text(error("\n#NEXUS\n"));
  EXPECT_THROW(read_alignment(folder_.path() / "none", Alphabet::dna), UsageError);
}

TEST_F(Alignments, OfFastaThatAreWrongNameTheLine) {
  const std::vector<std::string> cases{">a\nAC\n>b\nACG\n",
                                       ">a\nAC\n>b\nACG\n>c\nAC",
                                       ">a\nAC\n>b\n>c\nAC\n",
                                       ">a\n",
                                       ">a\nAC\n>b\nAC\n>a\nAC\n",
                                       ">a\nAC\n> \nAC\n",
                                       ">a\nAC\nGJ\n",
                                       std::string(">a\nA\0\n", 6),
                                       ">a\x01\nAC\n"};
  for (const std::string& text : cases) expect_text(error(text));
}

TEST_F(Alignments, OfPhylipThatAreWrongNameTheLine) {
  const std::vector<std::string> cases{"2\na AC\nb AC\n",
                                       "2 x\na AC\nb AC\n",
                                       "0 2\n",
                                       "2 0\n",
                                       "99999999999999999999 2\n",
                                       "2 2 X\na AC\nb AC\n",
                                       "2 2 I S\na AC\nb AC\n",
                                       "3 2\na AC\nb AC\n",
                                       "3 2\n",
                                       "18446744073709551615 18446744073709551615\na AC\n",
                                       "2 3\na ACG\nb AC\n",
                                       "2 3\na AC\nb AC\n",
                                       "2 3\na ACG\nb ACGT\n",
                                       "2 2\na AC\na AC\n",
                                       "2 2\na AC\nb AJ\n",
                                       "2 2\na AC\nb AC\nc AC\n",
                                       "2 4\nt1 AC\nt2 AC\n\nGT\nGJ\n",
                                       "2 4\nt1 AC\nt2 AC\n\nGT\n",
                                       "2 4\nt1 AC\nGT\nt2 AC\nG\n"};
  for (const std::string& text : cases) expect_text(error(text));
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
  expect_text(error(folder.write("q", ">a\nACE\n"), Alphabet::dna));
  expect_text(error(folder.write("q", "2 3\na ACE\nb A1E\n"), Alphabet::protein));
}

}  // namespace
}  // namespace gpuseq::papara
