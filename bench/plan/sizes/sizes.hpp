#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/config/config.hpp"
#include "bench/plan/plan.hpp"
#include "results/record.hpp"

/// How the sizes of a problem are found that a config leaves open ("auto"), one for each device: all from the
/// records that there are, so that a resumed run takes the same steps as the run that died.
namespace gpuseq::bench {

/// Where the growth of a problem ends at the latest.
struct SizeLimits {
  double seconds =
      kSecondsOfASize;  // of this problem, sizes on the way and the sweeps at those found; without a budget
  std::span<const DeviceInfo> devices = {};
  std::size_t host_bytes = 0;                            // 0: not known
  std::map<std::string, std::uint64_t> data_bytes = {};  // as StateOutline has them
};

/// Why a device's size grows no more where it is large enough.
inline constexpr const char* kNoFaster = "its rate is flat";
/// Why it grows no more where more time would let it.
inline constexpr const char* kTheBudget = "the budget";
/// Why it grows no more where the data of the problem have no more.
inline constexpr const char* kTheData = "the data";

/// The size of a problem that was found for a device.
struct SizeFound {
  std::int64_t size = 0;      // the largest that it was measured at
  std::string ended_by = {};  // kNoFaster, kTheBudget, "the memory of cuda:0"; empty: it grows yet
  double last_change = 0;     // of its rate in the last step, in shares; infinite before the second size
};

/// The next states to measure, or the sizes that were found.
struct SizeStep {
  std::vector<State> states = {};               // phase "size"; none: the sizes are found
  std::map<std::string, SizeFound> found = {};  // by device
  double spent_s = 0;                           // on the way
  std::map<std::int64_t, double> sweep_s = {};  // that the states at each size found take, about

  double seconds() const;
  /// Whether the budget stopped a device, and by how much the rate of such a device changed last.
  std::optional<double> change_at_budget() const;
};

/// The problem grows in steps at which all devices whose rate is not flat yet are measured. A step is eight
/// times the work while a launch of a GPU takes less than 1 ms, fourfold while steps bring a device 40 %
/// more, and twofold then or where more would take too long. A device whose rate is flat
/// (results::is_settled(), or within 25 % in launches of 10 ms on a CPU) stops, and its size is the last one
/// that it was measured at; the others go on alone.
///
/// The first size has every variant at the first of its points; to the next ones those go on, three at most,
/// that reach half of the device's best rate at the last one.
///
/// A device stops before its rate is flat where a larger problem does not fit its memory, and
/// all of them where the data have no more, or where the step and the sweeps behind it would
/// take longer than the limit by the measured times. Before GPUs stop for the limit they go on
/// without the CPU. A size that was measured stays within its way if the limit is lower later.
/// @param problem  not empty
/// @param records  of the run, of any phase and problem
SizeStep next_size_step(const SizedStates& problem, std::span<const results::Record> records,
                        const SizeLimits& limits, const SuiteConfig& config);

/// The states at a size.
/// @param phase  "size" or "sweep"
std::vector<State> at_size(std::span<const State> states, std::int64_t size, const std::string& phase);

/// The states of each device at its size, for the sweep, largest sizes first; of a size first the state of
/// each device that was its fastest on the way, so that each has its winner if the budget ends.
std::vector<State> sweep_at_sizes(const SizedStates& problem, const std::map<std::string, SizeFound>& found,
                                  std::span<const results::Record> records);

/// The states of a config whose sizes are not found yet, at
/// the first size: those that need one, and are not measured.
std::vector<State> at_first_size(std::span<const SizedStates> problems);

}  // namespace gpuseq::bench
