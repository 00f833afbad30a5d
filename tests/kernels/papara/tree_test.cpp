#include "kernels/papara/data/tree.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/papara/tree_graph.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

using ::testing::StartsWith;

std::string written(const Tree& tree) {
  std::ostringstream out;
  write_tree(tree, out);
  return out.str();
}

std::string rewritten(std::string_view text) {
  return written(parse_tree(text, "tree"));
}

std::string error(std::string_view text) {
  try {
    parse_tree(text, "tree");
  } catch (const UsageError& usage) {
    return usage.what();
  }
  return "parsed";
}

TEST(Trees, AreNumberedInPostOrderAndWrittenWithEdgeNumbers) {
  EXPECT_EQ(rewritten("((a:1,b:2)x:3,c:0.25,d);"), "((a:1{0},b:2{1})x:3{2},c:0.25{3},d{4});\n");
}

TEST(Trees, LinkParentsAndChildrenThatComeBeforeThem) {
  const Tree tree = parse_tree("((a,b),(c,(d,e)),f);", "tree");
  ASSERT_EQ(tree.edges(), 9u);
  EXPECT_EQ(tree.place, "tree");
  EXPECT_EQ(tree.nodes.back().parent, Tree::kNone);
  for (u32 node = 0; node < tree.nodes.size(); ++node)
    for (const u32 child : tree.nodes[node].children) {
      EXPECT_LT(child, node);
      EXPECT_EQ(tree.nodes[child].parent, node);
    }
}

TEST(Trees, LoseARootOfTwoWhoseEdgesBecomeOne) {
  EXPECT_EQ(rewritten("((a,b)x:1,(c,d)y:2)r:9;"), "(a{0},b{1},(c{2},d{3})y:3{4})x;\n");
  EXPECT_EQ(rewritten("(a:1,(b,c):2);"), "(a:3{0},b{1},c{2});\n");
  EXPECT_EQ(rewritten("((a,b):2,c);"), "(a{0},b{1},c:2{2});\n");
}

TEST(Trees, LoseNodesOfOneChild) {
  EXPECT_EQ(rewritten("(((((a:1):2):4,b)));"), "(a:7{0},b);\n");
  EXPECT_EQ(rewritten("((((a,b):1):2):4,c,(d));"), "((a{0},b{1}):7{2},c{3},d{4});\n");
}

TEST(Trees, OfTwoTipsAreOneEdge) {
  const Tree tree = parse_tree("(a:0.5,b:0.25);", "tree");
  ASSERT_EQ(tree.edges(), 1u);
  EXPECT_EQ(tree.nodes[0].name, "a");
  EXPECT_EQ(tree.nodes[0].length, 0.75);
  EXPECT_EQ(tree.nodes[1].name, "b");
  EXPECT_EQ(written(tree), "(a:0.75{0},b);\n");
  EXPECT_EQ(rewritten(written(tree)), written(tree));
}

TEST(Trees, KeepNamesAsTheyAreAndQuoteWhereNeeded) {
  EXPECT_EQ(rewritten("('it''s a (b)',under_score,\"x\"|1.2/3#\xc3\xa9,'plain');"),
            "('it''s a (b)'{0},under_score{1},'\"x\"|1.2/3#\xc3\xa9'{2},plain{3});\n");
  EXPECT_EQ(rewritten("((a,b)'0.9;x':1,c,d);"), "((a{0},b{1})'0.9;x':1{2},c{3},d{4});\n");
}

TEST(Trees, DoubleQuotesHoldNamesWithBlanksAndQuotes) {
  EXPECT_EQ(rewritten("(\"Homo sapiens\":1,\"a \"\"b\"\"\",\"it's\",'\"'\n);"),
            "('Homo sapiens':1{0},'a \"b\"'{1},'it''s'{2},'\"'{3});\n");
}

TEST(Trees, FormsOfOtherProgramsAreRead) {
  const std::string expected = "((a:0.1{0},b:2e-05{1})95:0.5{2},c:1500{3},d:0{4});\n";
  for (const char* text :
       {"\xef\xbb\xbf((a:0.1,b:2e-5)95:.5,c:1.5E+3,d:0);", "((a:1E-1,b:0.00002)95:0.50,c:1500.,d:0.0)\n\n  ",
        "[&U]\r\n((a:0.1[&&NHX:S=human:E=1.1.1.1],b:2e-5[95])95[&prob=1.0,range={1,2}]:5e-1,c:1500,d:1e-400);"
        "\r\n",
        "\t((a:0.1,\n b:2e-5)95:0.5,\n c:1500,d:0)\n;\n"})
    EXPECT_EQ(rewritten(text), expected) << text;
}

