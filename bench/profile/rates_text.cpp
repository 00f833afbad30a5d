#include "bench/profile/rates_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/config/units.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;

/// For each kind, the best rate of the rows with the largest `order`.
std::string text_by(const ordered_json& rows, RateKind (*kind_of)(const ordered_json&),
                    double (*order)(const ordered_json&)) {
  std::map<RateKind, std::pair<double, double>> best;
  for (const ordered_json& row : rows) {
    auto& kept = best[kind_of(row)];
    kept = std::max(kept, {order(row), row["rate"].get<double>()});
  }
  std::string text;
  for (const auto& [kind, at] : best)
    text += fmt::format("{}{} {}B/s", text.empty() ? "" : ", ", kind.second, prefixed(at.second));
  return text;
}

}  // namespace

RateKind operation_of(const ordered_json& row) {
  return {0, row["operation"].get<std::string>()};
}

RateKind direction_of(const ordered_json& row) {
  return {0, row["direction"].get<std::string>()};
}

RateKind blocks_of(const ordered_json& row) {
  const auto bytes = row["block_bytes"].get<double>();
  return {bytes, bytes_text(bytes)};
}

std::string largest_text(const ordered_json& rows, RateKind (*kind_of)(const ordered_json&)) {
  return text_by(rows, kind_of, [](const ordered_json& row) { return row.value("footprint_bytes", 0.0); });
}

std::string best_text(const ordered_json& rows, RateKind (*kind_of)(const ordered_json&)) {
  return text_by(rows, kind_of, [](const ordered_json&) { return 0.0; });
}

}  // namespace gpuseq::bench
