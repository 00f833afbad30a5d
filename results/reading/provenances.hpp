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

/// The line of a journal that gives a provenance: {"provenance_id": ..., "provenance": {...}}. It stands
/// before the first record that has its id, and may stand there several times.
nlohmann::ordered_json provenance_line(const SharedJson& provenance);

/// The provenances of a journal by their ids.
class Provenances {
 public:
  /// Takes a line if it gives a provenance. @returns whether it does
  /// @throws UsageError for such a line that is wrong, or gives another provenance than one before it
  bool take(std::string_view line);

  /// Whether a line gave the provenance of a record.
  bool has(const Record& record) const { return by_id_.contains(provenance_id(record.provenance)); }
  /// Replaces the id of a record's provenance by what it stands for.
  /// @throws UsageError if no line gave it
  void resolve(Record& record) const;

 private:
  std::map<std::string, SharedJson, std::less<>> by_id_;
};

/// Reads a text that is a whole journal.
/// @throws UsageError for a line that is neither a provenance nor a record, or a last line without its end
std::vector<Record> records_of_lines(std::string_view text);

/// Records as the lines of a journal, with their provenances.
std::string lines_of(std::span<const Record> records);

}  // namespace gpuseq::results
