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

/// The properties of a state that are known before its problem is loaded.
struct StateOutline {
  Point point;    // complete
  Point problem;  // complete
  /// Text bytes of each data entry, upper estimates; entries without a file are missing.
  std::map<std::string, std::uint64_t> data_bytes = {};

  /// Letters of the data that an axis of the problem names, or `generated_letters` if they are generated.
  /// @param generated  the axis' values that name no data
  /// @returns 0: not known
  std::uint64_t letters(std::string_view axis, std::uint64_t generated_letters,
                        std::initializer_list<std::string_view> generated) const;
};

/// The cost of one launch of a state. A variant estimates it before the problem is loaded: amounts are at
/// least the counted ones, and 0 if unknown before loading. A session counts it.
struct Cost {
  Work work = {};
  /// Empty for probes and external tools.
  HeldMemory held = {};
  std::optional<Traffic> traffic = {};
  /// In an estimate, "cuda" in `by_device` means every GPU.
  std::optional<Instructions> instructions = {};
  /// The reason why a state without traffic and instructions has no bound.
  std::string why_no_bound = {};
};

/// @throws ResourceError for a state that this machine cannot run and that is skipped
using EstimateCost = std::function<Cost(const StateOutline&)>;

/// The cost of a problem besides the launches of its variants: upper estimates of memory, typical times.
/// Seconds are those of one core of a typical CPU. `plan` computes the expected time of a run from them.
struct ProblemCost {
  std::uint64_t host_bytes = 0;  // input, answers and the oracle's answers
  /// Reading or generating the input, and building shared data: once per problem.
  double load_s = 0;
  /// A CPU variant's own preparation (an index in its layout), and the oracle's part of a check.
  double prepare_s = 0;
  double verify_s = 0;
  /// One launch of a typical CPU variant, and of the slowest.
  double launch_s = 0, slowest_launch_s = 0;
};

/// The names of the counted operations.
std::set<std::string> names_of(const std::map<std::string, double>& operations);

}  // namespace gpuseq
