#include "results/reading/provenances.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "results/json_fields.hpp"
#include "results/line_file.hpp"
#include "results/reading/record_parts.hpp"
#include "results/record_line.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::results {
namespace {

constexpr std::string_view kKey = "\"provenance_id\"";

/// Checks only the fields that the program reads.
nlohmann::json provenance_from(const Fields& fields) {
  nlohmann::json provenance = fields.plain_object("provenance");
  for (const char* part : {"host", "device", "program"})
    if (provenance.contains(part) && !provenance[part].is_object())
      fields.fail(fmt::format("provenance/{}", part),
                  fmt::format("found {}, allowed: an object", provenance[part].type_name()));
  for (const auto& [part, name] : {std::pair("host", "available_cpus"), std::pair("device", "threads")})
    if (provenance.contains(part) && provenance[part].contains(name) &&
        !provenance[part][name].is_number_integer())
      fields.fail(fmt::format("provenance/{}/{}", part, name),
                  fmt::format("found {}, allowed: an integer", provenance[part][name].type_name()));
  return provenance;
}

}  // namespace

std::string provenance_id(const SharedJson& provenance) {
  if ((*provenance).is_string()) return (*provenance).get<std::string>();
  return hash_hex16((*provenance).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

nlohmann::ordered_json provenance_line(const SharedJson& provenance) {
  return {{"provenance_id", provenance_id(provenance)}, {"provenance", *provenance}};
}

bool Provenances::take(std::string_view line) {
  if (line.find(kKey) == line.npos) return false;  // also found in the texts of some records
  std::string buffer;
  JsonParser parser;
  const Fields fields(parser.parse(printable_json(line, buffer)));
  if (!fields.has("provenance_id")) return false;
  const auto id = fields.get<std::string>("provenance_id");
  require_hash(fields, "provenance_id", id);
  nlohmann::json provenance = provenance_from(fields);
  fields.refuse_others();
  const auto known = by_id_.find(id);
  if (known == by_id_.end())
    by_id_.emplace(id, std::move(provenance));
  else if (*known->second != provenance)
    fields.fail("provenance_id", fmt::format("an earlier line gives another provenance as {}", id));
  return true;
}

void Provenances::resolve(Record& record) const {
  const std::string id = provenance_id(record.provenance);
  const auto found = by_id_.find(id);
  if (found == by_id_.end())
    throw UsageError(fmt::format("/provenance: found {}, which no line before gives", id));
  record.provenance = found->second;
}

std::vector<Record> records_of_lines(std::string_view text) {
  RecordLineReader reader;
  Provenances provenances;
  std::vector<Record> records;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw UsageError("its last line has no end");
    const std::string_view line = text.substr(0, end);
    if (!provenances.take(line)) provenances.resolve(records.emplace_back(reader.read(line)));
    text.remove_prefix(end + 1);
  }
  return records;
}

std::string lines_of(std::span<const Record> records) {
  std::string text;
  std::set<std::string> given;
  for (const Record& record : records) {
    if (given.insert(provenance_id(record.provenance)).second)
      text += json_line(provenance_line(record.provenance));
    text += json_line(to_json(record));
  }
  return text;
}

}  // namespace gpuseq::results
