#include "results/reading/readable_record.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "results/line_file.hpp"
#include "results/reading/provenances.hpp"
#include "results/record_head.hpp"
#include "results/record_reader.hpp"

namespace gpuseq::results {
namespace {

/// Why the record's line cannot be read; empty if it can.
std::string obstacle_to_reading(const Record& record) {
  try {
    std::string line = json_line(to_json(record));
    line.pop_back();
    JsonParser parser;
    read_record(parser.parse(line));
    read_head(line, ReadLine::head);
    Provenances().take(json_line(provenance_line(record.provenance)));
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

void drop_numbers(Record& record) {
  record.samples_s.clear();
  record.launches_per_sample = 1;
  record.discarded_throttled = 0;
  record.discarded_interference = 0;
  record.statistics.reset();
  record.single_launch.reset();
  record.reference_loop.reset();
  record.side_samples_s.clear();
  record.traffic.reset();
  record.instructions.reset();
  record.resources.reset();
  record.memory = {std::nullopt, "the state failed"};
  record.counters = {std::nullopt, "the state failed"};
  record.energy = {std::nullopt, "the state failed"};
  record.bound = {std::nullopt, "the state failed"};
  record.facts = nlohmann::json::object();
  if (!std::isfinite(record.work.amount)) record.work.amount = 0;
}

Record made_readable(Record record) {
  const std::string obstacle = obstacle_to_reading(record);
  if (obstacle.empty()) return record;
  const Failure failure{.kind = "error", .reason = "its record could not be read again: " + obstacle};
  drop_numbers(record);
  record.status = Status::failed;
  record.failure = failure;
  if (obstacle_to_reading(record).empty()) return record;
  Record bare;
  bare.state = record.state;
  bare.kind = record.kind;
  bare.phase = record.phase;
  bare.repetition = record.repetition;
  bare.provenance = nlohmann::json::object();
  bare.status = Status::failed;
  bare.failure = failure;
  drop_numbers(bare);
  if (const std::string still = obstacle_to_reading(bare); !still.empty())
    throw std::logic_error("a state that no record can have: " + still);
  return bare;
}

}  // namespace gpuseq::results
