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
  expect_text(error("#NEXUS\nbegin trees;\n tree a = (x,y);\ntree b = (x,z);\nend;"));
}

TEST(NexusTrees, MistakesNameLineAndColumn) {
  const std::vector<std::string> cases{"#NEXUS\nbegin data;\nend;\n",
                                       "#NEXUS\nbegin trees;\ntree a = (x,y;\nend;",
                                       "#NEXUS\nbegin trees;\ntree a (x,y);\nend;",
                                       "#NEXUS\nbegin trees;\ntranslate 1 a, 1 b;\ntree a = (1,b);",
                                       "#NEXUS\nbegin trees;\ntranslate 1 a 2 b;",
                                       "#NEXUS\nbegin trees;\ntranslate 1, 2 b;",
                                       "#NEXUS\nbegin trees;\ntranslate 1 a",
                                       "#NEXUS\nbegin trees;\ntranslate 1 b;\ntree a = (1,b);",
                                       "#NEXUS\nbegin trees;\ntranslate 1 '';\ntree a = (1,b);",
                                       "#NEXUS\nbegin trees;\ntranslate 1 x\x01y;\ntree a = (1,b);",
                                       "#NEXUS\n[begin",
                                       "#NEXUS\nbegin trees;\ntree 'a = (x,y);\n"};
  for (const std::string& text : cases) expect_text(error(text));
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
  expect_text(error("((a,b),c;"));
  expect_text(error("(a,\n((b;"));
}

TEST(TreeErrors, NameLineAndColumn) {
  const std::vector<std::string> cases{"",
                                       " \n[x]",
                                       "a",
                                       "(a,b),",
                                       "((a,b)",
                                       "(\"a,b);",
                                       "(a,\n (b",
                                       "(a,b));",
                                       "(a,b),c;",
                                       "(a,b);\n(c,d);",
                                       "(a,);",
                                       "(,b);",
                                       "();",
                                       ";",
                                       "(a:1,:2);",
                                       "(a,'');",
                                       "(a,b,\n(c,a));",
                                       "(a:x,b);",
                                       "(a:1e999,b);",
                                       "(a:nan,b);",
                                       "(a:inf,b);",
                                       "(a:,b);",
                                       "(a:1.5.2,b);",
                                       "(a:+-2,b);",
                                       "(a:1:2,b);",
                                       "(a:1 2,b);",
                                       "(Homo sapiens,b);",
                                       "(a(b,c));",
                                       "((a,b)(c,d));",
                                       "(a,b]);",
                                       "(a,[b);",
                                       "(a,'b);\n(c,d)';",
                                       "(a,'b",
                                       "(a{x},b);",
                                       "(a{},b);",
                                       "(a{1}{2},b);",
                                       "(a{1}:2,b);",
                                       "({1},b);",
                                       std::string("(a\0,b);", 7),
                                       "a;",
                                       "((a));",
                                       "#NEXUS\nbegin trees;"};
  for (const std::string& text : cases) expect_text(error(text));
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
  expect_error_text([&] { read_tree(file); });
  EXPECT_THROW(read_tree(folder.path() / "none"), UsageError);
}

}  // namespace
}  // namespace gpuseq::papara
