#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/record.hpp"

namespace gpuseq::results {

/// 16 hexadecimal digits, the same for equal provenances.
std::string provenance_id(const SharedJson& provenance);

/// The line of a journal with a provenance: {"provenance_id": ..., "provenance": {...}}. It precedes the
/// first record with its id, and may be repeated.
nlohmann::ordered_json provenance_line(const SharedJson& provenance);

/// The provenances of a journal by their ids.
class Provenances {
 public:
  /// Reads a line if it is a provenance. @returns whether it is
  /// @throws UsageError if such a line is malformed, or differs from an earlier one of the same id
  bool take(std::string_view line);

  /// Whether the provenance of a record was read.
  bool has(const Record& record) const { return by_id_.contains(provenance_id(record.provenance)); }
  /// Replaces the id of a record's provenance by the provenance.
  /// @throws UsageError if no line has this id
  void resolve(Record& record) const;

 private:
  std::map<std::string, SharedJson, std::less<>> by_id_;
};

/// Reads a text that is a whole journal.
/// @throws UsageError for a line that is neither a provenance nor a record, or a last line without its end
std::vector<Record> records_of_lines(std::string_view text);

/// The lines of a journal with these records and their provenances.
std::string lines_of(std::span<const Record> records);

}  // namespace gpuseq::results
