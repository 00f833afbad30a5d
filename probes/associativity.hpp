#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Ways of a cache, determined from times of chases alone. Pure functions.

namespace gpuseq::probes {

/// Time of an access in a chase through some lines in the given order, after caches are warm.
/// Disturbances make it longer.
using ChaseTime = std::function<double(std::span<const std::uint32_t> lines)>;

/// A cache set that was filled with one line too many.
struct ConflictSet {
  std::optional<int> ways;        // lines of it that fit the cache
  double served = 0, missed = 0;  // time of an access before the line too many, and with it
  std::size_t lines = 0;          // lines of the chase, in all sets, when one was too many
  std::string reason;             // why ways are unknown
};

/// Finds sets of the nearest caches, one for each cache. Lines of the pool are added to the chase one by one
/// until it takes longer: the last line belongs to a full set. The lines without which the chase is as fast
/// as before are those of that set; the cache holds all but one of them. The mapping of lines to sets need
/// not be known, so that unknown physical addresses and hashes do not matter. If there are more such lines
/// than a set may have, they belong to a TLB.
///
/// Source of the idea: eviction sets, as in Vila, Koepf and Morales, Theory and Practice of Finding Eviction
/// Sets, 2019; here the time of the whole chase is measured instead of the time of one line.
/// @param pool  in the order of use; random, so that sets fill evenly
/// @param caches  number of caches to find
std::vector<ConflictSet> find_conflict_sets(std::span<const std::uint32_t> pool, const ChaseTime& time,
                                            std::size_t caches);

/// The consensus of several measurements of a cache: of at least two with a result, two thirds must agree.
/// @param reasons  of the measurements without a result
struct AgreedWays {
  std::optional<int> ways;
  std::string reason;
};
AgreedWays agreed_ways(std::span<const ConflictSet> looks);

}  // namespace gpuseq::probes
