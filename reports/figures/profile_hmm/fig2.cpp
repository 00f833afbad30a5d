#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "reports/figures/profile_hmm/figures.hpp"
#include "reports/figures/profile_hmm/pipeline.hpp"

namespace gpuseq::reports::profile_hmm {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

constexpr const char* kTimesNote =
    "Time of a stage: what a run that ends behind it takes longer than one that ends before it, of the whole "
    "run's time; the first has the start of the process and the reading of files.";
constexpr const char* kViterbiNote =
    "The run that ends behind Viterbi computes it also where hmmsearch would not (P of MSV up to 1e-3): its "
    "share is at most, and that of forward and backward at least, what is drawn.";

/// What of the notes hangs on the records.
struct Remarks {
  std::vector<std::string> near_zero, none_pass, missing;
};

/// The published values of a panel, and which of all were used.
class Theirs {
 public:
  Theirs(const Figure& figure, const Published& published)
      : facts_(published.find(figure.name, "value")),
        series_(fmt::format("published ({})", papers_of(facts_))) {}

  void add(RowPanel& panel, const char* row, std::string_view measure, std::string_view stage) {
    if (stage.empty()) return;
    for (const Fact* fact : facts_) {
      if (text(fact->at, "measure") != measure || text(fact->at, "stage") != stage) continue;
      if (!(fact->value > 0)) continue;
      panel.marks.push_back({.row = row,
                             .value = fact->value,
                             .low = fact->value,
                             .high = fact->value,
                             .series = series_,
                             .tips = tips_of(*fact, Unit::share)});
      used_ = true;
    }
  }
  bool used() const { return used_; }
  const std::string& series() const { return series_; }
  std::string credited() const { return credit(facts_); }

 private:
  std::vector<const Fact*> facts_;
  std::string series_;
  bool used_ = false;
};

RowMark share_mark(const ReportData& data, const char* row, const Pipeline& pipeline, const Entry& entry,
                   const Rate& share) {
  return {.row = row,
          .value = share.value,
          .low = share.low,
          .high = share.high,
          .series = pipeline.model,
          .hollow = is_peer(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, share, Unit::share)};
}

/// A share of a whole: noise that goes below nothing, or an interval beyond the whole, is cut off.
Rate as_part(const Rate& share) {
  const double value = std::max(0.0, share.value), whole = std::max(1.0, value);
  return {value, std::max(0.0, share.low), std::clamp(share.high, 0.0, whole)};
}

/// "0.15", "2.6", "53" of a hundred: in two digits, as two stand beside a mark.
std::string percent(double share) {
  return share >= 0.0995 ? fmt::format("{:.0f}", 100 * share) : fmt::format("{:.2g}", 100 * share);
}

/// "2.6 to 5.3 %" behind the last mark of a row: of the models, published marks beside them or not.
void label_row(RowPanel& panel, const std::string& row) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  RowMark* last = nullptr;
  for (RowMark& mark : panel.marks) {
    if (mark.row != row) continue;
    if (!last || mark.high > last->high) last = &mark;
    if (!mark.record) continue;
    least = std::min(least, mark.value);
    most = std::max(most, mark.value);
  }
  if (!last) return;
  panel.rows.push_back(row);
  if (least > most) return;  // published only
  const std::string low = percent(least), high = percent(most);
  last->label = low == high ? low + " %" : fmt::format("{} to {} %", low, high);
}

RowPanel panel_of_passes(const ReportData& data, const PipelinesOfPlace& place, Theirs& theirs,
                         Remarks& remarks) {
  RowPanel panel{
      .title = "Sequences that pass",
      .value = chart::Quantity{.title = "share of the sequences", .unit = Unit::share, .log = true}};
  for (const Filter& filter : kPipelineFilters) {
    for (const Pipeline& pipeline : place.pipelines) {
      const auto share = pipeline.passed(filter);
      if (!share) continue;
      if (*share > 0)
        panel.marks.push_back(
            share_mark(data, filter.row, pipeline, pipeline.whole(), {*share, *share, *share}));
      else
        remarks.none_pass.push_back(fmt::format("{} of {}", filter.row, pipeline.model));
    }
    theirs.add(panel, filter.row, "passed", filter.stage);
    label_row(panel, filter.row);
  }
  return panel;
}

