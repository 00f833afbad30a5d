#include "bench/phases/predict/carry_over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "bench/config/units.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

int multiprocessors_of(const json& description) {
  return limits_of(description).multiprocessors;
}

/// The same state on the device: one that has as many blocks per multiprocessor as here.
Record on_device(Record record, const ProbedMachine::Device& to) {
  json provenance = *record.provenance;
  const int here = multiprocessors_of(provenance.value("device", json())),
            there = multiprocessors_of(to.description);
  provenance["device"] = to.description;
  record.provenance = provenance;
  record.state.device = to.id;
  if (here == 0 || there == 0) return record;
  const double ratio = static_cast<double>(there) / here;
  if (record.resources && record.resources->blocks % here == 0)
    record.resources->blocks = record.resources->blocks / here * there;
  if (record.traffic) record.traffic->in_flight *= ratio;
  return record;
}

std::optional<double> bytes_of_device(const ProbedMachine::Device& device) {
  const auto bytes = device.description.find("memory_bytes");
  if (bytes == device.description.end() || !bytes->is_number()) return {};
  return bytes->get<double>();
}

/// The vector instructions of a state that a processor lacks; empty: it has them, or its instruction sets
/// are not known.
std::string lacking_instructions(const Point& point, const json& description) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSets{
      {{"sse4", "sse4_1"}, {"avx2", "avx2"}, {"avx512", "avx512f"}}};  // a target; a flag of /proc/cpuinfo
  const auto known = description.find("instruction_sets");
  if (known == description.end() || !point.has("target")) return "";
  for (const auto& [target, flag] : kSets)
    if (point.at("target") == AxisValue(std::string(target)) &&
        std::ranges::find(*known, json(flag)) == known->end())
      return std::string(target);
  return "";
}

/// Sets the interval of a prediction.
/// @param bounds  how many times as fast the bound is there
void set_interval(Prediction& found, const results::Statistics& here, double execution, double bounds) {
  const double scale = found.rate / found.rate_here;
  const auto [low, high] = std::minmax({scale, execution, bounds});
  found.rate_low = low * here.rate_low.value_or(here.rate);
  found.rate_high = high * here.rate_high.value_or(here.rate);
}

}  // namespace

Maybe<Prediction> CarryOver::of(const Record& record) const {
  if (const std::string lacking = lacking_instructions(record.state.point, to_.description); !lacking.empty())
    return {std::nullopt, fmt::format("needs {}, which {} lacks", lacking, to_.name())};
  const std::optional<double> memory = bytes_of_device(to_);
  if (memory && record.memory.value && static_cast<double>(record.memory.value->bytes()) > *memory)
    return {std::nullopt,
            fmt::format("holds {}, {} has {}", bytes_text(static_cast<double>(record.memory.value->bytes())),
                        to_.name(), bytes_text(*memory))};
  Maybe<results::Bound> own = bound_of(record, here_.probes, here_.all_threads);
  if (!own.value) own = record.bound;
  const Record moved = on_device(record, to_);
  Maybe<results::Bound> other = bound_of(moved, there_.probes, there_.all_threads);
  const double rate = record.statistics->rate;
  Prediction found{.state = moved.state,
                   .rate = rate * execution_,
                   .rate_unit = record.statistics->rate_unit,
                   .bound = std::move(other.value),
                   .bound_share = 0,
                   .rate_here = rate};
  double bounds = execution_;
  if (own.value && found.bound) {
    bounds = found.bound->rate / own.value->rate;
    const double share = std::min(1.0, rate / own.value->rate);
    const double bound = share * own.value->rate / found.bound->rate;
    const double slowdown = bound + (1 - share) / execution_;
    found.rate = rate / slowdown;
    found.bound_share = bound / slowdown;
  }
  if (found.bound) found.bound->fraction = found.rate / found.bound->rate;
  set_interval(found, *record.statistics, execution_, bounds);
  return {std::move(found), {}};
}

}  // namespace gpuseq::bench
