#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

// How many lines a set of a cache holds, read from the times of chases alone. Pure functions.

namespace gpuseq::probes {

/// Time of an access of a chase that goes round some lines in the order given, once caches hold of them what
/// they can. What disturbs it makes it longer.
using ChaseTime = std::function<double(std::span<const std::uint32_t> lines)>;

/// A set of a cache that was filled with one line too many.
struct ConflictSet {
  std::optional<int> ways;        // lines of it that the cache holds
  double served = 0, missed = 0;  // time of an access before the line that was too many, and with it
  std::size_t lines = 0;          // of the chase when it was one too many, in all sets
  std::string reason;             // why ways are not known
};

/// Finds sets of the nearest caches, one each. Lines of the pool are taken into the chase one after the other
/// until it takes longer: the last one came to a set that is full. The lines without which the chase is as
/// fast as before are those of that set; all but one are what it holds. Nothing need be known of how a line's
/// set is chosen, so that neither unknown physical addresses nor hashes matter. More lines than a set may
/// have, without any of which the chase is as fast as before, are those of a cache of translations.
///
/// Source of the idea: eviction sets, as in Vila, Koepf and Morales, Theory and Practice of Finding Eviction
/// Sets, 2019; here the time of the whole chase tells, in place of that of one line.
/// @param pool  in the order in which they are taken; random, so that sets fill evenly
/// @param caches  how many to look for
std::vector<ConflictSet> find_conflict_sets(std::span<const std::uint32_t> pool, const ChaseTime& time,
                                            std::size_t caches);

/// What several looks at a cache say: of at least two that say something two thirds must say the same.
/// @param reasons  of those that say nothing
struct AgreedWays {
  std::optional<int> ways;
  std::string reason;
};
AgreedWays agreed_ways(std::span<const ConflictSet> looks);

}  // namespace gpuseq::probes
