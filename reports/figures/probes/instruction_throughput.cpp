#include <fmt/format.h>

#include <map>
#include <set>

#include "reports/figure_tools.hpp"
#include "reports/figures/probes/figures.hpp"

namespace gpuseq::reports::probes {
namespace {

constexpr const char* kFamily = "instruction_throughput";
constexpr const char* kInTurn = "two in turn";

/// Axes of a record, which old or foreign records may lack.
std::string word(const Entry& entry, const char* axis) {
  for (const auto& [name, value] : entry.record.state.point.values())
    if (name == axis) return to_string(value);
  return "";
}

/// "EPYC 9R14, avx2, 1 thread": instruction sets and threads of a CPU stand apart.
std::string panel_of(const Entry& entry) {
  std::string title = entry.device_name;
  if (const std::string target = word(entry, "target"); !target.empty()) title += ", " + target;
  if (const std::string threads = word(entry, "threads"); !threads.empty())
    title += threads == "0" ? ", all threads" : threads == "1" ? ", 1 thread" : ", " + threads + " threads";
  return title;
}

std::string series_of(const Entry& entry) {
  if (word(entry, "operation").find('+') != std::string::npos) return kInTurn;
  const std::string pipe = entry.record.facts.value("pipe", "");
  return pipe.empty() ? "pipe unknown" : pipe;
}

/// What a multiprocessor does in a clock; nothing where the record does not say how many clocks there are.
std::string per_clock(const Entry& entry) {
  const auto multiprocessors = number(entry.record.facts, "multiprocessors");
  const auto mhz = number(entry.record.facts, "max_clock_mhz");
  if (!multiprocessors || !mhz || !(*multiprocessors * *mhz > 0)) return "";
  const double clocks_per_s = *multiprocessors * *mhz * 1e6;
  return fmt::format("{:.3g} a clock", entry.record.statistics->rate / clocks_per_s);
}

chart::RowMark mark(const ReportData& data, const Entry& entry) {
  const Rate rate = rate_of(entry);
  return {.row = word(entry, "operation"),
          .value = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = series_of(entry),
          .label = format_value(rate.value, Unit::number_si) + "/s",
          .detail = per_clock(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::number_si)};
}

// The rate of every operation, the fastest record of each, a panel per device.
Drawing draw_instruction_throughput(const Figure& figure, const ReportData& data, const Published&) {
  std::map<std::string, std::map<std::string, const Entry*>> devices;
  for (const Entry* entry : data.settled(kFamily))
    if (const std::string operation = word(*entry, "operation"); !operation.empty())
      keep_fastest(devices[panel_of(*entry)], operation, entry);
  if (devices.empty()) return not_drawn(why_none(data, kFamily, "operation"));
  chart::RowChart chart{.bars = true, .grouped = false, .series_title = "pipe"};
  std::vector<const Entry*> used;
  std::set<std::string> series;
  for (const auto& [title, best] : devices) {
    if (chart.panels.size() == kMostPanels) break;
    chart::RowPanel panel{.title = title};
    for (const auto& [operation, entry] : best) {
      panel.marks.push_back(mark(data, *entry));
      if (panel.marks.back().series != kInTurn) series.insert(panel.marks.back().series);
      panel.value = chart::Quantity{
          .title = on_gpu(*entry) ? "lane operations per second" : "vector instructions per second",
          .unit = Unit::number_si};
      used.push_back(entry);
    }
    sort_rows(panel);
    chart.panels.push_back(std::move(panel));
  }
  chart.series.assign(series.begin(), series.end());
  chart.series.push_back(kInTurn);
  chart.heading =
      heading(figure, data, used,
              {"Two in turn: both are counted; no faster than alone, they share a pipe. A clock: of a "
               "multiprocessor at its highest rate."});
  return drawn(std::move(chart));
}

}  // namespace

Figure instruction_throughput() {
  return {"probes/instruction_throughput", "Throughput of instructions", "Instruction probes",
          "How often a device executes an instruction: what bounds kernels whose data stay in registers.",
          draw_instruction_throughput};
}

}  // namespace gpuseq::reports::probes