TEST(NexusTrees, NamesComeFromTheirTables) {
  for (const char* text :
       {"#NEXUS\nBegin trees;\n Translate\n 1 a,\n 2 'b c',\n 3 d\n ;\n tree one = [&R] "
        "((1:1,2:2)90:3,3:4);\nEnd;\n",
        "#nexus [comment; begin trees;]\r\nBEGIN TAXA; DIMENSIONS NTAX=3; TAXLABELS a 'b c' d; END;\r\n"
        "BEGIN TREES;\r\n\tTREE * one=[&U] (1:1,(d:4,2:2[&x={1;2}])90:3);\r\nEND;\r\n"}) {
    const Tree tree = parse_tree(text, "tree");
    std::vector<std::string> names;
    for (const Tree::Node& node : tree.nodes)
      if (node.children.empty()) names.push_back(node.name);
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("a", "b c", "d")) << text;
  }
  EXPECT_EQ(rewritten("\n#NEXUS\nbegin trees; translate 1 x, b \"y z\",; utree t = (1:1,(b,plain):2); end;"),
            rewritten("(x:1,('y z',plain):2);"));
  EXPECT_EQ(rewritten("#NEXUS begin trees; tree t = (1,2,a_b); end;"), rewritten("(1,2,a_b);"));
}

TEST(NexusTrees, OneOfSeveralIsTheMarkedDefault) {
  EXPECT_EQ(rewritten("#NEXUS begin trees; tree a = (x,y); tree * b = (x,z); tree c = (y,z); end;"),
            rewritten("(x,z);"));
  EXPECT_EQ(
      error("#NEXUS\nbegin trees;\n tree a = (x,y);\ntree b = (x,z);\nend;"),
      "tree:3:2: found 2 trees, 0 of them marked by '*' as the default, allowed: one tree, or one that is "
      "marked");
}

TEST(NexusTrees, MistakesNameLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"#NEXUS\nbegin data;\nend;\n", "tree:1:1: the NEXUS file has no tree"},
      {"#NEXUS\nbegin trees;\ntree a = (x,y;\nend;",
       "tree:3:14: found ';' while the '(' at line 3, column 10 is open"},
      {"#NEXUS\nbegin trees;\ntree a (x,y);\nend;", "tree:3:8: found '(' in TREE, allowed: '='"},
      {"#NEXUS\nbegin trees;\ntranslate 1 a, 1 b;\ntree a = (1,b);",
       "tree:3:16: the short name '1' of TRANSLATE was used before"},
      {"#NEXUS\nbegin trees;\ntranslate 1 a 2 b;", "tree:3:15: found '2' in TRANSLATE, allowed: ',' or ';'"},
      {"#NEXUS\nbegin trees;\ntranslate 1, 2 b;",
       "tree:3:11: found no pair of a short name and a name in TRANSLATE"},
      {"#NEXUS\nbegin trees;\ntranslate 1 a", "tree:3:14: the file ends before the ';' of TRANSLATE"},
      {"#NEXUS\nbegin trees;\ntranslate 1 b;\ntree a = (1,b);",
       "tree:4:13: the name 'b' of a tip was used before"},
      {"#NEXUS\nbegin trees;\ntranslate 1 '';\ntree a = (1,b);", "tree:4:11: the name '' of a tip is empty"},
      {"#NEXUS\nbegin trees;\ntranslate 1 x\x01y;\ntree a = (1,b);", "tree:3:13: the byte 0x01 in a word"},
      {"#NEXUS\n[begin", "tree:2:1: a comment without its ']'"},
      {"#NEXUS\nbegin trees;\ntree 'a = (x,y);\n", "tree:3:6: a quoted name without its closing quote"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(error(text), StartsWith(message)) << text;
}

TEST(Trees, MayHoldCommentsBlanksAndLinesAnywhere) {
  EXPECT_EQ(rewritten("[&R] ( a [one [nested] :] : 1.5e-1 ,\r\n\tb[x]:+2,c:-1[y] ) [z];\n[end]\n"),
            "(a:0.15{0},b:2{1},c:-1{2});\n");
}

TEST(Trees, OfAnyDepthAreReadAndWritten) {
  constexpr int kTips = 100000;
  std::string text(kTips - 1, '(');
  text += "t0";
  for (int tip = 1; tip < kTips; ++tip) text += fmt::format(",t{})", tip);
  const Tree tree = parse_tree(text + ";", "tree");
  EXPECT_EQ(tree.edges(), 2u * kTips - 3);
  EXPECT_EQ(rewritten(written(tree)), written(tree));
  expect_text(error(text + ")"));
  expect_text(error(std::string(1000000, '(')));
}

TEST(Trees, OfRandomShapeSurviveWritingAndReading) {
  Random random(11);
  for (u32 tips = 2; tips < 60; ++tips) {
    const testing::TreeGraph graph(tips, random);
    for (const auto& [a, b] : graph.all_edges()) {
      const std::string once = rewritten(graph.newick_from_edge(a, b));
      EXPECT_EQ(rewritten(once), once);
    }
  }
}

TEST(Trees, MayLackAClosingBracketThatChangesNothing) {
  EXPECT_EQ(rewritten("((\n(a,b):1,c,d):0;"), "((a{0},b{1}):1{2},c{3},d{4});\n");
  EXPECT_EQ(error("((a,b),c;"), "tree:1:9: found ';' while the '(' at line 1, column 1 is open");
  EXPECT_EQ(error("(a,\n((b;"), "tree:2:4: found ';' while the '(' at line 1, column 1 is open");
}

