#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"

namespace gpuseq {

/// What is known of a state before its problem is loaded.
struct StateOutline {
  Point point;    // complete
  Point problem;  // complete
  /// Of each data entry the bytes of its text, about and rather too many; without those that cannot be seen.
  std::map<std::string, std::uint64_t> data_bytes = {};

  /// Letters of data that an axis of the problem names, or so many as are generated; 0: nobody knows.
  /// @param generated  the axis' values that name no data
  std::uint64_t letters(std::string_view axis, std::uint64_t generated_letters,
                        std::initializer_list<std::string_view> generated) const;
};

/// Random accesses that a state makes.
struct TrafficNeeds {
  std::size_t least_block_bytes = 0, most_block_bytes = 0;
  std::string access = "independent";  // as in Traffic
  std::uint64_t footprint_bytes = 0;   // at most, about; 0: nobody knows
};

/// What a state executes on devices of a kind, if not on its own: on a CPU with all threads.
struct OperationNeeds {
  DeviceKind device = DeviceKind::cpu;
  std::set<std::string> operations = {};
  std::string target = {};
};

/// What a state touches and executes, as far as it can be told beforehand, and thereby the probes that its
/// bound needs. May name more than the session then counts, not less.
struct Needs {
  std::optional<TrafficNeeds> traffic = {};
  /// Names as in Instructions.
  std::set<std::string> operations = {};
  std::string target = {};  // as in Instructions
  /// Of devices that share the work (Instructions::by_device).
  std::vector<OperationNeeds> by_device = {};
  /// Of a state that counts nothing: why no bound is possible.
  std::string reason_for_none = {};
};

/// @throws ResourceError for a state that cannot be had on this machine: it will be skipped
using FindNeeds = std::function<Needs(const StateOutline&)>;

/// The names of what is counted.
std::set<std::string> names_of(const std::map<std::string, double>& operations);

/// Needs of a state that counts nothing.
FindNeeds no_needs(std::string reason);

}  // namespace gpuseq
