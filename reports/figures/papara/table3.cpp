#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/figures/papara/figures.hpp"
#include "reports/figures/papara/points.hpp"

namespace gpuseq::reports::papara {
namespace {

using chart::RowChart;
using chart::RowMark;
using chart::RowPanel;

constexpr const char* kAlone = "a part alone";

/// What the time of a hybrid launch holds and that of a GPU alone does not, in records that do not say what
/// they timed.
constexpr const char* kCopied = "scores copied back";

bool is_copied(const Entry& entry) {
  return is_hybrid(entry) && !entry.record.facts.contains("timed");
}

std::string timed_suffix(const Entry& entry) {
  return is_copied(entry) ? fmt::format(" ({})", kCopied) : "";
}

/// Which part a launch of both was left to: "both", "gpus" or "cpu"; empty where nothing was to be chosen.
std::string taken(const Entry& entry) {
  const nlohmann::json& facts = entry.record.facts;
  const bool told = facts.contains("taken") && facts["taken"].is_string();
  const bool both = number(facts, "threads").value_or(0) > 0 && number(facts, "gpus").value_or(0) > 0;
  return told && both ? facts["taken"].get<std::string>() : "";
}

/// What each took of the cells of a hybrid record, as shares; the CPU is "CPU", and GPUs are
/// numbered where they are several.
std::vector<std::pair<std::string, double>> shares_of(const Entry& entry) {
  const nlohmann::json& facts = entry.record.facts;
  std::vector<std::pair<std::string, double>> shares;
  if (const auto share = number(facts, "cpu_share"); share && *share > 0) shares.emplace_back("CPU", *share);
  const bool several = number(facts, "gpu1_share").has_value();
  for (int gpu = 0;; ++gpu) {
    const auto share = number(facts, fmt::format("gpu{}_share", gpu));
    if (!share) return shares;
    if (*share > 0) shares.emplace_back(several ? fmt::format("GPU {}", gpu) : "GPU", *share);
  }
}

/// Records of one problem: the hybrid one, and the fastest of each part alone.
struct Dataset {
  const Entry* hybrid = nullptr;
  const Entry* cpu = nullptr;
  const Entry* gpu = nullptr;

