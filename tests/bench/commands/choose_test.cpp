#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "bench/commands/choose/layouts.hpp"
#include "bench/commands/choose/screen.hpp"
#include "bench/commands/cli.hpp"
#include "bench/plan/selected_space.hpp"
#include "bench/run/phases/kernel_phases.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/golden_text.hpp"

// `choose` on small references, with the kernels of fm_index.

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
using ::testing::HasSubstr;

constexpr std::size_t kBases = 20'000;

std::string random_bases(std::size_t count) {
  std::mt19937 random(1);
  std::string bases;
  for (std::size_t i = 0; i < count; ++i) bases += "ACGT"[random() % 4];
  return bases;
}

class Choose : public ::testing::Test {
 protected:
  Result choose(const std::string& reference, std::vector<std::string> more) {
    std::vector<std::string> arguments{"--device", "cpu", "--reference", reference};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return result_of(scratch_, "choose", arguments);
  }
  std::string refusal(const std::string& reference, std::vector<std::string> more = {}) {
    const Result found = choose(reference, std::move(more));
    EXPECT_EQ(found.code, 2);
    EXPECT_EQ(found.out, "");
    return found.err;
  }
  std::string random_reference() { return scratch_.write("ref.fa", ">r\n" + random_bases(kBases) + "\n"); }

  Scratch scratch_;
  const Registry registry_ = make_registry();
};

/// The words of the command that begins so, over all its lines.
std::vector<std::string> words_of_command(const std::string& text, const std::string& begin) {
  std::string command = text.substr(text.find(begin));
  for (std::size_t end; (end = command.find(" \\\n")) != std::string::npos;) command.replace(end, 3, " ");
  std::istringstream line(command.substr(0, command.find('\n')));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  words.erase(words.begin());  // the program
  return words;
}

TEST_F(Choose, NamesTheSmallestIndexAboveTheLimit) {
  expect_text(refusal(random_reference(), {"--index-bytes", "1k"}));
}

TEST_F(Choose, RejectsBrokenInputWithItsReason) {
  expect_text(refusal(scratch_ / "missing.fa"));
  expect_text(refusal(scratch_.write("empty.fa", "")));
  expect_text(refusal(scratch_.write("n.fa", ">n\nNNNN\n")));
  expect_text(refusal(scratch_.write("protein.fa", ">p\nMKEFDAAW\n")));
  expect_text(refusal(random_reference(), {"--read-length", "20001"}));
  expect_text(refusal(random_reference(), {"--read-length", "0"}));
  expect_text(refusal(random_reference(), {"--index-bytes", "few"}));
}

