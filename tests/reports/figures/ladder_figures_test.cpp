#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/io/json_text.hpp"
#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::filesystem::path kConfigs = source_dir() / "configs/paper";

std::vector<std::string> names(const Json& panel) {
  std::vector<std::string> names;
  for (const Json& row : rows(panel)) names.push_back(row["row"]);
  return names;
}

/// Points of a variant in a config that goes from a published kernel to ours, in its order.
std::vector<Point> points(const char* config, const char* family, const char* variant) {
  std::vector<Point> points;
  const Json spaces = read_json(kConfigs / config)["families"][family]["variants"][variant];
  for (const Json& space : spaces.is_array() ? spaces : Json::array({spaces})) {
    std::vector<Json> products{Json::object()};
    for (const auto& [axis, values] : space.items()) {
      std::vector<Json> next;
      for (const Json& product : products)
        for (const Json& value : values.is_array() ? values : Json::array({values})) {
          next.push_back(product);
          next.back()[axis] = value;
        }
      products = std::move(next);
    }
    for (const Json& product : products) points.push_back(Point::from_json(product));
  }
  return points;
}

Point with(Point point, const Point& axes) {
  for (const auto& [axis, value] : axes.values()) point.set(axis, value);
  return point;
}

TEST(PaparaLadder, GoesFromThePublishedKernelToTheFastestInTheOrderOfTheConfig) {
  std::vector<results::Record> records;
  const Point problem = papara_problem(320, 5000, 1250);
  const Point ours{{"threads_per_block", 64}, {"unroll", 24}, {"references_per_launch", 0}};
  double gcups = 1;
  for (const Point& point : points("papara.json", "papara", "blocked_shared"))
    records.push_back(papara_record("blocked_shared", problem, with(ours, point), "cuda:0", gcups *= 2));
  for (const Point& point : points("papara.json", "papara", "blocked_registers"))
    records.push_back(papara_record("blocked_registers", problem, with(ours, with(point, {{"unroll", 30}})),
                                    "cuda:0", 1000));
  const Json spec = *draw("papara/ladder", data(records)).spec;
  ASSERT_THAT(panels(spec), SizeIs(1));
  EXPECT_THAT(names(panels(spec)[0]),
              ElementsAre("as published", "ends = blocks", "recurrence = potentials",
                          "references of a launch as they fit", "arithmetic = s16x2",
                          "threads_per_block = 64", "unroll = 24", "blocked_registers, unroll = 30"));
  EXPECT_THAT(rows(spec)[1]["label"], HasSubstr("2 x"));
}

TEST(PaparaLadder, NeedsThePublishedKernelAndAStep) {
  Point point = published_blocks();
  const Point problem = papara_problem(320, 5000, 1250);
  const auto published = papara_record("blocked_shared", problem, point, "cuda:0", 1);
  point.set("ends", std::string("blocks"));
  const auto step = papara_record("blocked_shared", problem, point, "cuda:0", 2);
  EXPECT_THAT(draw("papara/ladder", data({published})).reason, HasSubstr("as published"));
  EXPECT_THAT(draw("papara/ladder", data({step})).reason, HasSubstr("as published"));
  EXPECT_TRUE(draw("papara/ladder", data({published, step})).spec);
}

TEST(PaparaLadder, NamesAllStepsThatWereTakenTogether) {
  Point point = published_blocks();
  const Point problem = papara_problem(320, 5000, 1250);
  std::vector<results::Record> records{papara_record("blocked_shared", problem, point, "cuda:0", 1)};
  point.set("ends", std::string("blocks"));
  point.set("recurrence", std::string("potentials"));
  records.push_back(papara_record("blocked_shared", problem, point, "cuda:0", 3));
  EXPECT_THAT(names(*draw("papara/ladder", data(records)).spec),
              ElementsAre("as published", "ends = blocks, recurrence = potentials"));
}

TEST(ExactMatchLadder, GoesFromMummerGpuToTheTreeOfWordsInTheOrderOfTheConfig) {
  // As the program completes points: defaults of the kernel that is ours.
  const Point ours{{"memory", "global"},    {"node_order", "breadth_first"},
                   {"text_order", "plain"}, {"leaves", "implicit"},
                   {"edge_ends", "known"},  {"reverse_complements", "uploaded"},
                   {"memory_mib", 0},       {"result", "slots"}};
  std::vector<results::Record> records;
  double rate = 1e9;
  for (const std::int64_t least : {100, 20}) {
    for (const Point& point : points("exact-match-ladder.json", "exact_match", "tree_gpu"))
      records.push_back(match_record("tree_gpu", 100, least, with(ours, point), "cuda:0", rate *= 1.1));
    const Point words{{"result", std::string("slots")}};
    records.push_back(match_record("tree_words_gpu", 100, least, words, "cuda:0", rate));
  }
  const Json spec = *draw("exact-match/ladder", data(records)).spec;
  ASSERT_THAT(panels(spec), SizeIs(2));
  EXPECT_THAT(panels(spec)[0]["title"]["text"].dump(), HasSubstr("l = 20"));
  for (const Json& panel : {panels(spec)[0], panels(spec)[1]})
    EXPECT_THAT(names(panel),
                ElementsAre("as published", "all of the memory", "reverse_complements = uploaded",
                            "edge_ends = known", "leaves = implicit", "node_order = breadth_first",
                            "memory = texture_linear", "text_order = plain", "memory = global",
                            "reverse_complements = computed", "tree_words_gpu"));
}

