#include "reports/figure_tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/statistics/statistics.hpp"

namespace gpuseq::reports {
namespace {

/// "gpuseq-bench 0.1.0, 1b9a0f61bb"; empty where the run does not say.
std::string program_of(const Run& run) {
  if (!run.summary.is_object() || !run.summary.contains("program")) return "";
  const nlohmann::json& program = run.summary["program"];
  const std::string commit = text(program, "commit").substr(0, 10);
  const std::string version = text(program, "version");
  if (version.empty()) return "";
  return fmt::format("gpuseq-bench {}{}{}", version, commit.empty() ? "" : ", ", commit);
}

std::string name_of(const Run& run) {
  const std::string program = program_of(run);
  return program.empty() ? run.name : fmt::format("{} ({})", run.name, program);
}

/// Of many runs, whose names would be most of the figure: how many each program made.
std::string runs_by_program(const ReportData& data, const std::set<std::size_t>& runs) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t run : runs) ++counts[program_of(data.runs[run])];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [program, count] : counts)
    parts.push_back(fmt::format("{} by {}", count, program.empty() ? "unknown programs" : program));
  return fmt::format("{} runs: {}", runs.size(), fmt::join(parts, "; "));
}

std::string source_line(const ReportData& data, const std::vector<const Entry*>& used) {
  constexpr std::size_t kMostNamed = 6;
  std::set<std::size_t> runs;
  for (const Entry* entry : used) runs.insert(entry->run);
  std::vector<std::string> names;
  names.reserve(runs.size());
  for (const std::size_t run : runs) names.push_back(name_of(data.runs[run]));
  const std::string of = runs.size() > kMostNamed ? runs_by_program(data, runs)
                                                  : fmt::format("{} {}", names.size() == 1 ? "run" : "runs",
                                                                fmt::join(names, ", "));
  return fmt::format("Data: {}; {} {}.", of, used.size(), used.size() == 1 ? "record" : "records");
}

}  // namespace

Rate rate_of(const Entry& entry, double factor) {
  const results::Statistics& statistics = *entry.record.statistics;
  return {statistics.rate * factor, statistics.rate_low.value_or(statistics.rate) * factor,
          statistics.rate_high.value_or(statistics.rate) * factor};
}

std::string axis_text(const Entry& entry, std::string_view axis) {
  for (const auto& [name, value] : entry.record.state.point.values())
    if (name == axis) return to_string(value);
  return "";
}

bool is_synthetic(const Entry& entry) {
  return entry.record.synthetic;
}

std::optional<double> work_per_joule(const results::Record& record) {
  if (!record.energy.value) return std::nullopt;
  const auto value = number(*record.energy.value, "work_per_joule");
  return value && *value > 0 ? value : std::nullopt;
}

bool has_energy(const results::Record& record) {
  return work_per_joule(record).has_value();
}

std::string problem_name(const Entry& entry) {
  const std::string& label = entry.record.problem_label;
  return label.empty() ? entry.record.state.problem.to_string() : label;
}

std::string errors_of(const Point& problem) {
  const auto errors = number(problem, "errors_per_1000");
  if (!errors) return "";
  return *errors > 0 ? fmt::format("{} % errors", *errors / 10) : "no errors";
}

