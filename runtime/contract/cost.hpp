#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/contract/point.hpp"
#include "runtime/contract/work.hpp"

namespace gpuseq {

/// What is known of a state before its problem is loaded.
struct StateOutline {
  Point point;    // complete
  Point problem;  // complete
  /// Bytes of the text of each data entry, an upper estimate; entries without a file are missing.
  std::map<std::string, std::uint64_t> data_bytes = {};

  /// Letters of the data that an axis of the problem names, or `generated_letters` where they are generated.
  /// @param generated  the axis' values that name no data
  /// @returns 0: not known
  std::uint64_t letters(std::string_view axis, std::uint64_t generated_letters,
                        std::initializer_list<std::string_view> generated) const;
};

/// What one launch of a state costs. A variant estimates it before the problem is loaded: no amount is lower
/// than the count, and an amount that is not known before loading is 0. A session counts it.
struct Cost {
  Work work = {};
  /// Empty parts: probes and external tools do not state it.
  HeldMemory held = {};
  std::optional<Traffic> traffic = {};
  /// In an estimate "cuda" stands for each GPU in `by_device`.
  std::optional<Instructions> instructions = {};
  /// Why a state with neither traffic nor instructions has no bound.
  std::string why_no_bound = {};
};

/// @throws ResourceError for a state that this machine cannot run: it will be skipped
using EstimateCost = std::function<Cost(const StateOutline&)>;

/// What a problem costs beside the launches of its variants: upper estimates of memory, usual times. Seconds
/// are those of one core of a usual processor. `plan` computes the expected time of a run from them.
struct ProblemCost {
  std::uint64_t host_bytes = 0;  // input, answers and the oracle's answers
  /// Reading or generating the input, and building what variants share: once a problem.
  double load_s = 0;
  /// What a CPU variant builds for itself (an index of its own layout), and the oracle's part of a check.
  double prepare_s = 0;
  double verify_s = 0;
  /// One launch of a usual CPU variant, and of the slowest.
  double launch_s = 0, slowest_launch_s = 0;
};

/// The names of the operations that are counted.
std::set<std::string> names_of(const std::map<std::string, double>& operations);

}  // namespace gpuseq
