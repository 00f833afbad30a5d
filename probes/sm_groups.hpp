#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Which multiprocessors of a GPU share a cache of address translations, found without counters.

namespace gpuseq::probes {

/// What each multiprocessor did in one launch, in which each read at random within its window of memory.
/// Entries are in the order of one list of multiprocessors.
struct WindowedLaunch {
  std::vector<std::uint8_t> windows;  // 0 or 1
  std::vector<double> rates;          // accesses in any unit of time, positive
};

/// Windows of so many multiprocessors for a set of launches: columns of a Walsh-Hadamard matrix in an order
/// that the seed gives, so that any two multiprocessors are in the same window in half of the launches, and
/// no other pair's being together goes along with theirs.
std::vector<std::vector<std::uint8_t>> window_design(std::size_t multiprocessors, std::uint64_t seed);

/// Multiprocessors that slow each other down where they read different windows.
struct SmGroups {
  /// Indices into the list of multiprocessors, each in one group, groups by their first. Empty: none show.
  std::vector<std::vector<std::size_t>> groups = {};
  /// What a multiprocessor loses to one that reads the other window, in logarithms of its rate: the mean of
  /// pairs within groups, the least of these, the most of two of different groups, and what noise makes of
  /// it.
  double within = 0, least_within = 0, most_between = 0, noise = 0;
  /// Every pair within a group stands out of noise and of every other pair.
  bool clear = false;
  std::string reason = {};  // why there are none
};

/// Groups by the launches of one or several designs: the effect of a pair is the mean of its members' losses
/// where they are apart, less where they are together; pairs are joined to groups by mean linkage.
/// @throws UsageError unless every launch has as many windows and rates as the first
SmGroups find_sm_groups(std::span<const WindowedLaunch> launches);

/// A window for each multiprocessor, so that those of a group have the same and windows have alike many:
/// groups in the order of their sizes, each to the window that has fewest.
std::vector<std::size_t> windows_by_group(const SmGroups& groups, std::size_t windows);

}  // namespace gpuseq::probes
