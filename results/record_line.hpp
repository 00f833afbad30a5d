#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "results/record_reader.hpp"

namespace gpuseq::results {

/// Makes equal points one in memory.
class PointPool {
 public:
  Point share(Point point);

 private:
  std::unordered_map<std::string, Point>
      points_;  // by their texts, which a word of digits can have in common
};

/// Reads lines of one journal that are records, and makes their texts printable(). Facts and points that many
/// of them have in common are one in memory.
class RecordLineReader {
 public:
  /// @throws UsageError for a line that is not JSON, and as read_record()
  Record read(std::string_view line);

 private:
  JsonParser parser_;
  JsonPool pool_;
  PointPool points_;
};

}  // namespace gpuseq::results
