#include "reports/figures/ladder.hpp"

#include <fmt/format.h>

#include <utility>

#include "reports/figures/fm_index/figures.hpp"
#include "reports/figures/fm_index/points.hpp"

namespace gpuseq::reports::fm_index {
namespace {

using ladders::Ladder;
using ladders::Setting;
using ladders::Step;

/// Axis of lanes that read an entry together: as many as it has pieces of 16 bytes, rounded down to a power
/// of two; or fewer.
constexpr const char *kLanes = "lanes", *kOfPieces = "a piece each", *kFewer = "fewer";

std::string value_of(const Entry& entry, std::string_view axis) {
  if (axis != kLanes) return axis_text(entry, axis);
  const auto lanes =
      number(entry.record.state.point,
             entry.record.state.variant == "full_cooperative" ? "lanes_per_query" : "lanes_per_entry");
  const auto bytes = number(entry.record.facts, "entry_bytes");
  if (!lanes || !bytes) return {};
  return 2 * 16 * *lanes <= *bytes ? kFewer : kOfPieces;
}

/// An entry of one chunk of 64 rows is needed as a whole.
bool has_chunks(const Entry& entry) {
  return layout_of(entry).d > 64;
}

Ladder scheme(std::string name, std::string variant, std::vector<Setting> published,
              std::vector<Step> steps) {
  std::string series = fmt::format("{}: {}", name, variant);
  published.insert(published.end(), {{"variant", std::move(variant)},
                                     {"active_threads", "0"},
                                     {"queries_in_flight", "1"},
                                     {"entry_loads", "cached"}});
  return {.name = std::move(name),
          .series = std::move(series),
          .published = std::move(published),
          .steps = std::move(steps)};
}

/// The paper's schemes in the order of its section 4 and figure 6.
std::vector<Ladder> schemes() {
  const Setting separate{"entry_reads", "separate"}, whole{"chunks", "whole"};
  const Step needed{"needed chunks", {{"chunks", "needed"}}, has_chunks};
  const Step merged{"merged reads", {{"entry_reads", "merged"}}};
  return {scheme("naive", "task_parallel", {separate, whole}, {needed, merged}),
          scheme("16 bytes", "task_parallel_16b", {separate, whole}, {needed, merged}),
          scheme("improved", "task_parallel_split", {whole}, {needed}),
          scheme("memory", "memory_cooperative", {separate}, {merged}),
          scheme("full", "full_cooperative_split", {whole, {kLanes, kOfPieces}},
                 {needed,
                  {"lanes a query", {{"variant", "full_cooperative"}}},
                  {"fewer lanes", {{kLanes, kFewer}}}})};
}

/// A layout: entries of others have other bytes.
std::optional<ladders::Place> place_in(const Entry& entry) {
  const FmLayout layout = layout_of(entry);
  return ladders::Place{fmt::format("{} {} {:5}", layout.k, layout.counters == "alternate", layout.d),
                        layout_text(layout)};
}

Drawing draw_ladder(const Figure& figure, const ReportData& data, const Published&) {
  const ladders::LadderChart chart{
      .family = "fm_index",
      .ladders = schemes(),
      .value = value_of,
      .place = place_in,
      .worth = [](const Entry& entry) { return reference_bases(entry.record).value_or(0); },
      .about = [](const Entry& entry) { return with_point_words(problem_name(entry), entry); },
      .quantity = ladders::rates("G query bases a second"),
      .factor = 1e-9,
      .tips = [](const Entry& entry) { return tips_of(entry, rate_of(entry), Unit::bases_per_s); },
      .notes = {"Needed chunks: of an entry only those up to the position are read (chunks). Merged "
                "reads: an entry that l and h share is read once (entry_reads). Lanes a query: they "
                "follow it, in place of owning LF mappings that all read in turn (full_cooperative)."}};
  return ladders::draw(chart, figure, data);
}

}  // namespace

Figure ladder() {
  return {"fm-index/ladder", "From the published schemes to ours", kHeading,
          "What each difference between a scheme as the paper has it and ours of its name is worth on this "
          "GPU, by "
          "layout; and which scheme is ahead, as published and by itself.",
          draw_ladder};
}

}  // namespace gpuseq::reports::fm_index
