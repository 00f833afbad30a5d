#include "kernels/exact_match/family.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/archive_member.hpp"
#include "tests/covered_cost.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/mummer_output.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"

namespace gpuseq::exact_match {
namespace {

namespace fs = std::filesystem;

class FamilyTest : public ::testing::Test {
 protected:
  /// The output of exec.
  std::string exec(const fs::path& reference, const fs::path& queries, const Search& search,
                   const std::string& variant = "tree_words", const std::string& point = "") {
    const fs::path out = folder_.path() / "matches.txt";
    const ExecRequest request{.variant = variant,
                              .point = Point::parse(point),
                              .options = {{"min_length", std::int64_t{search.min_length}},
                                          {"mode", std::string(kModeNames[static_cast<u8>(search.mode)])},
                                          {"both_strands", std::string(search.both_strands ? "yes" : "no")}},
                              .data = {{"reference", reference}, {"queries", queries}},
                              .outputs = {{"out", out}},
                              .cache_dir = folder_.path() / "cache"};
    family_->exec(request, *device_);
    return read_file(out);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> device_ = open_device("cpu");
};

TEST_F(FamilyTest, ExecWritesWhatMummerPrints) {
  if (testing::mummer_is_missing()) GTEST_SKIP() << testing::kNoMummer;
  std::vector<testing::SmallInput> inputs = testing::chosen_inputs();
  for (unsigned number = 100; number < 110; ++number) inputs.push_back(testing::random_input(number));
  for (const auto& input : inputs) {
    const auto reference = folder_.write("r.fa", input.reference);
    const auto queries = folder_.write("q.fa", input.queries);
    const Mode mode = static_cast<Mode>(input.reference.size() % 3);
    for (const u32 length : input.min_lengths) {
      const Search search{.min_length = length, .mode = mode, .both_strands = length % 2 == 0};
      const std::string expected =
          testing::sorted_lines(testing::run_mummer(folder_, search, reference, queries));
      for (const char* variant : {"tree", "tree_words"})
        EXPECT_EQ(testing::sorted_lines(exec(reference, queries, search, variant, "threads=1")), expected)
            << input.name << ", -l " << length;
    }
  }
}

TEST_F(FamilyTest, ExecWritesWhatMummerPrintsOfEColi) {
  const fs::path packed = "/usr/share/doc/bowtie/examples/genomes/NC_008253.fna.gz";
  if (testing::mummer_is_missing()) GTEST_SKIP() << testing::kNoMummer;
  if (!fs::exists(packed)) GTEST_SKIP() << "package bowtie-examples is not installed";
  const auto problem =
      load_problem({.point = Point::parse("reference=ecoli,query_count=3000,errors_per_1000=20"),
                    .files = {{"ecoli", packed}},
                    .seed = 3,
                    .cache_dir = {},
                    .threads = 1});
  const auto files = problem->write_files(folder_.path());
  const Search search{.min_length = 20, .mode = Mode::maxmatch, .both_strands = true};
  const std::string ours = exec(files.at("reference"), files.at("queries"), search);
  EXPECT_GT(std::count(ours.begin(), ours.end(), '\n'), 9000);
  EXPECT_EQ(testing::sorted_lines(ours), testing::sorted_lines(testing::run_mummer(
                                             folder_, search, files.at("reference"), files.at("queries"))));
}

TEST_F(FamilyTest, ExecWritesWhatMummerPrintsOfRealReads) {
  constexpr int kReads = 200;
  const fs::path archive = "/usr/share/doc/wtdbg2-examples/selfSampleData.tar.gz";
  if (testing::mummer_is_missing()) GTEST_SKIP() << testing::kNoMummer;
  if (!fs::exists(archive)) GTEST_SKIP() << "package wtdbg2-examples is not installed";
  const fs::path reference = archive_member(archive, "selfSampleData/reference.fasta", folder_.path());
  std::ifstream all(archive_member(archive, "selfSampleData/pacbio_filtered.fastq", folder_.path()));
  std::string fastq, fasta, line;
  for (int i = 0; i < 4 * kReads && std::getline(all, line); ++i) {
    if (i % 4 == 0) line = line.substr(1);
    fastq += fmt::format("{}{}\n", i % 4 == 0 ? "@" : "", line);
    if (i % 4 < 2) fasta += fmt::format("{}{}\n", i % 4 == 0 ? ">" : "", line);  // all that mummer reads
  }
  const auto queries = folder_.write("reads.fq", fastq), for_mummer = folder_.write("reads.fa", fasta);
  const Search search{.min_length = 20, .mode = Mode::maxmatch, .both_strands = true};
  const std::string ours = exec(reference, queries, search);
  EXPECT_GT(std::count(ours.begin(), ours.end(), '\n'), 15000);
  EXPECT_EQ(testing::sorted_lines(ours),
            testing::sorted_lines(testing::run_mummer(folder_, search, reference, for_mummer)));
}

TEST_F(FamilyTest, ExecReadsFastqAndWritesEveryQueryEmptyOnesToo) {
  const auto reference = folder_.write("r.fa", ">r\nACGTTGCAACGGTTA\n");
  const auto queries = folder_.write("q.fq", "@a x\nTTGCAA\n+\nIIIIII\n@b\n\n+\n\n@c\nTTGCNA\n+\nIIIIII\n");
  EXPECT_EQ(
      exec(reference, queries, {.min_length = 4, .both_strands = true}),
      "> a\n       4         1         6\n> a Reverse\n       4         1         6\n"
      "> b\n> b Reverse\n> c\n       4         1         4\n> c Reverse\n       6         3         4\n");
}

TEST_F(FamilyTest, ExecRefusesWhatItCannotDo) {
  const auto reference = folder_.write("r.fa", ">r\nACGT\n");
  const auto queries = folder_.write("q.fa", ">q\nACGT\n");
  const auto message = [&](const ExecRequest& request) -> std::string {
    try {
      family_->exec(request, *device_);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  ExecRequest request{.variant = "tree",
                      .point = {},
                      .data = {{"reference", reference}, {"queries", queries}},
                      .outputs = {{"out", queries}},
                      .cache_dir = {}};
  expect_text(message(request));
  EXPECT_EQ(read_file(queries), ">q\nACGT\n");
  request.outputs["out"] = folder_.path() / "out";
  request.problem = Point::parse("min_length=3");
  expect_text(message(request));
  request.problem = {};
  request.options = Point::parse("mode=all");
  expect_text(message(request));
  request.options = Point::parse("min_length=0");
  expect_text(message(request));
  request.options = {};
  request.data["reference"] = folder_.write("n.fa", ">r\nNNNN\n>s\n\n");
  expect_text(message(request));
  request.data.erase("reference");
  expect_text(message(request));
}

TEST_F(FamilyTest, PointsOfEveryCpuVariantPassTheirVerification) {
  for (const char* text :
       {"reference_bases=20000,repeat_percent=50,query_count=300,min_length=12",
        "reference_bases=3000,reference_sequences=4,query_count=100,query_bases=40,"
        "errors_per_1000=50,min_length=8,both_strands=yes,mode=mumreference",
        "reference_bases=5000,query_count=20,query_bases=30,min_length=31",
        "reference_bases=8000,repeat_percent=90,query_count=50,query_bases=500,mode=mum"}) {
    const auto problem =
        family_->load({.point = Point::parse(text), .files = {}, .seed = 2, .cache_dir = {}});
    for (const Variant& variant : family_->variants()) {
      if (variant.device != DeviceKind::cpu) continue;  // cuda_gpu_test has the others
      std::vector<Point> points = variant.space.all_points();
      for (std::size_t i = 0; i < points.size(); i += points.size() / 23 + 1) {
        Point& point = points[i];
        if (point.has("prefix_letters") && point.integer("prefix_letters") > 8)
          point.set("prefix_letters", 7);
        if (point.has("filter_letters") && point.integer("filter_letters") > 12)
          point.set("filter_letters", 8);
        point.set("threads", point.integer("in_flight") == 4 ? 2 : 1);
        const auto session = variant.prepare(*problem, variant.space.complete(point), *device_);
        const Verification result = session->verify();
        EXPECT_TRUE(result.passed) << text << " " << variant.name << " " << point.to_string() << ": "
                                   << result.reason;
        EXPECT_EQ(result.checked == 0, std::string_view(text).ends_with("31"));
        const Cost cost = session->cost();
        EXPECT_EQ(cost.work.unit, "query bases");
        const auto& traffic = cost.traffic;
        expect_covered(cost, variant, point, family_->problem_space().complete(Point::parse(text)));
        ASSERT_TRUE(traffic.has_value());
        EXPECT_GT(traffic->footprint_bytes, 3000u);
        EXPECT_EQ(traffic->access, point.integer("in_flight") == 1 ? "dependent" : "independent");
        EXPECT_EQ(traffic->blocks > 0, !std::string_view(text).ends_with("31"));
      }
    }
  }
}

}  // namespace
}  // namespace gpuseq::exact_match
