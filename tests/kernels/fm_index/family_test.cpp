#include "kernels/fm_index/family.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/brute_force.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::fm_index {
namespace {

class FmIndexFamilyTest : public ::testing::Test {
 protected:
  ExecRequest request(const std::string& variant) const {
    return {.variant = variant,
            .point = {},
            .data = {{"reference", folder_.write("ref.fa", ">r\n" + text_ + "\n")}, {"queries", queries_}},
            .outputs = {{"out", folder_.path() / "out.tsv"}},
            .cache_dir = folder_.path() / "cache",
            .seed = 1};
  }
  std::string exec_error(const ExecRequest& request) const {
    try {
      family_->exec(request, *cpu_);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  std::string written() const {
    std::ifstream in(folder_.path() / "out.tsv");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string line(const std::string& name, const std::string& query) const {
    const auto interval = testing::BruteForce(text_).interval(query);
    return name + '\t' + std::to_string(interval.l) + '\t' + std::to_string(interval.h) + '\t' +
           std::to_string(interval.h - interval.l) + '\n';
  }

  TemporaryFolder folder_;
  std::string text_ = testing::random_letters(2000, 3);
  std::filesystem::path queries_ = folder_.write(
      "q.fa", ">one\n" + text_.substr(20, 50) + "\n>n\nACN\n>\n" + text_.substr(1, 3) + "\n>last\nA\n");
  std::unique_ptr<Family> family_ = make_family();
  std::unique_ptr<Device> cpu_ = open_device("cpu");
};

TEST_F(FmIndexFamilyTest, ExecWritesTheIntervalOfEveryQueryInFileOrderByEveryCpuVariant) {
  const std::string expected = "name\tl\th\tcount\n" + line("one", text_.substr(20, 50)) + "n\t0\t0\t0\n" +
                               line("3", text_.substr(1, 3)) + line("last", "A");
  int variants = 0;
  for (const Variant& variant : family_->variants()) {
    if (variant.device != DeviceKind::cpu) continue;
    ++variants;
    EXPECT_EQ(exec_error(request(variant.name)), "") << variant.name;
    EXPECT_EQ(written(), expected) << variant.name;
  }
  EXPECT_GT(variants, 0);
}

TEST_F(FmIndexFamilyTest, ExecWritesAnswersInFileOrderWhateverOrderQueriesAreSearchedIn) {
  const std::string expected = "name\tl\th\tcount\n" + line("one", text_.substr(20, 50)) + "n\t0\t0\t0\n" +
                               line("3", text_.substr(1, 3)) + line("last", "A");
  for (const char* order : {"sorted", "sorted_reversed", "by_rows"}) {
    ExecRequest ordered = request("scalar");
    ordered.problem.set("query_order", std::string(order));
    EXPECT_EQ(exec_error(ordered), "") << order;
    EXPECT_EQ(written(), expected) << order;
  }
}

TEST_F(FmIndexFamilyTest, ExecWritesTheIntervalOfEveryKmerByItsReadAndPlace) {
  ExecRequest kmers = request("scalar");
  kmers.problem.set("kmer_bases", std::int64_t{3});
  EXPECT_EQ(exec_error(kmers), "");
  std::string expected = "name\tl\th\tcount\n";
  for (std::size_t at = 0; at < 48; ++at)
    expected += line("one:" + std::to_string(at + 1), text_.substr(20 + at, 3));
  EXPECT_EQ(written(), expected + "n:1\t0\t0\t0\n" + line("3:1", text_.substr(1, 3)));
}

TEST_F(FmIndexFamilyTest, ExecSaysWhatIsMissing) {
  const std::string variant = family_->variants().front().name;
  ExecRequest incomplete = request(variant);
  incomplete.data.erase("queries");
  expect_text(exec_error(incomplete));
  EXPECT_NE(exec_error(request("nothing")).find("no variant 'nothing'"), std::string::npos);
  ExecRequest unwritable = request(variant);
  unwritable.outputs["out"] = folder_.path() / "no" / "folder" / "out.tsv";
  expect_text(exec_error(unwritable));
}

TEST_F(FmIndexFamilyTest, ExecLeavesTheDataAlone) {
  ExecRequest overwriting = request(family_->variants().front().name);
  overwriting.outputs["out"] = overwriting.data["reference"];
  expect_text(exec_error(overwriting));
  EXPECT_GT(std::filesystem::file_size(overwriting.data["reference"]), 2000u);
}

}  // namespace
}  // namespace gpuseq::fm_index
