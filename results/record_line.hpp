#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "results/record_reader.hpp"

namespace gpuseq::results {

/// Shares the memory of equal points.
class PointPool {
 public:
  Point share(Point point);

 private:
  std::unordered_map<std::string, Point> points_;  // by text, which a word of digits may share with a number
};

/// Reads lines of one journal that are records, and makes their texts printable(). Their equal facts and
/// points share memory.
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
