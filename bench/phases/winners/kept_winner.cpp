#include "bench/phases/winners/kept_winner.hpp"

#include <fmt/format.h>

#include "bench/config/schema_check.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/embedded.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

GPUSEQ_EMBEDDED(tuned_schema)

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

MemoryLimits limits_from(const json& winner) {
  MemoryLimits limits;
  if (winner.contains("max_bytes")) limits.bytes = winner["max_bytes"].get<std::uint64_t>();
  if (winner.contains("max_index_bytes")) limits.index_bytes = winner["max_index_bytes"].get<std::uint64_t>();
  return limits;
}

KeptWinner winner_from(const json& one, ordered_json whole, const std::string& place) {
  const auto made = one.at("made").get<std::string>();
  require_utc_date(made, place + "/made");
  return {.family = one.at("family").get<std::string>(),
          .variant = one.at("variant").get<std::string>(),
          .machine = one.at("machine").get<std::string>(),
          .made = made,
          .metric = one.at("objective").at("metric").get<std::string>(),
          .maximise = one.at("objective").at("direction") == "max",
          .problem_class = problem_class_from_json(one.at("problem_class")),
          .point = Point::from_json(one.at("point")),
          .variants = one.at("variants").get<std::vector<std::string>>(),
          .score = one.at("score").get<double>(),
          .problem_label = one.at("problem_label").get<std::string>(),
          .limits = limits_from(one),
          .json = std::move(whole)};
}

}  // namespace

bool are_same(const MemoryLimits& a, const MemoryLimits& b) {
  return a.bytes == b.bytes && a.index_bytes == b.index_bytes;
}

std::vector<KeptWinner> winners_from(std::string_view as_written, const std::string& name) {
  std::string buffer;
  const std::string_view text = printable_json(as_written, buffer);
  const json document = parse_json(text, name);
  check_schema(document, tuned_schema(), name);
  const ordered_json ordered = ordered_json::parse(text);
  std::vector<KeptWinner> winners;
  try {
    for (std::size_t i = 0; i < document["winners"].size(); ++i)
      winners.push_back(winner_from(document["winners"][i], ordered["winners"][i],
                                    fmt::format("{}: /winners/{}", name, i)));
  } catch (const json::exception& error) {
    throw UsageError(name + ": " + reason_of(error));
  }
  return winners;
}

const json& tuned_schema() {
  static const json schema = parse_json(embedded_tuned_schema(), "configs/tuned.schema.json");
  return schema;
}

}  // namespace gpuseq::bench
