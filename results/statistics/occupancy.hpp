#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

namespace gpuseq::results {

/// A record of random accesses by how many of them are under way at any time.
struct InFlight {
  std::size_t record = 0;  // which of those that were given
  double workers = 0;      // threads; on a GPU warps of a multiprocessor
  double per_worker = 0;   // accesses of a thread; on a GPU loads of a lane
  double per_core = 0;     // accesses of a thread; on a GPU of a multiprocessor
  double accesses = 0;     // of the whole device
  double rate = 0;         // bytes a second

  /// What an access takes by Little's law: how many are under way over how many a second end.
  double latency_s(std::int64_t block_bytes) const {
    return accesses * static_cast<double>(block_bytes) / rate;
  }
};

/// Random bandwidth of a device over the accesses in flight, at one footprint.
struct Occupancy {
  std::string device;
  std::int64_t block_bytes = 0, footprint_bytes = 0;
  std::string access;            // independent, dependent
  bool of_warps = false;         // of a GPU
  std::vector<InFlight> points;  // ascending accesses; of passes and of points alike the fastest
};

/// By device, size of block and kind of access: the footprint at which most points differ in what is in
/// flight, the larger one of two. None where fewer than three numbers of accesses were measured. Records say
/// in their facts how many are in flight; of those that do not nothing is guessed.
/// @param records  of any probes; those that are not ok are passed over
std::vector<Occupancy> occupancies(std::span<const Record* const> records);

/// The best rate.
double best_rate(const Occupancy& occupancy);

/// The point with the fewest accesses in flight that reaches a share of the best rate.
const InFlight& fewest_that_reach(const Occupancy& occupancy, double share);

}  // namespace gpuseq::results
