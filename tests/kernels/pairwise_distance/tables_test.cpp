#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

// Tables as other programs write them: which rows are instances, which columns attributes, and the distances.

namespace gpuseq::pairwise_distance {
namespace {

using Strings = std::vector<std::string>;
using Doubles = std::vector<double>;

/// A file, and how it reads.
struct Table {
  const char* about;
  Metric metric;
  std::string text;
  u64 attributes;
  Strings names;
  Doubles distances;  // of the first instance to all
  Choice header = Choice::automatic, names_option = Choice::automatic;
};

const std::string kBom = "\xef\xbb\xbf";
constexpr Metric kHamming = Metric::hamming, kManhattan = Metric::manhattan, kIbs = Metric::ibs,
                 kEuclidean = Metric::euclidean, kSquared = Metric::squared_euclidean;

std::vector<Table> tables() {
  return {
      // pandas: to_csv() of frames with an index and with columns of all kinds.
      {"pandas, numbered rows and columns",
       kManhattan,
       ",0,1,2\n0,0,1,2\n1,2,1,0\n2,1,1,1\n",
       3,
       {"0", "1", "2"},
       {0, 4, 2}},
      {"pandas, two rows", kHamming, ",0,1,2\n0,0,1,2\n1,0,1,0\n", 3, {"0", "1"}, {0, 1}},
      {"pandas, named columns", kHamming, ",rs1,rs2\n0,0,1\n1,1,1\n", 2, {"0", "1"}, {0, 1}},
      {"pandas, named rows", kIbs, ",rs1,rs2,rs3\nanna,0,1,2\nbert,2,1,0\n", 3, {"anna", "bert"}, {0, 4}},
      {"pandas, named rows and numbered columns",
       kIbs,
       ",0,1,2\nanna,0,1,2\nbert,2,1,0\n",
       3,
       {"anna", "bert"},
       {0, 4}},
      {"pandas, a named index", kIbs, "strain,0,1,2\nA1,0,1,2\nB1,2,1,1\n", 3, {"A1", "B1"}, {0, 3}},
      {"pandas, index=False", kHamming, "rs1,rs2,rs3\n0,1,2\n0,0,2\n", 3, {"1", "2"}, {0, 1}},
      {"pandas, missing values are empty", kManhattan, ",a1,a2\nx,0.0,\ny,2.0,1.0\n", 2, {"x", "y"}, {0, 2}},
      {"pandas, real values", kEuclidean, ",0,1\n0,0.0,0.5\n1,3.0,4.5\n", 2, {"0", "1"}, {0, 5}},
      {"pandas, a written index read and written again",
       kHamming,
       "Unnamed: 0,s1,s2\n0,1,1\n1,1,0\n",
       2,
       {"0", "1"},
       {0, 1}},
      {"pandas, index=False, --header yes",
       kHamming,
       "0,1,2\n0,1,2\n2,1,0\n",
       3,
       {"1", "2"},
       {0, 2},
       Choice::yes},
      {"pandas, header=False, --names yes",
       kHamming,
       "0,1,1\n1,0,1\n",
       2,
       {"0", "1"},
       {0, 1},
       Choice::no,
       Choice::yes},
      {"pandas, header=False, index=False", kHamming, "1,0,2\n1,2,2\n", 3, {"1", "2"}, {0, 1}},
      {"pandas, index=False, one column", kHamming, "snp\n0\n1\n1\n", 1, {"1", "2", "3"}, {0, 1, 1}},
      // Numbers as names.
      {"numbers under a word for names",
       kHamming,
       "sample_id,rs1,rs2\n101,0,1\n102,1,0\n",
       2,
       {"101", "102"},
       {0, 2}},
      {"small numbers under a word for names",
       kManhattan,
       "SampleID,x,y\n1,0,1\n2,1,5\n3,0,1\n",
       2,
       {"1", "2", "3"},
       {0, 5, 0}},
      {"names that say nothing of the header",
       kHamming,
       "strain,1,2,3\nA,0,1,2\nB,2,1,0\n",
       3,
       {"A", "B"},
       {0, 2}},
      {"numbered columns that no instance has",
       kHamming,
       "cultivar,1,2,3\nA7,0,1,2\nB9,2,1,2\n",
       3,
       {"A7", "B9"},
       {0, 1}},
      {"real values and ids", kEuclidean, "patient.id,age\n1009,30\n1007,34\n", 1, {"1009", "1007"}, {0, 4}},
      {"positions as columns", kIbs, "sample,10583,10611\nx,0,2\ny,1,0\n", 2, {"x", "y"}, {0, 3}},
      // R: write.csv(), write.csv2() and write.table(), with quotes and without.
      {"R write.csv", kHamming, "\"\",\"V1\",\"V2\"\n\"1\",0,1\n\"2\",1,1\n", 2, {"1", "2"}, {0, 1}},
      {"R write.csv of letters",
       kHamming,
       "\"\",\"s1\",\"s2\"\n\"ana\",\"A\",\"C\"\n\"bo\",\"A\",\"G\"\n",
       2,
       {"ana", "bo"},
       {0, 1}},
      {"R write.csv, row.names = FALSE", kManhattan, "\"V1\",\"V2\"\n0,1\n1,5\n", 2, {"1", "2"}, {0, 5}},
      {"R write.csv, NA", kHamming, "\"\",\"V1\",\"V2\"\n\"a\",NA,1\n\"b\",1,0\n", 2, {"a", "b"}, {0, 1}},
      {"R write.csv2", kEuclidean, "\"\";\"x\";\"y\"\n\"a\";0,5;1\n\"b\";3,5;5\n", 2, {"a", "b"}, {0, 5}},
      {"R write.table", kHamming, "\"V1\" \"V2\" \"V3\"\n\"1\" 0 1 2\n\"2\" 0 0 0\n", 3, {"1", "2"}, {0, 2}},
      {"R write.table, quote = FALSE", kHamming, "rs1 rs2\nana 0 1\nbo 1 0\n", 2, {"ana", "bo"}, {0, 2}},
      {"R write.table, tabs",
       kHamming,
       "\"rs1\"\t\"rs2\"\n\"ana\"\t0\t1\n\"bo\"\t1\t1\n",
       2,
       {"ana", "bo"},
       {0, 1}},
      {"R write.table, names with blanks",
       kManhattan,
       "\"a 1\" \"a 2\"\n\"ana x\" 0 1\n\"bo y\" 7 1\n",
       2,
       {"ana x", "bo y"},
       {0, 7}},
      {"R write.table, real values",
       kEuclidean,
       "\"x\" \"y\"\n\"p\" 1e-3 .5\n\"q\" 1e-3 +2.5\n",
       2,
       {"p", "q"},
       {0, 2}},
      // Excel and LibreOffice.
      {"Excel, semicolons, BOM, CRLF",
       kHamming,
       kBom + "name;rs1;rs2\r\nana;0;1\r\nbo;1;1\r\n",
       2,
       {"ana", "bo"},
       {0, 1}},
      {"Excel, decimal commas",
       kEuclidean,
       kBom + "Name;x;y\r\nana;0,5;1\r\nbo;0,5;1,25\r\n",
       2,
       {"ana", "bo"},
       {0, 0.25}},
      {"Excel, one attribute with decimal commas", kEuclidean, "ana;0,5\nbo;2,5\n", 1, {"ana", "bo"}, {0, 2}},
      {"Excel, sep= in the first line",
       kHamming,
       "sep=;\r\nname;a;b\r\nx;0;1\r\ny;0;0\r\n",
       2,
       {"x", "y"},
       {0, 1}},
      {"Excel, a line break in a title",
       kHamming,
       "name,\"first\nlocus\",second\nx,0,1\ny,1,0\n",
       2,
       {"x", "y"},
       {0, 2}},
      {"Excel, an empty last column", kManhattan, "name,a,b,\nx,0,1,\ny,4,1,\n", 2, {"x", "y"}, {0, 4}},
      {"trailing separators below a header without",
       kManhattan,
       "name,a,b\nx,0,1,\ny,4,1,\n",
       2,
       {"x", "y"},
       {0, 4}},
      {"tabs and decimal commas", kEuclidean, "name\tx\ty\na\t0,5\t0\nb\t1,5\t0\n", 2, {"a", "b"}, {0, 1}},
      // Letters as values.
      {"single letters, no names", kHamming, "A,C,G,T\nA,C,C,T\nA,A,C,T\n", 4, {"1", "2", "3"}, {0, 1, 2}},
      {"single letters with names", kHamming, "s1,A,C,G\ns2,A,C,T\n", 3, {"s1", "s2"}, {0, 1}},
      {"single letters under letters", kHamming, "name,x,y\na,A,C\nb,C,C\n", 2, {"a", "b"}, {0, 1}},
      {"single letters, blanks", kHamming, "s1 A C G\ns2 A - G\n", 3, {"s1", "s2"}, {0, 1}},
      {"one-hot columns named by letters",
       kHamming,
       "A,C,G,T\n1,0,0,0\n0,1,0,0\n0,1,0,0\n",
       4,
       {"1", "2", "3"},
       {0, 2, 2}},
      {"one-hot, two rows", kHamming, "A,C\n0,1\n1,0\n", 2, {"1", "2"}, {0, 2}},
      // scikit-learn, NumPy.
      {"scikit-learn, iris",
       kEuclidean,
       "sepal length (cm),sepal width (cm)\n5.1,3.5\n5.1,3.0\n",
       2,
       {"1", "2"},
       {0, 0.5}},
      {"scikit-learn, iris with its species",
       kEuclidean,
       "species,sepal,petal\nsetosa,5.0,1.5\nsetosa,5.0,1.0\n",
       2,
       {"setosa", "setosa"},
       {0, 0.5}},
      {"NumPy savetxt",
       kHamming,
       "0.000000000000000000e+00 1.000000000000000000e+00\n1.000000000000000000e+00 "
       "1.000000000000000000e+00\n",
       2,
       {"1", "2"},
       {0, 1}},
      {"NumPy savetxt, fmt=%d", kManhattan, "5 0 2\n7 0 9\n", 3, {"1", "2"}, {0, 9}},
      {"NumPy savetxt, a header", kSquared, "# a b c\n0 1 2\n3 1 2\n", 3, {"1", "2"}, {0, 9}},
      {"NumPy savetxt, real values with commas", kEuclidean, "0.5,1.5\n0.5,3.5\n", 2, {"1", "2"}, {0, 2}},
      // Other writers.
      {"TSV with #ID", kHamming, "#ID\trs1\trs2\n7\t0\t1\n8\t2\t1\n", 2, {"7", "8"}, {0, 1}},
      {"remarks above the header",
       kHamming,
       "# made by x\n# on Monday, at noon\nname,a,b\nx,0,1\ny,1,1\n",
       2,
       {"x", "y"},
       {0, 1}},
      {"names without a header", kManhattan, "a,0,1\nb,2,0\n", 2, {"a", "b"}, {0, 3}},
      {"no line end at the end, blank lines", kHamming, "\n\na;0;1\n\n  \nb;1;1", 2, {"a", "b"}, {0, 1}},
      {"quoted numbers, separators and quotes in names",
       kHamming,
       "\"a, \"\"x\"\"\",\"0\",\"2\"\n\"b;c\",\"0\",\"1\"\n",
       2,
       {"a, \"x\"", "b;c"},
       {0, 1}},
      {"a name of two lines", kHamming, "\"a\nx\",0,2\nb,0,1\n", 2, {"a\nx", "b"}, {0, 1}},
      {"codes as decimals", kManhattan, "a;1.0;0.0;255.00\nb;1.;+2;2.55e2\n", 3, {"a", "b"}, {0, 2}},
      {"codes with decimal commas", kManhattan, "a;1,0;0,0\nb;3,0;0,0\n", 2, {"a", "b"}, {0, 2}},
      {"blanks around fields", kHamming, " a , 0 , 2\n  b,1 ,2  \n", 2, {"a", "b"}, {0, 1}},
      {"aligned with blanks", kManhattan, "  a   0  12\n bb 110   2\n", 2, {"a", "bb"}, {0, 120}},
      {"one row", kHamming, "a,0,1\n", 2, {"a"}, {0}},
      {"one column", kManhattan, "3\n0\n12\n", 1, {"1", "2", "3"}, {0, 3, 9}},
      {"names twice", kHamming, "name,x,y\na,0,1\na,1,1\n", 2, {"a", "a"}, {0, 1}},
      {"a matrix that begins with 0,1,2, --header no",
       kHamming,
       "0,1,2\n2,255,0\n",
       3,
       {"1", "2"},
       {0, 3},
       Choice::no},
      {"a first column of ids, --names no",
       kManhattan,
       "x9,y\n101,1\n103,0\n",
       2,
       {"1", "2"},
       {0, 3},
       Choice::automatic,
       Choice::no},
      {"a first column of ids, --names yes",
       kManhattan,
       "x9,y\n101,1\n103,0\n",
       1,
       {"101", "103"},
       {0, 1},
       Choice::automatic,
       Choice::yes},
  };
}

TEST(Tables, OfOtherProgramsHaveTheirShapeAndDistances) {
  EXPECT_GE(tables().size(), 40u);
  const TemporaryFolder folder;
  for (const Table& table : tables()) {
    SCOPED_TRACE(table.about);
    try {
      const auto path = folder.write("data.csv", table.text);
      const Instances read =
          read_instances(path,
                         {.real = is_real(table.metric), .header = table.header, .names = table.names_option})
              .instances;
      EXPECT_EQ(read.names, table.names);
      EXPECT_EQ(read.count, table.names.size());
      EXPECT_EQ(read.attributes, table.attributes);
      Doubles found;
      for (u64 i = 0; i < read.count; ++i)
        found.push_back(oracle_pair(read, table.metric, 0, i).distance(table.metric));
      EXPECT_THAT(found, ::testing::Pointwise(::testing::DoubleNear(1e-6), table.distances));
    } catch (const UsageError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

struct Refused {
  Metric metric;
  std::string text;
};

void expect_refused(std::span<const Refused> files) {
  const TemporaryFolder folder;
  for (const Refused& one : files) {
    const auto file = folder.write("data.csv", one.text);
    expect_error_text([&] { read_instances(file, {.real = is_real(one.metric)}); });
  }
}

TEST(Tables, WithTwoReadingsAreRefusedWithTheOption) {
  expect_refused(std::array<Refused, 15>{{
      {kHamming, "0,1,2\n0,1,2\n2,1,0\n"},
      {kEuclidean, "0,1\n0.5,1.5\n2,1\n"},
      {kHamming, "0\n1\n0\n"},
      {kHamming, "gene,0,1\nanna,0,1\nbob,1,1\n"},
      {kHamming, "gene,1,2,3\nanna,1,2,3\nbob,3,2,1\n"},
      {kHamming, "gene,17,29,60\nanna,1,2,3\nbob,3,2,1\n"},
      {kEuclidean, "wavelength,400,410,420\ns1,0.1,0.2,0.3\ns2,0.2,0.2,0.3\n"},
      {kHamming, "x,y\nA,C\nG,T\n"},
      {kHamming, "sample,0,0,1\nanna,0,1,1\n"},
      {kHamming, ",0,1,1\nanna,0,1,1\n"},
      {kHamming, "101,0,1\n103,1,0\n"},
      {kHamming, "animal,snp,other\n1,0,1\n2,2,0\n"},
      {kEuclidean, "time,x,y\n0,0.5,1.5\n1,0.7,1.2\n2,0.2,1.9\n"},
      {kHamming, "# id,x,y\n1,0,1\n0,2,2\n"},
      {kHamming, "#1,0,1\n2,1,1\n"},
  }});
}

TEST(Tables, WithAFirstFieldThatCannotBeReadAreRefused) {
  expect_refused(std::array<Refused, 20>{{
      {kEuclidean, "nan,1\n0,2\n"},      {kEuclidean, "0.5,1\nnan,2\n"},
      {kEuclidean, "nan,1\nNaN,2\n"},    {kEuclidean, "inf,1\n0,2\n"},
      {kEuclidean, "-Infinity,1\n"},     {kEuclidean, "1e39,1\n0,2\n"},
      {kEuclidean, "1e-400,1\n0,2\n"},   {kEuclidean, "name,x\na,1e-400\n"},
      {kEuclidean, "+-1,1\n0,2\n"},      {kEuclidean, "\"0,5\",1\n\"1,5\",2\n"},
      {kEuclidean, "TRUE,1\nFALSE,2\n"}, {kManhattan, "300,1,2\n1,2,3\n"},
      {kManhattan, "3,2,1\n300,1,2\n"},  {kManhattan, "-1,1,2\n1,2,3\n"},
      {kManhattan, "0.5,1,2\n1,2,3\n"},  {kHamming, "a,1,0\n7,1,1\n"},
      {kHamming, "7,0,1\na12,1,1\n"},    {kHamming, "height,x,y\n300,0,1\n301,1,1\n"},
      {kHamming, "0,1,2\n0,1,rs1\n"},    {kHamming, "acc,10583,10611\nA1,0,1\nB1,1,1\n"},
  }});
}

TEST(Tables, OfOtherFormsAreRefusedByTheirName) {
  expect_refused(std::array<Refused, 16>{{
      {kHamming, "a|0|1\nb|1|0\n"},
      {kHamming, "ACGT\nACGA\n"},
      {kHamming, "0120\n0211\n"},
      {kHamming, "sep=|\n0|1\n"},
      {kHamming, std::string("\xff\xfe\x61\0\x2c\0", 6)},
      {kHamming, "name,a\rx,0\ry,1\r"},
      {kHamming, ",,,\nname,a,b,c\nx,0,1,1\n"},
      {kHamming, "name,a,b\nx,0,1\n,,\n"},
      {kHamming, "a,0,1\n#b,1,1\n"},
      {kEuclidean, "a;0.5;1\nb;0,5;1\n"},
      {kEuclidean, "a\t1,234\t0\nb\t2,5\t1\n"},
      {kEuclidean, "a 0,5\nb 1,5\n"},
      {kHamming, "a,0,1\nb,1,1,0\n"},
      {kHamming, "a;0;1\nb,1,1\n"},
      {kHamming, "0,1\n0,1,2\n"},
      {kHamming, "name\n0\n1\n"},
  }});
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
