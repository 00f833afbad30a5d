#include <gtest/gtest.h>

#include "kernels/exact_match/family.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/exact_match/mummer_output.hpp"
#include "tests/kernels/exact_match/records_alike.hpp"
#include "tests/runtime/gzip.hpp"

// exec from files to a file: a broken input ends with an error that says where, and the old file stays.

namespace gpuseq::exact_match {
namespace {

namespace fs = std::filesystem;

class ExecTest : public ::testing::Test {
 protected:
  void exec(const fs::path& reference, const fs::path& queries, const fs::path& out,
            const std::string& options = "min_length=4") {
    family_->exec({.variant = "tree_words",
                   .point = Point::parse("threads=2,prefix_letters=4,filter_letters=4"),
                   .options = Point::parse(options),
                   .data = {{"reference", reference}, {"queries", queries}},
                   .outputs = {{"out", out}},
                   .cache_dir = {}},
                  *device_);
  }
  /// "usage: ..." for exit code 2, "resource: ..." for 1.
  std::string error(const fs::path& reference, const fs::path& queries, const fs::path& out,
                    const std::string& options = "min_length=4") {
    try {
      exec(reference, queries, out, options);
    } catch (const UsageError& error) {
      return std::string("usage: ") + error.what();
    } catch (const ResourceError& error) {
      return std::string("resource: ") + error.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
  fs::path reference_ = folder_.write("r.fa", ">r\nACGTTGCAACGGTTA\n");
  fs::path out_ = folder_.path() / "out";
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> device_ = open_device("cpu");
};

TEST_F(ExecTest, RefusesBrokenQueriesWithTheirPlace) {
  std::string junk("\x7f\x45\x4c\x46\x02\0\0\xff", 8);
  expect_text(error(reference_, folder_.write("q", junk), out_));
  expect_text(error(reference_, folder_.write("q", ""), out_));
  expect_text(error(reference_, folder_.write("q", "\n\n\r\n"), out_));
  expect_text(error(reference_, folder_.write("q", ">a\nACGT\n>b\nAC!T\n"), out_));
  expect_text(error(reference_, folder_.write("q", "@a\nACGT\n+\nIIII\n@b\nACGT\n+\n"), out_));
  const std::string packed =
      gzip(">a\nACGTACGATCGATCGATTTTTACGGCGCATATACGACGACTACG\n>b\nACACACGTGTCACCATTA\n");
  expect_text(error(reference_, folder_.write("q", packed.substr(0, packed.size() - 12)), out_));
  expect_text(error(reference_, folder_.path() / "nothing", out_));
  expect_text(error(reference_, folder_.path(), out_));
}

TEST_F(ExecTest, LeavesAnOldFileWhereTheInputCannotBeReadAtAll) {
  const auto queries = folder_.write("q.fa", ">q\nACGT\n");
  folder_.write("out", "old\n");
  expect_text(error(folder_.write("bad.fa", "ACGT\n"), queries, out_));
  expect_text(error(reference_, folder_.path() / "nothing", out_));
  expect_text(error(reference_, queries, reference_));
  fs::create_symlink(queries, folder_.path() / "link");
  expect_text(error(reference_, queries, folder_.path() / "link"));
  EXPECT_EQ(read_file(out_), "old\n");
  EXPECT_EQ(read_file(reference_), ">r\nACGTTGCAACGGTTA\n");
  EXPECT_EQ(read_file(queries), ">q\nACGT\n");
}

/// On both sides of the size from which threads sort a reference in buckets.
TEST_F(ExecTest, FindsReadsThatEndAlikeInTheirOwnFile) {
  for (const std::size_t letters : {90'000, 138'000}) {
    const auto input = testing::records_alike(letters).front();
    const std::size_t digits = std::to_string(input.records.size() - 1).size();
    std::string fasta, expected;
    for (std::size_t i = 0; i < input.records.size(); ++i) {
      fasta += fmt::format(">t{}\n{}\n", i, input.records[i]);
      expected +=
          fmt::format("> t{}\n  t{:<{}}  {:>8}  {:>8}  {:>8}\n", i, i, digits, 1, 1, input.records[i].size());
    }
    const auto file = folder_.write("alike.fa", fasta);
    exec(file, file, out_, "min_length=40");
    EXPECT_EQ(read_file(out_), expected) << letters;
  }
}

TEST_F(ExecTest, SaysWhereItCannotWrite) {
  const auto queries = folder_.write("q.fa", ">q\nACGT\n");
  expect_text(error(reference_, queries, folder_.path() / "none" / "out"));
  expect_text(error(reference_, queries, folder_.path()));
  expect_text(error(reference_, queries, "/dev/full"));
  EXPECT_EQ(error(reference_, queries, "/dev/null"), "none");
}

TEST_F(ExecTest, LeavesAnOldFileWhereARecordBehindManyBlocksIsMalformed) {
  const std::string letters(85, 'A');
  std::string fasta, expected;
  constexpr int kRecords = 400'000;
  for (int i = 0; i < kRecords; ++i) {
    fasta += '>' + std::to_string(i) + '\n' + (i % 1000 == 0 ? "TTGCAA" : letters) + '\n';
    expected += "> " + std::to_string(i) + '\n' + (i % 1000 == 0 ? "       4         1         6\n" : "");
  }
  folder_.write("out", "old\n");
  expect_text(error(reference_, folder_.write("q.fa", fasta + ">bad\n*\n"), out_));
  EXPECT_EQ(read_file(out_), "old\n");
  exec(reference_, folder_.write("q.fa", fasta), out_);
  EXPECT_TRUE(read_file(out_) == expected);
}

TEST_F(ExecTest, WritesTheLinesOfMummersOptions) {
  if (testing::mummer_is_missing()) GTEST_SKIP() << testing::kNoMummer;
  const std::vector<std::pair<std::string, std::string>> flags{
      {"-c", "forward_positions"}, {"-F", "four_columns"}, {"-L", "query_lengths"}, {"-s", "letters"}};
  std::vector<testing::SmallInput> inputs = testing::chosen_inputs();
  for (unsigned number = 300; number < 306; ++number) inputs.push_back(testing::random_input(number));
  for (std::size_t i = 0; i < inputs.size() * 2; ++i) {
    const testing::SmallInput& input = inputs[i / 2];
    const auto reference = folder_.write("m.fa", input.reference);
    const auto queries = folder_.write("q.fa", input.queries);
    const std::size_t chosen = i < 4 ? std::size_t{1} << i : 1 + i % 15;  // each alone, then some together
    const Search search{.min_length = input.min_lengths[i % input.min_lengths.size()],
                        .mode = static_cast<Mode>(i % 3),
                        .both_strands = true};
    std::string options = fmt::format("min_length={},mode={},both_strands=yes", search.min_length,
                                      kModeNames[static_cast<u8>(search.mode)]);
    std::vector<std::string> theirs;
    for (std::size_t flag = 0; flag < flags.size(); ++flag) {
      if ((chosen >> flag & 1) == 0) continue;
      theirs.push_back(flags[flag].first);
      options += "," + flags[flag].second + "=yes";
    }
    exec(reference, queries, out_, options);
    EXPECT_EQ(testing::sorted_lines(read_file(out_)),
              testing::sorted_lines(testing::run_mummer(folder_, search, reference, queries, theirs)))
        << input.name << ": " << options;
  }
}

TEST_F(ExecTest, WritesALineOfLettersBehindItsMatch) {
  exec(reference_, folder_.write("q.fa", ">q x\nttGCAACGG\n"), out_,
       "min_length=4,both_strands=yes,letters=yes,query_lengths=yes,four_columns=yes,forward_positions=yes");
  EXPECT_EQ(read_file(out_),
            "> q  Len = 9\n  r         4         1         9\nttgcaacgg\n> q Reverse  Len = 9\n"
            "  r         2         8         8\ncgttgcaa\n");
}

TEST_F(ExecTest, SplitsAReferenceThatIsLargerThanTheMemoryAndWritesTheSame) {
  Random random(9);
  const std::string letters = testing::random_letters(random, 90'000, "ACGT");
  std::string queries;
  for (int i = 0; i < 300; ++i)
    queries += fmt::format(">q{}\n{}\n", i, letters.substr(random.below(89'000), 40 + random.below(60)));
  const auto reference = folder_.write("large.fa", ">r\n" + letters + letters.substr(200, 800) + "\n");
  const auto file = folder_.write("q.fa", queries);
  for (const char* mode : {"maxmatch", "mumreference", "mum"}) {
    const std::string options = fmt::format("min_length=15,mode={},both_strands=yes", mode);
    exec(reference, file, out_, options);
    const std::string expected = read_file(out_);
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 850);
    exec(reference, file, out_, options + ",memory=1,longest_query=100");
    EXPECT_EQ(read_file(out_), expected) << mode;
  }
  const auto longer = folder_.write("longer.fa", queries + ">long\n" + letters.substr(0, 101) + "\n");
  expect_text(error(reference, longer, out_, "memory=1,longest_query=100"));
  EXPECT_EQ(error(reference, longer, out_, "longest_query=100"), "none");
  expect_text(error(reference, longer, out_, "memory=1"));  // overlap over the memory
}

}  // namespace
}  // namespace gpuseq::exact_match
