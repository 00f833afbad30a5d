#include "results/record_line.hpp"

#include <optional>
#include <utility>

#include "results/line_file.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::results {
namespace {

/// A line that ends in its provenance.
struct SplitLine {
  std::string_view before;  // the record, without its last brace
  std::string_view provenance;
  std::string_view date;  // the first text in the provenance that is named so
  std::string key;        // the provenance without that text
};

/// In JSON no text holds an unescaped quote, so what is found here is a name and not a part of a text.
std::optional<SplitLine> split(std::string_view line) {
  static constexpr std::string_view kName = ",\"provenance\":{", kDate = "\"date\":\"";
  const std::size_t begin = line.rfind(kName);
  if (begin == std::string_view::npos || !line.ends_with('}')) return std::nullopt;
  std::string_view provenance = line.substr(begin + kName.size() - 1);
  provenance.remove_suffix(1);
  const std::size_t found = provenance.find(kDate);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t date_at = found + kDate.size();
  const std::size_t date_end = provenance.find('"', date_at);
  if (date_end == std::string_view::npos) return std::nullopt;
  const std::string_view date = provenance.substr(date_at, date_end - date_at);
  if (date.empty() || date.find('\\') != std::string_view::npos) return std::nullopt;
  std::string key(provenance.substr(0, date_at));
  key.append(provenance.substr(date_end));
  return SplitLine{
      .before = line.substr(0, begin), .provenance = provenance, .date = date, .key = std::move(key)};
}

/// Whether the line's end is the record's own provenance and has its date: another object of that name may
/// stand deeper in a record, and another date deeper in a provenance.
bool is_split_right(const SplitLine& parts, const Record& record) {
  nlohmann::json provenance = *record.provenance;
  provenance["date"] = record.date;
  return record.date == parts.date &&
         nlohmann::json::parse(parts.provenance, nullptr, /*allow_exceptions=*/false) == provenance;
}

}  // namespace

Point PointPool::share(Point point) {
  const auto [place, is_new] = points_.emplace(point.to_string(), point);
  return place->second == point ? place->second : std::move(point);
}

Record RecordLineReader::read(std::string_view line) {
  std::string buffer;
  Record record = read_unshared(printable_json(line, buffer));
  record.state.problem = points_.share(std::move(record.state.problem));
  record.state.point = points_.share(std::move(record.state.point));
  return record;
}

Record RecordLineReader::read_unshared(std::string_view line) {
  const std::optional<SplitLine> parts = split(line);
  const auto known = parts ? provenances_.find(parts->key) : provenances_.end();
  if (known != provenances_.end() && is_utc_date(parts->date)) {
    before_provenance_.assign(parts->before) += '}';
    Record record = read_but_provenance(parser_.parse(before_provenance_), &pool_);
    record.provenance = known->second;
    record.date = parts->date;
    return record;
  }
  Record record = read_record(parser_.parse(line), &pool_);
  if (parts && is_split_right(*parts, record)) provenances_.emplace(parts->key, record.provenance);
  return record;
}

std::string lines_of(std::span<const Record> records) {
  std::string text;
  for (const Record& record : records) text += json_line(to_json(record));
  return text;
}

}  // namespace gpuseq::results
