#include "bench/commands/choose/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/run/terminal/wrapped_rows.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

constexpr std::size_t kScreenWidth = 80, kNameColumn = 12;

/// Words in lines of kScreenWidth columns; lines after the first begin with an indent.
std::string filled(const std::vector<std::string>& words, std::size_t at, const std::string& before_break,
                   const std::string& indent) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty() && at + 1 + word.size() + before_break.size() > kScreenWidth) {
      text += before_break;
      text += "\n";
      text += indent;
      at = indent.size();
    } else if (!text.empty()) {
      text += ' ';
      ++at;
    }
    text += word;
    at += word.size();
  }
  return text;
}

std::string row(const std::string& name, const std::string& text) {
  return fmt::format("{:<{}}{}\n", name, kNameColumn, wrapped_text(text, kScreenWidth, kNameColumn));
}

std::string command(const std::vector<std::string>& words) {
  return "  " + filled(words, 2, " \\", "    ") + "\n";
}

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  static constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string rate_text(const ordered_json& winner, std::uint64_t read_length) {
  const double rate = winner["rate"].get<double>();
  std::string text = with_decimal_prefix(rate, "bases/s");
  if (winner["confidence"].is_number())
    text += fmt::format(", {:.3g} % interval {} to {}", 100 * winner["confidence"].get<double>(),
                        with_decimal_prefix(winner["rate_low"].get<double>(), "bases/s"),
                        with_decimal_prefix(winner["rate_high"].get<double>(), "bases/s"));
  return text + "; " + with_decimal_prefix(rate / static_cast<double>(read_length), "reads/s");
}

std::string bound_text(const ordered_json& winner, std::size_t lacking_probes) {
  if (winner["fraction_of_bound"].is_null() && lacking_probes > 0)
    return fmt::format("unknown: the time ended before {} of the probes that it needs", lacking_probes);
  if (winner["fraction_of_bound"].is_null())
    return "unknown: " + winner.value("fraction_of_bound_reason", std::string());
  return fmt::format("{} % of the bound by {}",
                     significant(100 * winner["fraction_of_bound"].get<double>(), 3),
                     winner["bound_by"].get<std::string>());
}

std::string memory_row(const ordered_json& winner) {
  const ordered_json& memory = winner["memory"];
  if (memory.is_null()) return "unknown: " + winner.value("memory_reason", std::string());
  std::vector<std::string> parts;
  for (const auto& [name, bytes] : memory["parts"].items())
    parts.push_back(fmt::format("{} {}", name, with_decimal_prefix(bytes.get<double>(), "B")));
  return fmt::format("{}: {}", with_decimal_prefix(memory["bytes"].get<double>(), "B"),
                     fmt::join(parts, ", "));
}

double fact(const Record& record, const char* name) {
  const nlohmann::json& facts = *record.facts;
  const auto found = facts.find(name);
  return found != facts.end() && found->is_number() ? found->get<double>() : 0;
}

/// Seconds from the file to the index, if the run has read the file and sorted it.
std::string build_text(const ordered_json& winner, const std::vector<Record>& records) {
  if (!winner["waits"].is_object()) return "unknown: " + winner.value("waits_reason", std::string());
  const ordered_json& waits = winner["waits"];
  const double index_s = waits["parts"].value("index", 0.0);
  if (!waits.value("index_from_cache", false)) return with_decimal_prefix(index_s, "s") + " from the file";
  std::string cached = with_decimal_prefix(index_s, "s") + " with the BWT from the cache";
  const auto sorted = std::ranges::find_if(records, [](const Record& record) {
    const nlohmann::json& facts = *record.facts;
    return record.kind == "kernel" && facts.is_object() && !facts.value("from_cache", true);
  });
  if (sorted == records.end()) return cached;
  return fmt::format("{}; sorting the reference took {} more", cached,
                     with_decimal_prefix(fact(*sorted, "build_s"), "s"));
}

std::string tool_text(const ToolResult& tool) {
  if (!tool.record) return tool.why_not;
  const Record& record = *tool.record;
  if (!record.statistics)
    return record.failure ? fmt::format("{}: {}", record.failure->kind, record.failure->reason) : "no rate";
  std::string text = with_decimal_prefix(record.statistics->rate, "bases/s") + " as a whole process";
  if (const double left_s = record.statistics->median_s - fact(record, "startup_s"); left_s > 0)
    text += fmt::format(", {} without start-up", with_decimal_prefix(record.work.amount / left_s, "bases/s"));
  return fmt::format("{}; index built in {}", text, with_decimal_prefix(fact(record, "prepare_s"), "s"));
}

std::string measured_text(const Choice& choice) {
  const auto measured = std::ranges::count_if(
      choice.records, [](const Record& one) { return one.kind == "kernel" && one.phase == "sweep"; });
  double took_s = 0;
  for (const Record& record : choice.records) took_s += record.took_s;
  return fmt::format("{} of {} layouts at their defaults, {} configurations in all, in {}; records in {}",
                     choice.measured_layouts, choice.layouts, measured, with_decimal_prefix(took_s, "s"),
                     choice.folder);
}

