#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "results/record_reader.hpp"

namespace gpuseq::results {

/// Records as the lines of a journal.
std::string lines_of(std::span<const Record> records);

/// Makes equal points one in memory.
class PointPool {
 public:
  Point share(Point point);

 private:
  std::unordered_map<std::string, Point>
      points_;  // by their texts, which a word of digits can have in common
};

/// Reads lines of one journal, and makes their texts printable(). What many of them have in common is one in
/// memory: facts, points, and the provenance, half of a line, which is parsed and checked only where its
/// text, but for the date, is new.
class RecordLineReader {
 public:
  /// @throws UsageError for a line that is not JSON, and as read_record()
  Record read(std::string_view line);

 private:
  Record read_unshared(std::string_view line);

  JsonParser parser_;
  std::string before_provenance_;
  JsonPool pool_;
  PointPool points_;
  std::map<std::string, SharedJson, std::less<>> provenances_;  // by their text without the date
};

}  // namespace gpuseq::results