/// Bytes of a sampled entry: 4^k counters of 4 bytes, or half of them, and k columns of d rows.
double entry_bytes(const Point& point) {
  const std::int64_t k = point.integer("k"), d = point.integer("d");
  const bool alternate = point.has("counters") && point.word("counters") == "alternate";
  return static_cast<double>((std::int64_t{4} << (2 * k)) / (alternate ? 2 : 1) + 2 * k * d / 8);
}

/// Searches of all points of the config for the published schemes.
std::vector<results::Record> scheme_records() {
  std::vector<results::Record> records;
  for (const std::string variant : {"task_parallel", "task_parallel_16b", "task_parallel_split",
                                    "memory_cooperative", "full_cooperative_split", "full_cooperative"})
    for (Point point : points("fm-index.json", "fm_index", variant.c_str())) {
      if (variant == "full_cooperative_split" && !point.has("chunks"))
        point.set("chunks", std::string("whole"));
      records.push_back(scheme_record(variant, problem(100000000), point, entry_bytes(point), 1e9));
    }
  return records;
}

TEST(FmIndexLadder, HasAPanelOfEachLayoutAndItsSchemesFromThePublishedToOurs) {
  const Json spec = *draw("fm-index/ladder", data(scheme_records())).spec;
  std::vector<std::string> titles;
  for (const Json& panel : panels(spec)) titles.push_back(panel["title"]["text"].dump());
  EXPECT_THAT(titles, ElementsAre(HasSubstr("k=1 d=64,"), HasSubstr("k=1 d=192,"), HasSubstr("k=1 d=448,"),
                                  HasSubstr("k=2 d=64,"), HasSubstr("k=2 d=192,"), HasSubstr("k=2 d=448,"),
                                  HasSubstr("k=2 d=64 alternate"), HasSubstr("k=2 d=192 alternate"),
                                  HasSubstr("k=2 d=448 alternate")));
  EXPECT_THAT(names(panels(spec)[2]),
              ElementsAre("naive: as published", "naive: needed chunks", "naive: merged reads",
                          "16 bytes: as published", "16 bytes: needed chunks", "16 bytes: merged reads",
                          "improved: as published", "improved: needed chunks", "memory: as published",
                          "memory: merged reads", "full: as published", "full: needed chunks",
                          "full: lanes a query", "full: fewer lanes"));
  // Of entries of one chunk all rows are needed.
  EXPECT_THAT(names(panels(spec)[0]),
              ElementsAre("naive: as published", "naive: merged reads", "16 bytes: as published",
                          "16 bytes: merged reads", "improved: as published", "memory: as published",
                          "memory: merged reads", "full: as published", "full: lanes a query"));
  EXPECT_THAT(names(panels(spec)[7]),
              ElementsAre("full: as published", "full: needed chunks, lanes a query", "full: fewer lanes"));
}

TEST(FmIndexLadder, HasOneProblemAndPrefixTableInAPanel) {
  const Point small = problem(100000000), large = problem(1000000000);
  const Point published{{"entry_reads", "separate"}, {"chunks", "whole"}};
  const Point other_table{{"entry_reads", "merged"}, {"prefix_symbols", 10}};
  std::vector<results::Record> records{
      scheme_record("task_parallel", large, published, 32, 1e9),
      scheme_record("task_parallel", large, other_table, 32, 3e9),
      scheme_record("task_parallel", small, published, 32, 1e9),
      scheme_record("task_parallel", small, {{"entry_reads", "merged"}}, 32, 2e9)};
  const Json spec = *draw("fm-index/ladder", data(records)).spec;
  ASSERT_THAT(rows(spec), SizeIs(2));
  EXPECT_EQ(rows(spec)[1]["value"], 2);
  EXPECT_THAT(spec["title"]["subtitle"].dump(), HasSubstr("100 Mbases"));
}

}  // namespace
}  // namespace gpuseq::reports
