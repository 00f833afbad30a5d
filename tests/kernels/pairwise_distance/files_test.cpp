#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/pairwise_distance/small_instances.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::pairwise_distance {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::some_instances;

class PairwiseDistanceFiles : public ::testing::Test {
 protected:
  ReadInstances read(std::string_view text, const std::string& name = "data.csv") {
    return read_instances(folder_.write(name, text));
  }
  std::string error(std::string_view text, const std::string& name = "data.csv") {
    try {
      read(text, name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  /// PLINK's files of samples s0, s1, ...
  std::filesystem::path write_bed(std::string_view bytes, int samples, int snps) {
    std::string fam, bim;
    for (int i = 0; i < samples; ++i) fam += fmt::format("f{0} s{0} 0 0 0 -9\n", i);
    for (int k = 0; k < snps; ++k) bim += fmt::format("1 rs{0} 0 {0} A G\n", k);
    folder_.write("data.fam", fam);
    folder_.write("data.bim", bim);
    return folder_.write("data.bed", bytes);
  }

  TemporaryFolder folder_;
};

/// Codes, -1 where missing.
std::vector<int> values(const Instances& instances) {
  std::vector<int> all;
  for (u64 i = 0; i < instances.count; ++i)
    for (u64 k = 0; k < instances.attributes; ++k)
      all.push_back(instances.is_missing(i, k) ? -1 : instances.row(i)[k]);
  return all;
}

TEST_F(PairwiseDistanceFiles, CsvOfRealValuesHasThemAsTheyAre) {
  const auto path = folder_.write("real.csv", "name,x,y\na,-9,+1.5\nb,NA,1e-3\n");
  const Instances instances = read_instances(path, {.real = true}).instances;
  EXPECT_TRUE(instances.is_real());
  EXPECT_THAT(instances.names, ElementsAre("a", "b"));
  EXPECT_THAT(instances.reals, ElementsAre(-9.0f, 1.5f, 0.0f, 1e-3f));
  EXPECT_THAT(instances.missing, ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(read_instances(folder_.write("bare.csv", "0.5,2\n1,3\n"), {.real = true}).instances.reals,
              ElementsAre(0.5f, 2.0f, 1.0f, 3.0f));
}

TEST_F(PairwiseDistanceFiles, RealValuesThatAreWrittenReadAsTheSame) {
  for (const u32 missing : {0u, 200u}) {
    const auto problem = make_problem(testing::some_reals(13, 40, missing), Metric::euclidean);
    const auto files = problem->write_files(folder_.path());
    EXPECT_EQ(files.size(), 1u);
    const Instances again = read_instances(files.at("instances"), {.real = true}).instances;
    EXPECT_EQ(again.reals, problem->instances().reals);
    EXPECT_EQ(make_problem(again, Metric::euclidean)->hash(), problem->hash());
  }
}

TEST_F(PairwiseDistanceFiles, CsvOfNumbersHasThemAsCodes) {
  const auto file = read("2,1,2\n2,255,0\n");
  EXPECT_TRUE(file.numeric);
  EXPECT_EQ(file.instances.count, 2u);
  EXPECT_EQ(file.instances.attributes, 3u);
  EXPECT_EQ(file.instances.alphabet, 256u);
  EXPECT_THAT(values(file.instances), ElementsAre(2, 1, 2, 2, 255, 0));
  EXPECT_THAT(file.instances.names, ElementsAre("1", "2"));
  EXPECT_FALSE(file.instances.has_missing());
}

TEST_F(PairwiseDistanceFiles, CsvOfSymbolsHasThemInTheOrderOfTheirBytes) {
  EXPECT_THAT(values(read("A,C,1\n2,A,c\n").instances), ElementsAre(2, 3, 0, 1, 2, 4));
  const auto file = read("x1,A,C,1\nx2,2,A,c\n");
  EXPECT_FALSE(file.numeric);
  EXPECT_EQ(file.instances.alphabet, 5u);  // 1 2 A C c
  EXPECT_THAT(values(file.instances), ElementsAre(2, 3, 0, 1, 2, 4));
  EXPECT_THAT(file.instances.names, ElementsAre("x1", "x2"));
}

TEST_F(PairwiseDistanceFiles, CsvValuesMayBeMissing) {
  const auto file = read("a1,0,,NA\na2,?,-9,.\na3,1, ,2\n");
  EXPECT_THAT(values(file.instances), ElementsAre(0, -1, -1, -1, -1, -1, 1, -1, 2));
  EXPECT_EQ(file.instances.missing_values(), 6u);
  EXPECT_THAT(file.instances.codes, ElementsAre(0, 0, 0, 0, 0, 0, 1, 0, 2));
  const auto symbols = read("1,?,C\n?,A,1\n");
  EXPECT_THAT(values(symbols.instances), ElementsAre(0, -1, 2, -1, 1, 0));
  const auto none = read("n1,?\nm1,NA\n");
  EXPECT_THAT(values(none.instances), ElementsAre(-1, -1));
  EXPECT_EQ(none.instances.alphabet, 1u);
}

TEST_F(PairwiseDistanceFiles, TheHeaderAndTheNamesOfACsvAreFound) {
  for (const char* text :
       {"name,1,2\na,0,1\nb,2,0\n", "rs1,rs2\na,0,1\nb,2,0\n", "a,0,1\nb,2,0\n",
        "\"\",\"s1\",\"s2\"\na,0,1\nb,2,0\n", "#ID\trs1\trs2\r\na\t0\t1\r\n\r\nb\t2\t0",
        "\xef\xbb\xbfSample,0,1\n\"a\",0,1\n b , 2 ,0\n", "who,first,second\na,0,1\nb,2,0\n"}) {
    const auto file = read(text);
    EXPECT_THAT(values(file.instances), ElementsAre(0, 1, 2, 0)) << text;
    EXPECT_THAT(file.instances.names, ElementsAre("a", "b")) << text;
  }
  const auto numbered = read("id,x,y\n7,0,1\n8,2,0\n");  // names that could be values
  EXPECT_THAT(numbered.instances.names, ElementsAre("7", "8"));
  EXPECT_THAT(read("first,second\n0,1\n").instances.names, ElementsAre("1"));
  EXPECT_THAT(read("A,0,17\nB,1,0\n").instances.names, ElementsAre("A", "B"));
  EXPECT_THAT(read("A,?,C\nD,A,0\n").instances.names, ElementsAre("1", "2"));
  EXPECT_EQ(read("snp\n0\n1\n").instances.count, 2u);
  EXPECT_THAT(read("\"a, \"\"b\"\"\",1\nc,0\n").instances.names, ElementsAre("a, \"b\"", "c"));
}

TEST_F(PairwiseDistanceFiles, CsvErrorsNameLineFieldAndWhatIsAllowed) {
  expect_text(error("0,1\n0,1,2\n"));
  expect_text(error("name,a,b\n\nx,0\n"));
  expect_text(error("x,0,1\ny,0,256\n"));
  expect_text(error("x,0,256\ny,0,1\n"));
  for (const char* bad : {"-1", "0.5", "AB", "1e3", "NaN", "+-1", "\xc3\xa9"})
    expect_text(error("a,0,0\nb,0," + std::string(bad) + "\n"));
  expect_text(error("x1,0,1\nx2,17,0\nx3,A,0\n"));
  expect_text(error("x1,17,1\nx2,A,0\n"));
  expect_text(error("x,\"1\ny,0\n"));
  expect_text(error("name\nx\n"));
  for (const char* empty : {"", "\n\n", "name,a,b\n", " \t\n"}) expect_text(error(empty));
  expect_text(error("x,0,rs1\ny,0,1\n"));
}

TEST_F(PairwiseDistanceFiles, FastaLettersAreCodesWhateverTheirCase) {
  const auto file = read(">one first\nACG\nT-N\n>two\nacgu?x\n", "a.fasta");
  EXPECT_FALSE(file.numeric);
  EXPECT_EQ(file.instances.alphabet, 5u);  // A C G T U
  EXPECT_THAT(values(file.instances), ElementsAre(0, 1, 2, 3, -1, -1, 0, 1, 2, 4, -1, -1));
  EXPECT_THAT(file.instances.names, ElementsAre("one", "two"));
  EXPECT_THAT(values(read(">a\nR.\n>b\nNA\n").instances), ElementsAre(1, -1, -1, 0));
  EXPECT_EQ(read(">a\n--\n>b\n??\n").instances.alphabet, 1u);
}

TEST_F(PairwiseDistanceFiles, AsparagineIsAValueOfProteins) {
  const auto file = read(">a\nNXE\n>b\nN*-\n");
  EXPECT_THAT(values(file.instances), ElementsAre(2, -1, 1, 2, 0, -1));
}

TEST_F(PairwiseDistanceFiles, FastaErrorsNameTheRecord) {
  expect_text(error(">a\nACG\n>b\nAC\n", "x.fa"));
  expect_text(error(">a\nAC1\n", "x.fa"));
  expect_text(error(">a\n\n>b\nAC\n", "x.fa"));
}

TEST_F(PairwiseDistanceFiles, BedGenotypesAreCopiesOfTheFirstAllele) {
  // SNP 1: samples 2 copies, missing, 1, 0, 0; SNP 2: 0, 0, 0, 0, 2.
  const auto path = write_bed(std::string_view("\x6c\x1b\x01\xe4\x03\xff\x00", 7), 5, 2);
  const auto file = read_instances(path);
  EXPECT_TRUE(file.numeric);
  EXPECT_EQ(file.instances.alphabet, 3u);
  EXPECT_THAT(values(file.instances), ElementsAre(2, 0, -1, 0, 1, 0, 0, 0, 0, 2));
  EXPECT_THAT(file.instances.names, ElementsAre("s0", "s1", "s2", "s3", "s4"));
  folder_.write("data.fam", "f a 0 0 0 -9\nf b 0 0 0 -9\ng a 0 0 0 -9\ng b 0 0 0 -9\nh c 0 0 0 -9\n");
  EXPECT_THAT(read_instances(path).instances.names, ElementsAre("f_a", "f_b", "g_a", "g_b", "h_c"));
}

TEST_F(PairwiseDistanceFiles, BedErrorsNameTheByte) {
  const auto error_of = [&](std::string_view bytes) {
    try {
      read_instances(write_bed(bytes, 5, 2));
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  expect_text(error_of("chr1\t0\t10\n"));
  expect_text(error_of(std::string_view("\x6c\x1b\x00\x00", 4)));
  expect_text(error_of("\x6c\x1b"));
  expect_text(error_of(""));
  expect_text(error_of(std::string_view("\x6c\x1b\x01\0\0\0", 6)));
  expect_text(error_of(std::string_view("\x6c\x1b\x01\0\0\0\0\0", 8)));
}

TEST_F(PairwiseDistanceFiles, LinesWithHashBesideABedAreSkipped) {
  const auto path = write_bed(std::string_view("\x6c\x1b\x01\xe4\x03\xff\x03", 7), 5, 2);
  const auto plain = read_instances(path).instances;
  folder_.write("data.fam", "#FID IID PAT MAT SEX PHENO\n" + read_file(folder_.path() / "data.fam"));
  folder_.write("data.bim", " #CHROM ID CM POS A1 A2\n1 rs0 0 0 A G\n# more\n1 rs1 0 1 A G\n");
  const auto commented = read_instances(path).instances;
  EXPECT_EQ(commented.names, plain.names);
  EXPECT_EQ(values(commented), values(plain));
  folder_.write("data.fam", "FID IID PAT MAT SEX PHENO\n" + read_file(folder_.path() / "data.fam"));
  expect_error_text([&] { read_instances(path); });
}

TEST_F(PairwiseDistanceFiles, SamplesThatABedDoesNotHaveAreRefused) {
  const std::string_view bytes("\x6c\x1b\x01\xe4\x03\xff\x03", 7);  // five samples
  for (const int samples : {1, 2, 3, 4, 9}) {
    const auto path = write_bed(bytes, samples, 2);
    EXPECT_THROW(read_instances(path), UsageError) << samples;
  }
  const auto path = write_bed(std::string_view("\x6c\x1b\x01\xe4\x01", 5), 3, 2);
  expect_error_text([&] { read_instances(path); });
}

TEST_F(PairwiseDistanceFiles, NamesThatBeginWithHashAreWrittenAsSamples) {
  Instances instances = some_instances(2, 3);
  instances.names = {"#a", "b"};
  write_plink(folder_.path() / "x.bed", instances);
  EXPECT_THAT(read_instances(folder_.path() / "x.bed").instances.names, ElementsAre("_a", "b"));
  write_csv(folder_.path() / "x.csv", instances);
  EXPECT_EQ(read_instances(folder_.path() / "x.csv").instances.names, instances.names);
}

TEST_F(PairwiseDistanceFiles, TheFilesBesideABedAreHeldToTheirFields) {
  const auto path = write_bed(std::string_view("\x6c\x1b\x01\xe4\x03", 5), 5, 1);
  const auto failure = [&] {
    try {
      read_instances(path);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  folder_.write("data.bim", "1 rs1 0 5 A G\n1 rs2\n");
  expect_text(failure());
  folder_.write("data.bim", "");
  expect_text(failure());
  folder_.write("data.fam", "\nf s 0 0\n");
  expect_text(failure());
  std::filesystem::remove(folder_.path() / "data.fam");
  expect_text(failure());
  EXPECT_THAT(files_beside(path), ElementsAre(folder_.path() / "data.bim", folder_.path() / "data.fam"));
}

TEST_F(PairwiseDistanceFiles, GzipReadsAsPlain) {
  EXPECT_THAT(values(read(gzip("1,0\n0,1\n"), "a.csv.gz").instances), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(values(read(gzip(">a\nAC\n>b\nCC\n"), "a.fa.gz").instances), ElementsAre(0, 1, 1, 1));
  write_bed("", 5, 1);
  std::filesystem::remove(folder_.path() / "data.bed");
  folder_.write("data.fam.gz", gzip(read_file(folder_.path() / "data.fam")));
  std::filesystem::remove(folder_.path() / "data.fam");
  const auto file = read(gzip(std::string_view("\x6c\x1b\x01\xe4\x03", 5)), "data.bed.gz");
  EXPECT_THAT(values(file.instances), ElementsAre(2, -1, 1, 0, 0));
}

TEST_F(PairwiseDistanceFiles, WhatIsWrittenReadsAsTheSame) {
  for (const u64 attributes : {1u, 64u, 131u})
    for (const u32 missing : {0u, 300u}) {
      const auto problem = make_problem(some_instances(13, attributes, 3, missing), Metric::ibs);
      const auto files = problem->write_files(folder_.path());
      EXPECT_EQ(files.size(), 5u);
      EXPECT_THAT(read_file(files.at("numbered_fam")), AllOf(::testing::StartsWith("1 1 0 0 0 -9\n2 2 "),
                                                             ::testing::EndsWith("\n13 13 0 0 0 -9\n")));
      for (const char* role : {"instances", "bed"}) {
        Instances again = read_instances(files.at(role)).instances;
        EXPECT_EQ(again.names, problem->instances().names) << role;
        again.alphabet = 3;
        EXPECT_EQ(make_problem(again, Metric::ibs)->hash(), problem->hash()) << role;
      }
    }
  const auto wide = make_problem(some_instances(3, 500, 256), Metric::hamming);
  EXPECT_EQ(wide->write_files(folder_.path()).size(), 1u);
  EXPECT_EQ(make_problem(read_instances(folder_.path() / "instances.csv").instances, Metric::hamming)->hash(),
            wide->hash());
}

TEST_F(PairwiseDistanceFiles, ProblemsAreLoadedFromThemByTheirDataName) {
  const auto load = [&](const std::string& metric, const std::filesystem::path& path) {
    return load_problem({.point = {{"instances", std::string("mine")}, {"metric", metric}},
                         .files = {{"mine", path}},
                         .seed = 1,
                         .cache_dir = {},
                         .threads = 1});
  };
  const auto fasta = folder_.write("a.fa", ">a\nAC\n>b\nCC\n");
  EXPECT_EQ(load("hamming", fasta)->describe()["instances"], "mine");
  expect_error_text([&] { load("manhattan", fasta); });
  expect_error_text([&] { load("ibs", folder_.write("a.csv", "0,3\n0,1\n")); });
}

}  // namespace
}  // namespace gpuseq::pairwise_distance
