#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Groups of multiprocessors that share a TLB, found without hardware counters.

namespace gpuseq::probes {

/// Rates of each multiprocessor in one launch, in which each read at random within its window of memory.
/// Entries are in the order of one list of multiprocessors.
struct WindowedLaunch {
  std::vector<std::uint8_t> windows;  // 0 or 1
  std::vector<double> rates;          // accesses per any unit of time, positive
};

/// Windows of `multiprocessors` multiprocessors for a set of launches: columns of a Walsh-Hadamard matrix in
/// an order given by the seed. Any two multiprocessors are in the same window in half of the launches,
/// uncorrelated with any other pair.
std::vector<std::vector<std::uint8_t>> window_design(std::size_t multiprocessors, std::uint64_t seed);

/// Groups of multiprocessors that slow each other down when they read different windows.
struct SmGroups {
  /// Indices into the list of multiprocessors, each in one group, groups by their first index.
  /// Empty if none is found.
  std::vector<std::vector<std::size_t>> groups = {};
  /// Loss of a multiprocessor to one that reads the other window, as a logarithm of its rate: the mean and
  /// the least of pairs within groups, the largest of pairs in different groups, and the noise.
  double within = 0, least_within = 0, most_between = 0, noise = 0;
  /// Every pair within a group exceeds the noise and every other pair.
  bool clear = false;
  std::string reason = {};  // why there are no groups
};

/// Groups by the launches of one or several designs: the effect of a pair is the mean loss of its members in
/// different windows minus that in the same window; pairs are joined to groups by mean linkage.
/// @throws UsageError unless all launches have equally many windows and rates
SmGroups find_sm_groups(std::span<const WindowedLaunch> launches);

/// A window for each multiprocessor, such that those of a group have the same and windows have similar
/// numbers of multiprocessors: groups by size, each assigned to the window with the fewest.
std::vector<std::size_t> windows_by_group(const SmGroups& groups, std::size_t windows);

}  // namespace gpuseq::probes
