#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bound/bound.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// A machine as the records of its probes show it.
struct ProbedMachine {
  struct Device {
    std::string id;              // "cpu", "cuda:0"
    nlohmann::json description;  // of the provenance of its probes
    std::string name() const;
  };
  /// nullptr: it was not probed.
  const Device* find(std::string_view id) const;

  std::vector<Device> devices;  // that were probed, in the order of the records
  int all_threads = 1;          // the number that a `threads` axis of 0 stands for
  ProbeResults probes;
};

/// @param records  probes and others, which are left out
ProbedMachine probed_machine(std::span<const results::Record> records);

/// The same of a run, with the records that it took from profiles.
/// @param run  its folder
/// @param records  of its journal
/// @throws UsageError if neither has records of probes
ProbedMachine machine_of_run(const std::filesystem::path& run, std::span<const results::Record> records);

/// Reads the machine of a run.
/// @param path  the folder of a run with probes (`machine` makes one), its records.jsonl, or a machine.json
/// in the same folder
/// @throws UsageError if there are no records of probes
ProbedMachine read_probed_machine(const std::filesystem::path& path);

/// How many times as fast a device executes instructions as another: the median over all that were probed of
/// both by as many threads; where none was, GPUs by their multiprocessors and clocks.
/// @returns 1 where nothing says
double execution_ratio(const ProbedMachine& machine, const std::string& device, const ProbedMachine& to,
                       const std::string& to_device);

}  // namespace gpuseq::bench
