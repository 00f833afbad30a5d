#include "reports/figures/exact_match/points.hpp"

#include "reports/variant_rows.hpp"

namespace gpuseq::reports::exact_match {

std::optional<double> query_length_of(const Entry& entry) {
  const auto bases = number(entry.record.facts, "query_bases"),
             queries = number(entry.record.facts, "query_count");
  if (!bases || !queries || !(*bases > 0) || !(*queries > 0)) return std::nullopt;
  return *bases / *queries;
}

std::optional<double> min_length_of(const Entry& entry) {
  return number(entry.record.facts, "min_length");
}

bool of_whole_queries(const Entry& entry) {
  const auto length = query_length_of(entry), least = min_length_of(entry);
  return length && least && *length == *least;
}

std::string row_of(const Entry& entry) {
  std::string row = variant_row(entry);
  if (const std::string result = axis_text(entry, "result"); !result.empty())
    row.insert(contestant(entry).size(), ", " + result);
  return row;
}

}  // namespace gpuseq::reports::exact_match