/// The options that state a variant and the axes of its point that are not at their defaults.
std::vector<std::string> point_options(const Variant& variant, const Point& point) {
  Point stated;
  for (const Axis& axis : variant.space.axes())
    if (point.at(axis.name) != axis.default_value) stated.set(axis.name, point.at(axis.name));
  const std::string text = stated.to_string();
  return {"--variant " + variant.name, text.empty() ? "--default-points" : "--point " + text};
}

std::string exec_command(const Choice& choice, const ordered_json& winner, const Variant& variant) {
  std::vector<std::string> words{"gpuseq-bench exec fm_index",
                                 "--device " + winner["device"].get<std::string>()};
  std::ranges::move(point_options(variant, Point::from_json(winner["point"])), std::back_inserter(words));
  for (const std::string& word : {"--data " + quoted("reference=" + choice.reference),
                                  std::string("--data queries=READS.fq"), std::string("--out counts.tsv")})
    words.push_back(word);
  return command(words);
}

/// The fastest record of a variant that has a library; nullptr: none was measured.
const Record* fastest_with_library(const Choice& choice, const Family& family) {
  const Record* fastest = nullptr;
  for (const Record& record : choice.records)
    if (record.kind == "kernel" && record.statistics && family.variant(record.state.variant).exported &&
        (fastest == nullptr || record.statistics->rate > fastest->statistics->rate))
      fastest = &record;
  return fastest;
}

std::string export_text(const Choice& choice, const ordered_json& winner, const Family& family) {
  const std::string library = "--output fm-index-library";
  const Variant& variant = family.variant(winner["variant"].get<std::string>());
  if (variant.exported)
    return "A library for other programs:\n" +
           command({"gpuseq-bench export fm_index", "--from " + quoted(choice.folder),
                    "--device " + winner["device"].get<std::string>(), library});
  const Record* fastest = fastest_with_library(choice, family);
  if (fastest == nullptr) return fmt::format("{} has no library for other programs.\n", variant.name);
  std::vector<std::string> words{"gpuseq-bench export fm_index"};
  std::ranges::move(point_options(family.variant(fastest->state.variant), fastest->state.point),
                    std::back_inserter(words));
  words.push_back(library);
  return fmt::format("{} has no library. The fastest variant with one ({}):\n", variant.name,
                     with_decimal_prefix(fastest->statistics->rate, "bases/s")) +
         command(words);
}

std::string other_devices(const ordered_json& tuned, const ordered_json& winner) {
  std::string text;
  for (const ordered_json& one : tuned)
    if (one["device"] != winner["device"])
      text += row("next device",
                  fmt::format("{} with {} on {}", with_decimal_prefix(one["rate"].get<double>(), "bases/s"),
                              one["variant"].get<std::string>(), one["device"].get<std::string>()));
  return text;
}

}  // namespace

std::string no_choice_text(const Choice& choice) {
  const std::string records = fmt::format("; records: {}/records.jsonl", choice.folder);
  if (choice.measured_layouts == choice.layouts) return "no configuration has a rate" + records;
  return fmt::format(
      "no configuration has a rate: the budget ended before {} of {} layouts; give a larger --budget{}",
      choice.layouts - choice.measured_layouts, choice.layouts, records);
}

std::string choice_text(const Choice& choice, const Family& family) {
  const auto fastest = std::ranges::max_element(
      choice.tuned, {}, [](const ordered_json& one) { return one["rate"].get<double>(); });
  const ordered_json& winner = *fastest;
  const Variant& variant = family.variant(winner["variant"].get<std::string>());
  const std::string limit = choice.index_bytes
                                ? with_decimal_prefix(static_cast<double>(*choice.index_bytes), "B")
                                : "the device's memory";
  std::vector<std::string> axes;
  const Point point = variant.space.complete(Point::from_json(winner["point"]));
  for (const auto& [axis, value] : point.values())
    axes.push_back(fmt::format("{}={}", axis, to_string(value)));
  std::string text =
      row("reference", fmt::format("{}, {}; reads of {} bases; index of at most {}", choice.reference,
                                   with_decimal_prefix(static_cast<double>(choice.bases), "bases"),
                                   choice.read_length, limit));
  text += row("fastest", fmt::format("{} on {}: {}", variant.name, winner["device"].get<std::string>(),
                                     variant.summary));
  text += row("parameters", fmt::format("{}", fmt::join(axes, " ")));
  text += row("rate", rate_text(winner, choice.read_length));
  text += row("bound", bound_text(winner, choice.lacking_probes));
  text += row("memory", memory_row(winner));
  text += row("build", build_text(winner, choice.records));
  text += other_devices(choice.tuned, winner);
  for (const ToolResult& tool : choice.tools) text += row(tool.name, tool_text(tool));
  text += row("measured", measured_text(choice));
  text += "\n" + export_text(choice, winner, family);
  return text + "A search of a file of reads:\n" + exec_command(choice, winner, variant);
}

}  // namespace gpuseq::bench