chart::Tips tips_of(const Entry& entry, const Rate& rate, Unit unit) {
  const results::Record& record = entry.record;
  chart::Tips tips;
  tips.emplace_back("Value", format_value(rate.value, unit));
  const results::Statistics& statistics = *record.statistics;
  if (!statistics.confidence)
    tips.emplace_back("Interval", "none: " + statistics.interval_reason);
  else if (rate.low > 0 && rate.high > rate.low)
    tips.emplace_back("Interval", fmt::format("{} to {} ({:.0f} %)", format_value(rate.low, unit),
                                              format_value(rate.high, unit), *statistics.confidence * 100));
  if (has_few_samples(entry)) tips.emplace_back("Samples", fmt::format("{}", statistics.samples));
  if (entry.disturbed) tips.emplace_back("Disturbed", "no two passes agree");
  tips.emplace_back("Device", entry.device_name);
  tips.emplace_back("Variant", contestant(entry));
  tips.emplace_back("Point", record.state.point.to_string());
  tips.emplace_back("Problem", record.state.problem.to_string());
  if (record.ceiling.value) {
    const results::Ceiling& ceiling = *record.ceiling.value;
    // A mark that shows no rate has its ceiling in the record's own unit.
    const bool no_rate = unit == Unit::seconds || unit == Unit::ratio;
    tips.emplace_back("Ceiling", fmt::format("{} of {} ({})", format_value(ceiling.fraction, Unit::share),
                                             no_rate ? rate_text(ceiling.rate, record.statistics->rate_unit)
                                                     : format_value(ceiling.rate, unit),
                                             ceiling.bound_by));
    if (ceiling.card) tips.emplace_back("Ceiling from", "this machine's card of " + ceiling.card->made);
  }
  if (record.synthetic) tips.emplace_back("Text", "synthetic");
  if (!record.notes.empty()) tips.emplace_back("Notes", fmt::format("{}", fmt::join(record.notes, "; ")));
  return tips;
}

chart::Tips tips_of(const Fact& fact, Unit unit) {
  return {{"Value", format_value(fact.value, unit)},
          {"Device", fact.device},
          {"Published", fmt::format("{}, {}", fact.paper, fact.source)},
          {"Stated", fact.derived ? "derived: " + fact.stated : fact.stated}};
}

chart::Heading heading(const Figure& figure, const ReportData& data, const std::vector<const Entry*>& used,
                       std::vector<std::string> notes) {
  std::set<std::string> devices;
  for (const Entry* entry : used) devices.insert(entry->device_name);
  note_synthetic(used, notes);
  note_disturbed(used, notes);
  note_peers(used, notes);
  if (data.boards == Boards::by_model) notes.push_back("Boards of one model are drawn as one device.");
  if (figure.of_samples) note_few_samples(used, notes);
  notes.push_back(source_line(data, used));
  return {figure.title, notes,
          fmt::format("{}. {} Devices: {}.", figure.title, figure.caption, fmt::join(devices, ", "))};
}

void add_guides(const Figure& figure, const Published& published, chart::LineChart& chart,
                std::vector<std::string>& notes) {
  const auto guided = [](const chart::Panel& panel) { return panel.guided; };
  if (std::none_of(chart.panels.begin(), chart.panels.end(), guided)) return;
  const std::vector<const Fact*> facts = published.find(figure.name, "guide");
  for (const Fact* fact : facts) chart.guides.push_back({fact->axis == "x", fact->value, fact->label});
  if (!facts.empty()) notes.push_back(fmt::format("Dashed grey lines: published, {}.", credit(facts)));
}

namespace {

/// Labels of two series in one row would stand on each other: such rows get the series into their names.
void part_rows_by_series(chart::RowPanel& panel) {
  std::map<std::string, std::set<std::string>> series;
  for (const chart::RowMark& mark : panel.marks)
    if (!mark.label.empty()) series[mark.row].insert(mark.series);
  for (chart::RowMark& mark : panel.marks)
    if (series[mark.row].size() > 1) mark.row += ", " + mark.series;
}

}  // namespace

void sort_rows(chart::RowPanel& panel) {
  part_rows_by_series(panel);
  std::stable_sort(panel.marks.begin(), panel.marks.end(),
                   [](const chart::RowMark& a, const chart::RowMark& b) { return a.value > b.value; });
  for (const chart::RowMark& mark : panel.marks)
    if (std::ranges::find(panel.rows, mark.row) == panel.rows.end()) panel.rows.push_back(mark.row);
}

std::string rate_text(double rate, const std::string& unit) {
  const std::string value = format_value(rate, Unit::number_si);
  return value + (value.ends_with(' ') ? "" : " ") + unit;
}

bool on_gpu(const Entry& entry) {
  return entry.record.state.device.starts_with("cuda");
}

std::string thread_words(std::string_view threads) {
  if (threads == "0") return "all threads";
  return threads == "1" ? "1 thread" : fmt::format("{} threads", threads);
}

