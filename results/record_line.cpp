#include "results/record_line.hpp"

#include <utility>

#include "runtime/text/printable.hpp"

namespace gpuseq::results {

Point PointPool::share(Point point) {
  const auto [place, is_new] = points_.emplace(point.to_string(), point);
  return place->second == point ? place->second : std::move(point);
}

Record RecordLineReader::read(std::string_view line) {
  std::string buffer;
  Record record = read_record(parser_.parse(printable_json(line, buffer)), &pool_);
  record.state.problem = points_.share(std::move(record.state.problem));
  record.state.point = points_.share(std::move(record.state.point));
  return record;
}

}  // namespace gpuseq::results
