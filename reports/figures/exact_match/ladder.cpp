#include "reports/figures/ladder.hpp"

#include <fmt/format.h>

#include "reports/figures/exact_match/figures.hpp"
#include "reports/figures/exact_match/points.hpp"

namespace gpuseq::reports::exact_match {
namespace {

/// Strands that are not computed take twice the queries' memory and nothing else: at the end, where the
/// rest is as fast as it gets, they are computed again.
ladders::Ladder from_published() {
  return {.published = {{"variant", "tree_gpu"},
                        {"result", "slots"},
                        {"memory_mib", "768"},
                        {"reverse_complements", "computed"},
                        {"edge_ends", "compared"},
                        {"leaves", "nodes"},
                        {"node_order", "hybrid"},
                        {"memory", "texture_2d"},
                        {"text_order", "space_filling"}},
          .steps = {{"all of the memory", {{"memory_mib", "0"}}},
                    {"reverse_complements = uploaded", {{"reverse_complements", "uploaded"}}},
                    {"edge_ends = known", {{"edge_ends", "known"}}},
                    {"leaves = implicit", {{"leaves", "implicit"}}},
                    {"node_order = breadth_first", {{"node_order", "breadth_first"}}},
                    {"memory = texture_linear", {{"memory", "texture_linear"}}},
                    {"text_order = plain", {{"text_order", "plain"}}},
                    {"memory = global", {{"memory", "global"}}},
                    {"reverse_complements = computed", {{"reverse_complements", "computed"}}},
                    {"tree_words_gpu", {{"variant", "tree_words_gpu"}}}}};
}

/// Lengths of matches side by side, the shorter first; what a panel is about says which.
std::optional<ladders::Place> place_of(const Entry& entry) {
  const auto least = min_length_of(entry);
  if (!least) return std::nullopt;
  return ladders::Place{fmt::format("{:09.0f}", *least), ""};
}

Drawing draw_ladder(const Figure& figure, const ReportData& data, const Published&) {
  return ladders::draw(
      {.family = kFamily,
       .ladders = {from_published()},
       .place = place_of,
       .worth = [](const Entry& entry) { return entry.record.work.amount; },
       .about = problem_name,
       .quantity = ladders::rates("query bases per second (G)"),
       .factor = 1e-9,
       .tips = [](const Entry& entry) { return tips_of(entry, rate_of(entry), Unit::bases_per_s); },
       .notes = {"The published kernel is tree_gpu with leaves = nodes, edge_ends = compared, "
                 "reverse_complements = computed and memory_mib = 768, where trees of parts of "
                 "the reference are copied in turn; matches are not listed."}},
      figure, data);
}

}  // namespace

Figure ladder() {
  return {
      "exact-match/ladder", "From MUMmerGPU's kernel to ours", kHeading,
      "What each difference between the paper's kernel and the fastest of the suffix tree is worth on this "
      "GPU.",
      draw_ladder};
}

}  // namespace gpuseq::reports::exact_match
