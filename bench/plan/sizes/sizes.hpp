#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "results/record.hpp"

/// How the size of a problem is found that a config leaves open ("auto"): all from the records that there
/// are, so that a resumed run takes the same steps as the run that died.
namespace gpuseq::bench {

/// Where the growth of a problem ends at the latest.
struct SizeLimits {
  double seconds =
      kSecondsOfASize;  // of this problem, sizes on the way and the sweep at the one found; without a budget
  std::span<const DeviceInfo> devices = {};
  std::size_t host_bytes = 0;                            // 0: not known
  std::map<std::string, std::uint64_t> data_bytes = {};  // as StateOutline has them
};

/// Why a problem grows no more where it is large enough.
inline constexpr const char* kNoFaster = "no device gets faster";
/// Why it grows no more where more time would let it.
inline constexpr const char* kTheBudget = "the budget";

/// The next states to measure, or the size that was found.
struct SizeStep {
  std::vector<State> states = {};  // phase "size"; none: the size is found
  std::int64_t size = 0;           // the one found
  std::string ended_by = {};       // "no device gets faster", "the budget", "the memory of cuda:0"
  double spent_s = 0;              // on the way
  double sweep_s = 0;              // that all states take at this size, about
  double last_change = 0;  // of the rate in the last step, the most of the devices that are not settled
};

/// The problem grows fourfold in work at each step, twofold once that brings no device 40 % more or where
/// fourfold would take too long, until results::is_settled() for every device: the size found is the last
/// one, which is the largest that any of them needed. A device that has settled is left out of further steps.
///
/// The first size has every variant at the first of its points; to the next ones those go on, three at most,
/// that reach half of the device's best rate at the last one.
///
/// It ends before where a larger problem does not fit, has no more work (the data are at their end), or would
/// take longer than the limit, as what was measured says of it. A size that was measured stays within its way
/// if the limit is lower later.
/// @param problem  not empty
/// @param records  of the run, of any phase and problem
SizeStep next_size_step(const SizedStates& problem, std::span<const results::Record> records,
                        const SizeLimits& limits, const SuiteConfig& config);

/// The states at a size.
/// @param phase  "size" or "sweep"
std::vector<State> at_size(std::span<const State> states, std::int64_t size, const std::string& phase);

/// As at_size() for the sweep; first the state of each device that was its fastest on the way, so that each
/// has its winner if the budget ends.
std::vector<State> sweep_at_size(const SizedStates& problem, std::int64_t size,
                                 std::span<const results::Record> records);

/// What a config asks for whose sizes are not found yet, at the first size: what needs one, and is not
/// measured.
std::vector<State> at_first_size(std::span<const SizedStates> problems);

}  // namespace gpuseq::bench
