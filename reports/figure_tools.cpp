#include "reports/figure_tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gpuseq::reports {
namespace {

std::string program_of(const Run& run) {
  if (!run.summary.is_object() || !run.summary.contains("program")) return "";
  const nlohmann::json& program = run.summary["program"];
  const std::string commit = text(program, "commit").substr(0, 10);
  const std::string version = text(program, "version");
  if (version.empty()) return "";
  return fmt::format(" (gpuseq-bench {}{}{})", version, commit.empty() ? "" : ", ", commit);
}

std::string source_line(const ReportData& data, const std::vector<const Entry*>& used) {
  std::set<std::size_t> runs;
  for (const Entry* entry : used) runs.insert(entry->run);
  std::vector<std::string> names;
  for (const std::size_t run : runs) names.push_back(data.runs[run].name + program_of(data.runs[run]));
  return fmt::format("Data: {} {}; {} {}.", names.size() == 1 ? "run" : "runs", fmt::join(names, ", "),
                     used.size(), used.size() == 1 ? "record" : "records");
}

std::string stem(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// "1250 queries of 100 bases x 320 references of 5000 sites", where an alignment is the problem; else empty.
std::string alignment_name(const Entry& entry) {
  const results::Record& record = entry.record;
  const Point& problem = record.state.problem;
  const auto references = number(record.facts, "references"), sites = number(record.facts, "sites"),
             queries = number(record.facts, "queries_aligned");
  if (!references || !sites || !queries) return "";
  std::string name;
  for (const char* axis : {"alignment", "queries"})
    if (const std::string data = stem(word(problem, axis)); !data.empty() && data != "evolved")
      name += data + ", ";
  name += fmt::format("{} queries", *queries);
  const auto shortest = number(problem, "shortest_query"), longest = number(problem, "longest_query");
  if (word(problem, "queries") == "evolved" && shortest && longest)
    name += *shortest == *longest ? fmt::format(" of {} bases", *longest)
                                  : fmt::format(" of {} to {} bases", *shortest, *longest);
  return name + fmt::format(" x {} references of {} sites", *references, *sites);
}

/// "ssv, LuxC model of 400 states x 10000 sequences of proteins", where a filter of profile HMMs is the
/// problem.
std::string filter_name(const Entry& entry) {
  const results::Record& record = entry.record;
  const Point& problem = record.state.problem;
  const auto length = number(record.facts, "model_length"), count = number(record.facts, "sequence_count");
  const std::string filter = word(problem, "filter");
  if (!length || !count || filter.empty()) return "";
  const auto source = [&](const char* axis) {
    const std::string name = stem(word(problem, axis));
    return name.empty() ? "random" : name;
  };
  const std::string sequences = source("sequences");
  return fmt::format("{}, {} model of {} states x {}{} sequences{}", filter, source("models"), *length,
                     *count, sequences == "random" ? " random" : "",
                     sequences == "random" ? "" : " of " + sequences);
}

/// "genotypes, 2504 instances x 10000 attributes, ibs", where the distances of all pairs are the problem.
std::string pairs_name(const Entry& entry) {
  const results::Record& record = entry.record;
  const Point& problem = record.state.problem;
  const auto instances = number(record.facts, "instance_count"),
             attributes = number(record.facts, "attribute_count");
  if (!instances || !attributes) return "";
  const std::string data = stem(word(problem, "instances")), metric = word(problem, "metric");
  return fmt::format("{}{} instances x {} attributes{}", data.empty() || data == "random" ? "" : data + ", ",
                     *instances, *attributes, metric.empty() || metric == "hamming" ? "" : ", " + metric);
}

/// "l = 20, 100000 queries of 100 bases, 1 % errors, in ecoli (4.94 Mbases)", where exact matches are the
/// problem.
std::string matches_name(const Entry& entry) {
  const results::Record& record = entry.record;
  const Point& problem = record.state.problem;
  const auto length = number(record.facts, "min_length"), queries = number(record.facts, "query_count"),
             bases = reference_bases(record);
  if (record.state.family != "exact_match" || !length || !queries || !bases) return "";
  std::string name = fmt::format("l = {}, {} queries", *length, *queries);
  if (const std::string data = stem(word(problem, "queries")); data != "random")
    name += " of " + data;
  else if (const auto query = number(problem, "query_bases"))
    name += fmt::format(" of {} bases, {},", *query, errors_of(problem));
  const std::string reference = stem(word(problem, "reference")), mode = word(problem, "mode");
  name += fmt::format(" in {} ({})", reference == "random" ? "a random text" : reference,
                      format_value(*bases, Unit::bases));
  if (!mode.empty() && mode != "maxmatch") name += ", " + mode;
  return name + (word(problem, "both_strands") == "yes" ? ", both strands" : "");
}

}  // namespace

Rate rate_of(const Entry& entry, double factor) {
  const results::Statistics& statistics = *entry.record.statistics;
  return {statistics.rate * factor, statistics.rate_low * factor, statistics.rate_high * factor};
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
  if (std::string name = alignment_name(entry); !name.empty()) return name;
  if (std::string name = filter_name(entry); !name.empty()) return name;
  if (std::string name = pairs_name(entry); !name.empty()) return name;
  if (std::string name = matches_name(entry); !name.empty()) return name;
  const Point& problem = entry.record.state.problem;
  std::vector<std::string> words;
  if (const std::string reference = stem(word(problem, "reference")); !reference.empty())
    words.push_back(reference);
  if (const auto bases = reference_bases(entry.record)) words.push_back(format_value(*bases, Unit::bases));
  const std::string queries = stem(word(problem, "queries"));
  const auto query_bases = number(problem, "query_bases");
  const bool sampled = queries.empty() || queries == "sampled" || queries == "generated";
  if (!sampled)
    words.push_back("queries " + queries);
  else if (query_bases && *query_bases > 0)
    words.push_back(fmt::format("queries of {} bases", *query_bases));
  if (const auto percent = number(problem, "occurring_percent"); sampled && percent && *percent < 100)
    words.push_back(fmt::format("{} % occur", *percent));
  if (words.empty()) return problem.to_string();
  return fmt::format("{}", fmt::join(words, ", "));
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
  if (rate.low > 0 && rate.high > rate.low)
    tips.emplace_back("Interval",
                      fmt::format("{} to {} ({:.0f} %)", format_value(rate.low, unit),
                                  format_value(rate.high, unit), record.statistics->confidence * 100));
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
  note_peers(used, notes);
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

void sort_rows(chart::RowPanel& panel) {
  std::stable_sort(panel.marks.begin(), panel.marks.end(),
                   [](const chart::RowMark& a, const chart::RowMark& b) { return a.value > b.value; });
  for (const chart::RowMark& mark : panel.marks) panel.rows.push_back(mark.row);
}

std::string rate_text(double rate, const std::string& unit) {
  const std::string value = format_value(rate, Unit::number_si);
  return value + (value.ends_with(' ') ? "" : " ") + unit;
}

bool on_gpu(const Entry& entry) {
  return entry.record.state.device.starts_with("cuda");
}

std::string contestant(const Entry& entry) {
  return entry.record.state.variant + (is_peer(entry) ? " (whole process)" : "");
}

void note_peers(const std::vector<const Entry*>& used, std::vector<std::string>& notes) {
  if (std::any_of(used.begin(), used.end(), [](const Entry* entry) { return is_peer(*entry); }))
    notes.push_back(
        "Hollow: another program on the same data, timed as a whole process, start and files included.");
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

std::vector<std::string> unique_in_order(std::map<double, std::string> ordered) {
  std::vector<std::string> names;
  for (auto& [key, name] : ordered) names.push_back(std::move(name));
  return names;
}

}  // namespace gpuseq::reports