RowPanel panel_of_times(const ReportData& data, const PipelinesOfPlace& place, Theirs& theirs,
                        Remarks& remarks) {
  RowPanel panel{.title = "Time",
                 .value = chart::Quantity{.title = "share of hmmsearch's time", .unit = Unit::share}};
  for (const Stage& stage : kStages) {
    for (const Pipeline& pipeline : place.pipelines) {
      const auto share = pipeline.time(stage);
      if (!share) continue;
      if (share->low <= 0)
        remarks.near_zero.push_back(fmt::format("'{}' of {} ({})", stage.row, pipeline.model,
                                                format_value(share->value, Unit::share)));
      panel.marks.push_back(share_mark(data, stage.row, pipeline, *pipeline.run(stage.to), as_part(*share)));
    }
    theirs.add(panel, stage.row, "time", stage.stage);
    label_row(panel, stage.row);
  }
  for (const Pipeline& pipeline : place.pipelines)
    for (const char* end : kEnds)
      if (!pipeline.run(end)) remarks.missing.push_back(fmt::format("{} of {}", end, pipeline.model));
  return panel;
}

std::vector<std::string> notes_of_pipelines(const std::vector<PipelinesOfPlace>& places, const Theirs& theirs,
                                            const Remarks& remarks) {
  std::vector<std::string> notes;
  if (places.size() == 1) notes.push_back(places.front().words + ".");
  for (const char* note : {kTimesNote, kViterbiNote}) notes.emplace_back(note);
  notes.emplace_back("Beside the marks: the least and the most of hmmsearch's.");
  const auto list = [&](const char* what, const std::vector<std::string>& of) {
    if (!of.empty()) notes.push_back(fmt::format("{}: {}.", what, fmt::join(of, "; ")));
  };
  list("Not told from 0 by the medians' intervals (drawn at 0 if below)", remarks.near_zero);
  list("No sequence passes, so without a mark", remarks.none_pass);
  list("No record, so the stages before and behind it are left out", remarks.missing);
  if (theirs.used()) notes.push_back(fmt::format("Grey: published, {}.", theirs.credited()));
  return notes;
}

// What each filter lets through and what each stage takes.
Drawing draw_fig2(const Figure& figure, const ReportData& data, const Published& published) {
  RowChart chart{.value = {.title = "share", .unit = Unit::share}, .series_title = "model"};
  const std::vector<PipelinesOfPlace> places = pipelines_of(data);
  if (places.empty())
    return not_drawn(why_none(data, "profile_hmm", "hmmsearch whole beside a run of it that ends earlier"));
  Theirs theirs(figure, published);
  Remarks remarks;
  std::vector<const Entry*> used;
  std::size_t drawn_places = 0;
  for (const PipelinesOfPlace& place : places) {
    if (chart.panels.size() + 2 > kMostPanels) break;
    ++drawn_places;
    for (RowPanel panel :
         {panel_of_passes(data, place, theirs, remarks), panel_of_times(data, place, theirs, remarks)}) {
      if (std::ranges::none_of(panel.marks, [](const RowMark& mark) { return mark.record.has_value(); }))
        continue;
      if (places.size() > 1) panel.title += ": " + place.words;
      chart.panels.push_back(std::move(panel));
    }
    for (const Pipeline& pipeline : place.pipelines) {
      if (std::ranges::find(chart.series, pipeline.model) == chart.series.end())
        chart.series.push_back(pipeline.model);
      for (const auto& [variant, entry] : pipeline.runs) used.push_back(entry);
    }
  }
  if (theirs.used()) chart.series.push_back(theirs.series());
  std::vector<std::string> notes = notes_of_pipelines(places, theirs, remarks);
  note_left_out(drawn_places, places.size(), "devices and sets of sequences", notes);
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure fig2() {
  return {"profile-hmm/fig2", "Stages of hmmsearch", kHeading,
          "Which share of the sequences passes each filter, and which share of the time each stage takes: "
          "what is left for the stages behind the filters that run on GPUs.",
          draw_fig2};
}

}  // namespace gpuseq::reports::profile_hmm
