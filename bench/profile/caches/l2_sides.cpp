#include "bench/profile/caches/l2_sides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "probes/l2_sides.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr std::size_t kLow = 1, kMiddle = 3, kHigh = 5;  // of probes::kQuantiles: 5, 50 and 95 %
static_assert(probes::kQuantiles[kLow] == 0.05 && probes::kQuantiles[kMiddle] == 0.5 &&
              probes::kQuantiles[kHigh] == 0.95);

bool has_numbers(const json& values, std::size_t count) {
  if (!values.is_array() || values.size() != count) return false;
  for (const json& value : values)
    if (!value.is_number()) return false;
  return true;
}

ordered_json number_or_null(const json& facts, const char* key, double times = 1) {
  const auto found = facts.find(key);
  if (found == facts.end() || !found->is_number()) return nullptr;
  return times * found->get<double>();
}

ordered_json row_of(const std::string& operation, const json& facts) {
  const double ns_per_clock = facts["ns_per_clock"].get<double>();
  ordered_json row{{"operation", operation},
                   {"lines", facts.value("lines", json())},
                   {"near_clocks", number_or_null(facts, "near_clocks")},
                   {"far_clocks", number_or_null(facts, "far_clocks")},
                   {"near_ns", number_or_null(facts, "near_clocks", ns_per_clock)},
                   {"far_ns", number_or_null(facts, "far_clocks", ns_per_clock)},
                   {"near_share", number_or_null(facts, "near_share")},
                   {"on_side", number_or_null(facts, "on_side")},
                   {"groups", facts.value("groups", json())},
                   {"quantiles_clocks", facts["quantiles_clocks"]},
                   {"reason", facts.value("reason", "")}};
  return row;
}

std::string row_text(const ordered_json& row) {
  const ordered_json& quantiles = row["quantiles_clocks"];
  const auto number = [](const ordered_json& value) { return value.get<double>(); };
  if (!row["near_clocks"].is_number())
    return fmt::format("{:.3g} clk (5 to 95 %: {:.3g} to {:.3g}), {}", number(quantiles[kMiddle]),
                       number(quantiles[kLow]), number(quantiles[kHigh]), row["reason"].get<std::string>());
  std::vector<std::size_t> sizes;
  for (const ordered_json& group : row["groups"]) sizes.push_back(group.size());
  return fmt::format(
      "near {:.3g} clk ({:.3g} ns), far {:.3g} clk ({:.3g} ns); {:.0f} % of lines are near; {} SMs",
      number(row["near_clocks"]), number(row["near_ns"]), number(row["far_clocks"]), number(row["far_ns"]),
      100 * number(row["near_share"]), fmt::join(sizes, " + "));
}

}  // namespace

ordered_json l2_sides_json(std::span<const Record* const> records) {
  ordered_json rows = ordered_json::array();
  for (const Record* record : records) {
    const json& facts = *record->facts;
    if (!facts.is_object() ||
        !has_numbers(facts.value("quantiles_clocks", json()), probes::kQuantiles.size()) ||
        number_or_null(facts, "ns_per_clock").is_null())
      continue;
    ordered_json row = row_of(record->state.point.word("operation"), facts);
    const auto kept = std::ranges::find_if(
        rows, [&](const ordered_json& one) { return one["operation"] == row["operation"]; });
    if (kept == rows.end())
      rows.push_back(std::move(row));
    else if (row["quantiles_clocks"][kMiddle] < (*kept)["quantiles_clocks"][kMiddle])
      *kept = std::move(row);
  }
  return rows.empty() ? ordered_json(nullptr) : rows;
}

std::string l2_sides_text(const ordered_json& device) {
  if (!device.contains("l2_sides")) return "";
  std::string text;
  for (const ordered_json& row : device["l2_sides"])
    text += fmt::format("  {:11}{:9} {}\n", text.empty() ? "L2 sides" : "",
                        row["operation"].get<std::string>(), row_text(row));
  return text;
}

}  // namespace gpuseq::bench