  /// `hybrid` on the CPU only, or on GPUs only, is such a part.
  const Entry*& place_of(const Entry& entry) {
    if (!is_hybrid(entry)) return on_gpu(entry) ? gpu : cpu;
    if (!taken(entry).empty()) return hybrid;
    const auto shares = shares_of(entry);
    if (shares.size() != 1) return hybrid;
    return shares.front().first == "CPU" ? cpu : gpu;
  }
  /// The rate over that of its parts alone.
  std::optional<double> gain() const {
    if (!cpu || !gpu) return std::nullopt;
    const double gpus = std::max(number(hybrid->record.facts, "gpus").value_or(1), 1.0);
    return hybrid->record.statistics->rate /
           (cpu->record.statistics->rate + gpus * gpu->record.statistics->rate);
  }
};

void keep(const Entry*& kept, const Entry* entry) {
  if (!kept || entry->record.statistics->rate > kept->record.statistics->rate) kept = entry;
}

/// By problem, those with a hybrid record; the largest first.
std::vector<Dataset> datasets_of(const ReportData& data) {
  std::map<std::string, Dataset> by_problem;
  for (const Entry* entry : data.settled("papara")) {
    Dataset& dataset = by_problem[entry->record.state.problem.to_string()];
    keep(dataset.place_of(*entry), entry);
  }
  std::vector<Dataset> datasets;
  for (const auto& [problem, dataset] : by_problem)
    if (dataset.hybrid) datasets.push_back(dataset);
  std::stable_sort(datasets.begin(), datasets.end(), [](const Dataset& a, const Dataset& b) {
    return a.hybrid->record.work.amount > b.hybrid->record.work.amount;
  });
  return datasets;
}

/// `share` of the rate of a record; `facts` stand behind the value, and in tooltips.
RowMark mark_of(const ReportData& data, std::string row, const Entry& entry, double share,
                const std::string& series, const chart::Tips& facts) {
  const Rate rate = rate_of(entry, share / kGiga);
  RowMark mark{.row = std::move(row),
               .value = rate.value,
               .low = rate.low,
               .high = rate.high,
               .series = series,
               .label = format_value(rate.value, Unit::number),
               .record = data.index_of(entry),
               .tips = gcups_tips(entry)};
  for (const auto& [name, value] : facts) {
    mark.detail += fmt::format("{}{} {}", mark.detail.empty() ? "" : ", ", name, value);
    mark.tips.emplace_back(name, value);
  }
  return mark;
}

chart::Tips facts_of(const Dataset& dataset) {
  chart::Tips facts;
  if (const auto gain = dataset.gain())
    facts.emplace_back("of its parts alone", format_value(*gain, Unit::share));
  if (const auto imbalance = number(dataset.hybrid->record.facts, "imbalance_share"))
    facts.emplace_back("imbalance", format_value(*imbalance, Unit::share));
  if (const auto lost = number(dataset.hybrid->record.facts, "lost_share"))
    facts.emplace_back("lost", format_value(*lost, Unit::share));
  if (const std::string part = taken(*dataset.hybrid); part == "gpus" || part == "cpu")
    facts.emplace_back("faster alone", part == "gpus" ? "GPU" : "CPU");
  return facts;
}

void add_hybrid(const ReportData& data, const Dataset& dataset, RowPanel& panel) {
  const Entry& hybrid = *dataset.hybrid;
  const auto add = [&](const std::string& row, const Entry& entry, double share, const std::string& series,
                       const chart::Tips& facts) {
    panel.marks.push_back(mark_of(data, row + timed_suffix(entry), entry, share, series, facts));
    if (is_copied(entry)) panel.marks.back().terms = {{"timed", kCopied}};
  };
  const auto add_alone = [&](const char* part, const Entry* entry) {
    if (!entry) return;
    // A hybrid record is of the host; which GPU it used it does not say.
    const std::string device = is_hybrid(*entry) ? "" : ", " + entry->device_name;
    add(part + device, *entry, 1, kAlone, {{"by", entry->record.state.variant}});
  };
  add("CPU and GPU", hybrid, 1, hybrid.device_name, facts_of(dataset));
  for (const auto& [part, share] : shares_of(hybrid))
    add("of this, " + part, hybrid, share, hybrid.device_name, {{"share", format_value(share, Unit::share)}});
  add_alone("CPU alone", dataset.cpu);
  add_alone("GPU alone", dataset.gpu);
}

/// The published values of the dataset with these references.
void add_published(const std::vector<const Fact*>& facts, const Entry& hybrid, const std::string& series,
                   RowPanel& panel) {
  const auto shape = shape_of(hybrid);
  for (const Fact* fact : facts) {
    if (!shape || number(fact->at, "sites") != shape->sites) continue;
    panel.marks.push_back({.row = fact->label,
                           .value = fact->value,
                           .low = fact->value,
                           .high = fact->value,
                           .series = series,
                           .label = format_value(fact->value, Unit::number),
                           .tips = gcups_tips(*fact)});
  }
}

/// What the words behind the values mean, as far as they stand there.
std::string terms_of(const std::vector<const Entry*>& used) {
  std::string terms =
      "A part's rate is its share of the cells over the time of the whole, waiting included. Imbalance: from "
      "the end of the first worker to that of the last, over the time.";
  if (std::ranges::any_of(used, [](const Entry* entry) { return is_copied(*entry); }))
    terms += " Scores copied back: to the host, within the time; a GPU alone copies them after it.";
  if (std::ranges::any_of(used, [](const Entry* entry) { return !taken(*entry).empty(); }))
    terms +=
        " Lost: of the time, what is beyond the work over the speeds of both parts alone. Faster alone: both "
        "together took longer, and that part does all.";
  return terms;
}

// What CPU and GPUs do together, and of that each.
Drawing draw_table3(const Figure& figure, const ReportData& data, const Published& published) {
  RowChart chart{.value = {.title = "GCUPS (1e9 cells a second)", .unit = Unit::number, .log = true},
                 .series_title = "source"};
  const auto facts = published.find(figure.name, "value");
  const std::string theirs = fmt::format("published ({})", papers_of(facts));
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const Dataset& dataset : datasets_of(data)) {
    if (chart.panels.size() == kMostPanels) break;
    RowPanel panel{.title = problem_name(*dataset.hybrid)};
    add_hybrid(data, dataset, panel);
    for (const Entry* entry : {dataset.hybrid, dataset.cpu, dataset.gpu})
      if (entry) used.push_back(entry);
    add_published(facts, *dataset.hybrid, theirs, panel);
    for (const RowMark& mark : panel.marks) {
      panel.rows.push_back(mark.row);
      series.insert(mark.series);
    }
    chart.panels.push_back(std::move(panel));
  }
  if (used.empty())
    return not_drawn(why_none(data, "papara", "the variant hybrid with both a CPU and a GPU"));
  chart.series.assign(series.begin(), series.end());
  std::vector<std::string> notes{terms_of(used)};
  if (series.contains(theirs))
    notes.push_back(fmt::format("Grey: published, {}, cells of the band.", credit(facts)));
  chart.heading = heading(figure, data, used, std::move(notes));
  return drawn(std::move(chart));
}

}  // namespace

Figure table3() {
  return {"papara/table3", "CPU and GPU together", kHeading,
          "What sharing the work between CPU and GPU gains over either, who did how much, and how long they "
          "waited for "
          "each other.",
          draw_table3};
}

}  // namespace gpuseq::reports::papara
