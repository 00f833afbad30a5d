#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/phases/predict/accuracy.hpp"
#include "bench/phases/predict/carry_over.hpp"

namespace gpuseq::bench {

/// The points of one problem that were measured on a device here, by their predicted rate on one there.
struct PredictedContest {
  std::string family;
  Point problem;
  std::string problem_label;
  std::string device_here = {}, device_there = {};  // ids
  std::string name_here = {}, name_there = {};      // of the devices
  std::vector<Prediction> ranking = {};             // best first
  std::vector<std::string> left_out = {};           // why others have no prediction, each reason once
  std::size_t left_out_count = 0;
  /// The rates of those that were measured there as well, once judged, in the order of `ranking`.
  std::vector<std::optional<double>> measured = {};  // of each of `ranking`; empty: not judged
  std::optional<Accuracy> accuracy = {};
};

/// All kernels of some families, each by the record of its last phase, on each device there of their kind.
/// @param records  of one machine
/// @param limits  a point with a larger or unknown footprint is left out
std::vector<PredictedContest> predictions(std::span<const results::Record> records,
                                          const std::set<std::string>& families, const ProbedMachine& here,
                                          const ProbedMachine& there, const MemoryLimits& limits = {});

/// Sets how good each contest is, by the measurements there.
void judge(std::vector<PredictedContest>& contests, std::span<const results::Record> measured_there);

/// The axes of a point in which any of `all` has another value.
Point differing_axes(std::span<const Point> all, const Point& point);

/// For people: a paragraph a problem, and the medians of all that were judged.
std::string predictions_text(std::span<const PredictedContest> contests);

/// predicted.json; docs/guides/tuning.md describes the fields.
nlohmann::ordered_json predictions_json(std::span<const PredictedContest> contests);

}  // namespace gpuseq::bench
