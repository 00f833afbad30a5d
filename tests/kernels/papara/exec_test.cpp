#include "kernels/papara/exec/exec.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/papara/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::papara {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PaparaExec : public ::testing::Test {
 protected:
  /// With these outputs besides "out", each in a file of that name.
  ExecRequest request(const std::map<std::string, std::string>& outputs = {}) const {
    ExecRequest result{.variant = "blocked",
                       .point = {},
                       .data = {{"alignment", folder_.write("a.fa", alignment_)},
                                {"tree", folder_.write("t.nwk", tree_)},
                                {"queries", folder_.write("q.fa", queries_)}},
                       .outputs = {{"out", folder_.path() / "scores.tsv"}},
                       .cache_dir = {},
                       .seed = 1};
    for (const auto& [role, name] : outputs) result.outputs[role] = folder_.path() / name;
    return result;
  }

  /// Runs exec with the oracle's scores.
  void exec(const ExecRequest& request) {
    OutputFiles files("papara", request.data, request.outputs);
    const LoadedProblem loaded = load_request(request);
    const PaparaProblem& problem = *loaded.problem;
    scores_.clear();
    for (u32 query = 0; query < problem.queries().count(); ++query)
      for (u32 edge = 0; edge < problem.references().count; ++edge)
        scores_.push_back(
            oracle_score(problem.references().row(edge), problem.queries().row(query), problem.penalties()));
    remarks_ = write_answers(loaded, scores_, files);
  }

  std::string error(const ExecRequest& request) {
    try {
      exec(request);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  std::string content(const std::string& name) const { return read_file(folder_.path() / name); }

  TemporaryFolder folder_;
  // a and b carry TT where c and d have a gap; c and d end in A.
  std::string alignment_ = ">a\nACGTTTACGTC\n>b\nACGTTTACGTC\n>c\nACG..-ACGTA\n>d\nACG---ACGTA\n";
  std::string tree_ = "((a:0.1,b:0.2):0.05,c:0.3,d:0.1);";
  std::string queries_ = ">one\nGTTTAC\n>none\n--\n>two\ncgacgta\n>insert\nCGTTTAAACGTC\n>ins\nGTTTNACG\n";
  std::vector<i32> scores_;
  std::vector<std::string> remarks_;
};

TEST_F(PaparaExec, WritesBestEdgeScoreTiesAndPlacesOfEveryQueryInFileOrder) {
  exec(request());
  // Edge 0 leads to a, 1 to b, 2 to both, 3 to c, 4 to d. TTT is there on the edges 0 to 2, and carries CGAP
  // on 3 and 4, where leaving it out costs nothing. "insert" has more bases than there are sites.
  EXPECT_EQ(content("scores.tsv"), fmt::format("query\tedge\tscore\tties\tfirst_site\tlast_site\tinserted\n"
                                               "one\t0\t0\t3\t3\t8\t0\n"
                                               "none\tNA\tNA\tNA\tNA\tNA\tNA\n"
                                               "two\t3\t0\t2\t2\t11\t0\n"
                                               "insert\tNA\tNA\tNA\tNA\tNA\tNA\n"
                                               "ins\t0\t3\t3\t3\t9\t1\n"));
}

TEST_F(PaparaExec, StrictPhylipAndNexusScoreAsFastaAndNewick) {
  exec(request());
  const std::string expected = content("scores.tsv");
  alignment_ =
      "4 11\r\nHomo sapieACGTTTACGTC\r\nb         ACGTTTACGTC\r\n\r\nc         ACG..-ACGTA\r\n"
      "d_1       ACG---ACGTA\r\n";
  for (const char* tree :
       {"((Homo_sapie:0.1,b:0.2):0.05,c:0.3,d_1:0.1);", "((\"Homo sapie\":0.1,b:0.2):0.05,c:0.3,'d 1':0.1)",
        "#NEXUS\nbegin trees;\ntranslate 1 'Homo sapie', 2 b, 3 c, 4 d_1;\ntree t = [&U] "
        "((1:0.1,2:0.2)99:0.05,3:0.3,4:0.1);\nend;\n"}) {
    tree_ = tree;
    exec(request());
    EXPECT_EQ(content("scores.tsv"), expected) << tree;
  }
}

TEST_F(PaparaExec, WritesQueriesInTheColumnsOfTheReferenceAlignment) {
  exec(request({{"alignment", "out.fasta"}}));
  EXPECT_EQ(content("out.fasta"), alignment_ +
                                      ">one\n--GTTTAC---\n"
                                      ">two\n-CG---ACGTA\n"
                                      ">ins\n--GTTNACG--\n");
  const ReferenceAlignment again = read_alignment(folder_.path() / "out.fasta", Alphabet::dna);
  EXPECT_EQ(again.rows.size(), 7u);
}

TEST_F(PaparaExec, WritesPhylipWhereTheNameOfTheFileSaysSo) {
  exec(request({{"alignment", "out.fasta"}}));
  for (const char* name : {"out.phy", "out.phylip"}) {
    exec(request({{"alignment", name}}));
    EXPECT_EQ(content(name).substr(0, 19), "7 11\na ACGTTTACGTC\n");
    const ReferenceAlignment phylip = read_alignment(folder_.path() / name, Alphabet::dna);
    const ReferenceAlignment fasta = read_alignment(folder_.path() / "out.fasta", Alphabet::dna);
    EXPECT_EQ(phylip.names, fasta.names);
    EXPECT_EQ(phylip.rows, fasta.rows);
  }
}

TEST_F(PaparaExec, WritesTheTreeWithTheNumbersOfItsEdges) {
  exec(request({{"tree", "out.nwk"}}));
  const std::string tree = content("out.nwk");
  EXPECT_THAT(tree, HasSubstr("a:0.1{0}"));
  EXPECT_THAT(tree, HasSubstr("c:0.3{3}"));
  EXPECT_EQ(parse_tree(tree, "out.nwk").edges(), 5u);
}

TEST_F(PaparaExec, WritesTheScoreOfEveryQueryAtEveryEdge) {
  exec(request({{"all-scores", "matrix.tsv"}}));
  std::string expected = "query\t0\t1\t2\t3\t4\n";
  std::size_t next = 0;
  for (const char* name : {"one", "none", "two", "insert", "ins"}) {
    const bool aligned = name != std::string("none") && name != std::string("insert");
    expected += name;
    for (int edge = 0; edge < 5; ++edge) expected += aligned ? fmt::format("\t{}", scores_[next++]) : "\tNA";
    expected += '\n';
  }
  EXPECT_EQ(content("matrix.tsv"), expected);
}

TEST_F(PaparaExec, TakesAxesOfTheProblem) {
  ExecRequest fewer = request({{"all-scores", "matrix.tsv"}});
  fewer.problem = {
      {"query_count", std::int64_t{1}}, {"references", std::int64_t{2}}, {"mismatch", std::int64_t{7}}};
  exec(fewer);
  EXPECT_EQ(content("matrix.tsv"), fmt::format("query\t0\t1\none\t{}\t{}\n", scores_[0], scores_[1]));
}

TEST_F(PaparaExec, RefusesOutputsThatWouldReplaceEachOtherOrTheData) {
  expect_text(error(request({{"alignment", "a.fa"}})));
  EXPECT_EQ(content("a.fa"), alignment_);
  expect_text(error(request({{"tree", "scores.tsv"}})));
  ExecRequest nowhere = request();
  nowhere.outputs.clear();
  expect_text(error(nowhere));
  EXPECT_THROW(exec(request({{"tree", "no/folder/out.nwk"}})), ResourceError);
}

TEST_F(PaparaExec, NamesInTheAlignmentAreDistinctWhateverTheQueriesAreCalled) {
  queries_ = ">a\nACG\n>one\nACG\n>one\nACG\n>one_query3\nACG\n";
  exec(request({{"alignment", "out.fasta"}}));
  EXPECT_THAT(read_alignment(folder_.path() / "out.fasta", Alphabet::dna).names,
              ElementsAre("a", "b", "c", "d", "a_query1", "one", "one_query3", "one_query3_query4"));
  expect_text(remarks_);
  EXPECT_THAT(content("scores.tsv"), HasSubstr("\none\t0\t0\t5\t1\t3\t0\none\t"));
}

TEST_F(PaparaExec, NeedsAllOfTheData) {
  ExecRequest incomplete = request();
  incomplete.data.erase("tree");
  expect_text(error(incomplete));
}

TEST_F(PaparaExec, PutsTheDomainsOfARealFamilyBackIntoTheirColumns) {
  // Fibronectin type III of Pfam, as HMMER's tutorial has it, and a tree of it by FastTree 2.1.11.
  const std::filesystem::path data = source_dir() / "tests/data";
  const ReferenceAlignment family = read_alignment(data / "fn3.fasta", Alphabet::protein);
  ASSERT_EQ(family.rows.size(), 98u);
  for (std::size_t row = 0; row < family.rows.size(); ++row) {
    std::string letters = family.rows[row];
    std::erase(letters, '-');
    queries_ = (row == 0 ? "" : queries_) + fmt::format(">domain{}\n{}\n", row, letters);
  }
  ExecRequest of_protein = request({{"alignment", "out.fasta"}});
  of_protein.data["alignment"] = data / "fn3.fasta";
  of_protein.data["tree"] = data / "fn3.nwk";
  expect_text(error(of_protein));
  of_protein.problem = {{"alphabet", "protein"}};
  exec(of_protein);
  const ReferenceAlignment found = read_alignment(folder_.path() / "out.fasta", Alphabet::protein);
  ASSERT_EQ(found.rows.size(), 2 * 98u);
  std::size_t own = 0, residues = 0;
  for (std::size_t row = 0; row < 98; ++row)
    for (std::size_t site = 0; site < family.sites(); ++site) {
      if (family.rows[row][site] == '-') continue;
      ++residues;
      own += family.rows[row][site] == found.rows[98 + row][site];
    }
  EXPECT_EQ(residues, 8195u);
  EXPECT_GT(own, 8130u);
}

}  // namespace
}  // namespace gpuseq::papara