TEST(TreeErrors, NameLineAndColumn) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "tree:1:1: the file is empty, allowed: a tree in Newick or NEXUS format"},
      {" \n[x]", "tree:2:4: the file is empty"},
      {"a", "tree:1:2: the tree ends without ';'"},
      {"(a,b),", "tree:1:6: found ',' outside of all brackets"},
      {"((a,b)", "tree:1:7: the tree ends without ';' while the '(' at line 1, column 1 is open"},
      {"(\"a,b);", "tree:1:2: a quoted name without its closing quote on the same line"},
      {"(a,\n (b", "tree:2:4: the tree ends without ';' while the '(' at line 2, column 2 is open"},
      {"(a,b));", "tree:1:6: found ')' without its '('"},
      {"(a,b),c;", "tree:1:6: found ',' outside of all brackets, allowed: ';'"},
      {"(a,b);\n(c,d);", "tree:2:1: found '(' after the ';', allowed: one tree"},
      {"(a,);", "tree:1:4: a tip without a name"},
      {"(,b);", "tree:1:2: a tip without a name"},
      {"();", "tree:1:2: a tip without a name"},
      {";", "tree:1:1: a tip without a name"},
      {"(a:1,:2);", "tree:1:8: a tip without a name"},
      {"(a,'');", "tree:1:6: a tip without a name"},
      {"(a,b,\n(c,a));", "tree:2:4: the tip name 'a' was used before, at line 1, column 2"},
      {"(a:x,b);", "tree:1:4: the length 'x' is no number"},
      {"(a:1e999,b);", "tree:1:4: the length '1e999' is no number"},
      {"(a:nan,b);", "tree:1:4: the length 'nan' is no number"},
      {"(a:inf,b);", "tree:1:4: the length 'inf' is no number"},
      {"(a:,b);", "tree:1:4: the length '' is no number"},
      {"(a:1.5.2,b);", "tree:1:4: the length '1.5.2' is no number"},
      {"(a:+-2,b);", "tree:1:4: the length '+-2' is no number"},
      {"(a:1:2,b);", "tree:1:5: found ':' after a length, allowed: ',', ')', ';'"},
      {"(a:1 2,b);", "tree:1:6: found '2' after a length"},
      {"(Homo sapiens,b);",
       "tree:1:7: found 's' after a name, allowed: ':', ',', ')', ';' (a name with blanks or brackets must "
       "be in "
       "quotes)"},
      {"(a(b,c));", "tree:1:3: found '(' after a name"},
      {"((a,b)(c,d));", "tree:1:7: found '(' after ')', allowed: a label, ':', ',', ')', ';'"},
      {"(a,b]);", "tree:1:5: found ']' without its opening bracket"},
      {"(a,[b);", "tree:1:4: a comment without its ']'"},
      {"(a,'b);\n(c,d)';", "tree:1:4: a quoted name without its closing quote on the same line"},
      {"(a,'b", "tree:1:4: a quoted name without its closing quote"},
      {"(a{x},b);", "tree:1:3: found '{', allowed: an edge's number in braces"},
      {"(a{},b);", "tree:1:3: found '{', allowed: an edge's number in braces"},
      {"(a{1}{2},b);", "tree:1:6: found '{' after an edge's number"},
      {"(a{1}:2,b);", "tree:1:6: found ':' after an edge's number, allowed: ',', ')', ';'"},
      {"({1},b);", "tree:1:2: found '{' where a tip or '(' is due"},
      {std::string("(a\0,b);", 7), "tree:1:3: the byte 0x00 in a name or number"},
      {"a;", "tree: the tree has one tip, allowed: two or more"},
      {"((a));", "tree: the tree has one tip"},
      {"#NEXUS\nbegin trees;", "tree:1:1: the NEXUS file has no tree, allowed: a block TREES with one"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(error(text), StartsWith(message)) << text;
}

TEST(TreeFiles, ArePlainOrGzip) {
  const TemporaryFolder folder;
  for (const std::string& content : {std::string("(a,b,c);\n"), gzip("(a,b,c);\n")}) {
    const auto file = folder.write("tree.nwk", content);
    EXPECT_EQ(written(read_tree(file)), "(a{0},b{1},c{2});\n");
    EXPECT_EQ(read_tree(file).place, file.string());
  }
}

TEST(TreeFiles, ThatAreWrongAreNamed) {
  const TemporaryFolder folder;
  const auto file = folder.write("tree.nwk", "(a,\nb,);");
  try {
    read_tree(file);
    FAIL();
  } catch (const UsageError& usage) {
    EXPECT_EQ(usage.what(), file.string() + ":2:3: a tip without a name");
  }
  EXPECT_THROW(read_tree(folder.path() / "none"), UsageError);
}

}  // namespace
}  // namespace gpuseq::papara