TEST_F(Choose, PrintsAPickWithinTheLimitAndItsCommands) {
  const std::string reference = random_reference(), run = scratch_ / "chosen";
  const Result chosen = choose(
      reference, {"--read-length", "30", "--index-bytes", "12k", "--budget", "10", "--output", run, "--set",
                  "probe_budget_s=0", "--set", "families.fm_index.problems.0.query_count=2000"});
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  const nlohmann::json tuned = run_json(run)["tuned"];
  ASSERT_EQ(tuned.size(), 1u);
  EXPECT_LE(tuned[0]["memory"]["parts"]["index"].get<int>(), 12'000);
  for (const results::Record& record : records(run))
    if (record.memory.value) {
      EXPECT_LE(record.memory.value->parts.at("index"), 12'000u);
    }
  const nlohmann::json first = run_json(run)["config"]["tune"]["first"];
  std::vector<results::Record> swept = records(run);
  std::erase_if(swept, [](const auto& one) { return one.kind != "kernel" || one.phase != "sweep"; });
  const Family& family = registry_.family("fm_index");
  std::size_t measured = first.size();
  for (const nlohmann::json& cut : run_json(run)["budget"]["cut"])
    if (cut["what"] == kFirstPoints) measured -= cut["states"].get<std::size_t>();
  ASSERT_GE(swept.size(), measured);
  for (std::size_t i = 0; i < measured; ++i) {
    const auto variant = first[i]["variant"].get<std::string>();
    EXPECT_EQ(swept[i].state.variant, variant);
    EXPECT_EQ(swept[i].state.point,
              family.variant(variant).space.complete(Point::from_json(first[i]["point"])));
  }
  EXPECT_THAT(chosen.out, HasSubstr(fmt::format("\nmeasured    {} of {} layouts", measured, first.size())));
  std::istringstream lines(chosen.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(count, 40);
  for (const char* row : {"fastest ", "rate ", "bound ", "memory ", "build ", "bowtie ", "bwa "})
    EXPECT_THAT(chosen.out, HasSubstr(std::string("\n") + row));

  std::vector<std::string> exported = words_of_command(chosen.out, "gpuseq-bench export");
  std::ranges::replace(exported, std::string("fm-index-library"), std::string(scratch_ / "library"));
  EXPECT_EQ(gpuseq::bench::testing::run(scratch_, exported), 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "library" / "README.md"));

  const std::string reads = scratch_.write("reads.fa", ">q\n" + random_bases(kBases).substr(100, 30) + "\n");
  std::vector<std::string> searched = words_of_command(chosen.out, "gpuseq-bench exec");
  std::ranges::replace(searched, std::string("queries=READS.fq"), "queries=" + reads);
  std::ranges::replace(searched, std::string("counts.tsv"), std::string(scratch_ / "counts.tsv"));
  EXPECT_EQ(gpuseq::bench::testing::run(scratch_, searched), 0);
  EXPECT_EQ(count_lines(scratch_ / "counts.tsv", "q\t"), 1);
}

TEST_F(Choose, PrintsItsScreenAfterResume) {
  const std::string run = scratch_ / "chosen";
  const Result chosen =
      choose(random_reference(), {"--index-bytes", "11k", "--budget", "8", "--output", run});
  ASSERT_EQ(chosen.code, 0) << chosen.err;
  // The rest of the budget may measure more, so rates and bounds can be others.
  const auto reference = [](const Result& one) { return one.out.substr(0, one.out.find("\nfastest ")); };
  EXPECT_EQ(reference(result_of(scratch_, "run", {"--resume", run})), reference(chosen));

  keep_records(run + "/records.jsonl", 0);  // as if it had died
  const Result resumed = result_of(scratch_, "run", {"--resume", run});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_GE(records(run).size(), 1u);
  EXPECT_THAT(resumed.out, HasSubstr("\nfastest "));
}

/// A choice with a winner that has no library, and one measured variant with a library.
Choice choice_of_verify() {
  results::Record measured;
  measured.kind = "kernel";
  measured.phase = "sweep";
  measured.took_s = 2;
  measured.state = {.family = "fm_index", .variant = "simd", .problem = {}, .point = {}, .device = "cpu"};
  measured.state.point = make_registry().family("fm_index").variant("simd").space.complete({{"k", 2}});
  measured.statistics.emplace();
  measured.statistics->rate = 5e8;
  measured.memory.value = HeldMemory{.parts = {{"index", 7'500'192}}};
  const auto winner = nlohmann::ordered_json::parse(R"({
    "variant": "verify_prefetch", "device": "cpu", "point": {"k": 9, "row_bytes": 8, "queries_in_flight": 32, "threads": 0},
    "rate": 6e8, "rate_low": 5.5e8, "rate_high": 6.2e8, "confidence": 0.95, "fraction_of_bound": 0.634, "bound_by": "L3",
    "memory": {"bytes": 51100000, "parts": {"index": 41500000, "output": 1600000, "queries": 8000000}},
    "waits": {"index_from_cache": true, "parts": {"index": 0.05}}})");
  return {.reference = "my genome.fa",
          .bases = 5'000'000,
          .read_length = 100,
          .index_bytes = 400'000'000,
          .folder = "runs/mine",
          .tuned = nlohmann::ordered_json::array({winner}),
          .records = {measured},
          .layouts = 40,
          .measured_layouts = 38,
          .tools = {{"bowtie", "not installed"}}};
}

TEST(ChoiceScreen, OffersALibraryOfTheNextVariant) {
  const Registry registry = make_registry();
  expect_text(choice_text(choice_of_verify(), registry.family("fm_index")));
}

TEST(ChoiceScreen, NamesTheBudgetIfNothingHasARate) {
  EXPECT_EQ(
      no_choice_text({.reference = "genome.fa", .folder = "runs/mine", .layouts = 40, .measured_layouts = 2}),
      "no configuration has a rate: the budget ended before 38 of 40 layouts; give a larger --budget; "
      "records: "
      "runs/mine/records.jsonl");
  EXPECT_EQ(no_choice_text(
                {.reference = "genome.fa", .folder = "runs/mine", .layouts = 40, .measured_layouts = 40}),
            "no configuration has a rate; records: runs/mine/records.jsonl");
}

TEST(Layouts, AreWithinTheLimitOnEveryDevice) {
  constexpr std::uint64_t kLimit = 10'000'000;
  const Registry registry = make_registry();
  const Family& family = registry.family("fm_index");
  const Point problem = family.problem_space().complete({{"reference", "file"}, {"query_count", 1000}});
  const LayoutRequest request{.problem = problem, .data_bytes = {{"file", 5'000'000}}, .index_bytes = kLimit};
  const std::vector<DeviceInfo> devices{
      {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{8} << 30},
      {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = std::size_t{8} << 30}};
  const Layouts layouts = layouts_within(family, request, devices, {});
  const auto has = [&](const char* variant) {
    return std::ranges::find(layouts.within, variant, &Layout::variant) != layouts.within.end();
  };
  EXPECT_TRUE(has("simd"));
  EXPECT_EQ(has("full_cooperative"), registry.with_cuda);
  for (const Layout& layout : layouts.within) {
    const Variant& variant = family.variant(layout.variant);
    EXPECT_FALSE(variant.space.why_invalid(layout.usual)) << layout.usual.to_string();
    Random random(1, 1);
    std::vector<Point> points = SelectedSpace(variant.space, {layout.axes}).sample(3, random);
    points.push_back(layout.usual);
    for (const Point& point : points) {
      const Cost cost = variant.cost({.point = point, .problem = problem, .data_bytes = request.data_bytes});
      EXPECT_EQ(cost.held.parts.at("index"), layout.index_bytes) << layout.variant << point.to_string();
      EXPECT_LE(layout.index_bytes, kLimit);
    }
  }
}

TEST(Layouts, AreRankedByTheirReadsAfterOneOfEachVariant) {
  const auto layout = [](const char* variant, double blocks_per_base, std::size_t block_bytes) {
    return Layout{.variant = variant, .blocks_per_base = blocks_per_base, .block_bytes = block_bytes};
  };
  std::vector<std::string> order;
  for (const Layout& one : ranked({layout("a", 0.5, 32),
                                   layout("a", 0.2, 64),
                                   layout("b", 0.9, 32),
                                   {.variant = "c"},
                                   layout("b", 0.7, 32),
                                   layout("a", 0.2, 32)}))
    order.push_back(fmt::format("{} {} {}", one.variant, one.blocks_per_base, one.block_bytes));
  EXPECT_THAT(order,
              ::testing::ElementsAre("a 0.2 32", "b 0.7 32", "c inf 0", "a 0.2 64", "a 0.5 32", "b 0.9 32"));
}

TEST(Layouts, WithLongStepsComeBeforeShortOnes) {
  const Registry registry = make_registry();
  const Family& family = registry.family("fm_index");
  const LayoutRequest request{
      .problem = family.problem_space().complete({{"reference", "file"}, {"query_count", 1000}}),
      .data_bytes = {{"file", 5'000'000}},
      .index_bytes = {}};
  const std::vector<DeviceInfo> devices{
      {.id = "cpu", .kind = DeviceKind::cpu, .free_bytes = std::size_t{8} << 30}};
  std::vector<std::int64_t> steps;
  for (const Layout& one : ranked(layouts_within(family, request, devices, {}).within))
    if (one.variant == "simd") steps.push_back(one.usual.integer("k"));
  ASSERT_GT(steps.size(), 1u);
  EXPECT_GT(steps.front(), steps.back());
}

}  // namespace
}  // namespace gpuseq::bench

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv, gpuseq::bench::make_registry());
}