std::string contestant(const Entry& entry) {
  const std::string& name = entry.record.state.variant;
  if (!is_peer(entry)) return name;
  const std::string threads = axis_text(entry, "threads");
  return fmt::format("{} (whole process{})", name, threads.empty() ? "" : ", " + thread_words(threads));
}

ProblemOrder problem_order(const Entry& entry) {
  ProblemOrder order{entry.record.state.family, {}};
  for (const auto& [axis, value] : entry.record.state.problem.values()) order.second.push_back(value);
  return order;
}

void note_peers(const std::vector<const Entry*>& used, std::vector<std::string>& notes) {
  if (std::any_of(used.begin(), used.end(), [](const Entry* entry) { return is_peer(*entry); }))
    notes.push_back(
        "Hollow: another program on the same data, timed as a whole process, start and files included.");
}

bool has_few_samples(const Entry& entry) {
  const auto& statistics = entry.record.statistics;
  return statistics && statistics->samples + entry.samples_of_other_passes < results::kFewestSamples;
}

void note_few_samples(const std::vector<const Entry*>& used, std::vector<std::string>& notes) {
  const auto few =
      std::count_if(used.begin(), used.end(), [](const Entry* entry) { return has_few_samples(*entry); });
  if (few > 0)
    notes.push_back(fmt::format(
        "{} of {} records have fewer than six samples, too few for an interval of 95 %.", few, used.size()));
}

void note_left_out(std::size_t shown, std::size_t all, std::string_view what,
                   std::vector<std::string>& notes) {
  if (shown < all) notes.push_back(fmt::format("{} of {} {}.", shown, all, what));
}

void note_disturbed(const std::vector<const Entry*>& used, std::vector<std::string>& notes) {
  const auto disturbed =
      std::count_if(used.begin(), used.end(), [](const Entry* entry) { return entry->disturbed; });
  if (disturbed > 0)
    notes.push_back(fmt::format(
        "{} of {} points that no two passes agree on are left out of knees and ceilings; where points are "
        "drawn, these are hollow and grey.",
        disturbed, used.size()));
}

void note_synthetic(const std::vector<const Entry*>& used, std::vector<std::string>& notes) {
  const auto synthetic =
      std::count_if(used.begin(), used.end(), [](const Entry* entry) { return is_synthetic(*entry); });
  if (synthetic == 0) return;
  const bool all = synthetic == static_cast<std::ptrdiff_t>(used.size());
  notes.push_back(all ? "All marks: synthetic reference (a generated BWT)."
                      : "Ringed or marked 'synthetic': a generated BWT as the reference.");
}

std::string why_none(const ReportData& data, std::string_view family, std::string_view need) {
  std::size_t of_family = 0, ok = 0;
  for (const Entry& entry : data.entries) {
    if (entry.record.state.family != family) continue;
    ++of_family;
    if (entry.record.status == results::Status::ok) ++ok;
  }
  if (of_family == 0) return fmt::format("no record of {}", family);
  if (ok == 0) return fmt::format("none of the {} records of {} is ok", of_family, family);
  return fmt::format("none of the {} ok records of {} has {}", ok, family, need);
}

std::string why_none_of_kernels(const ReportData& data, std::string_view need) {
  const auto kernel = [](const Entry& entry) { return entry.record.kind == "kernel"; };
  const auto ok = [&](const Entry& entry) {
    return kernel(entry) && entry.record.status == results::Status::ok;
  };
  if (std::none_of(data.entries.begin(), data.entries.end(), kernel)) return "no record of a kernel";
  const auto count = std::count_if(data.entries.begin(), data.entries.end(), ok);
  if (count == 0) return "no record of a kernel is ok";
  return fmt::format("none of the {} ok records of kernels has {}", count, need);
}

std::vector<std::string> unique_in_order(const std::map<double, std::string>& ordered) {
  std::vector<std::string> names;
  names.reserve(ordered.size());
  for (const auto& [key, name] : ordered) names.push_back(name);
  return names;
}

}  // namespace gpuseq::reports
