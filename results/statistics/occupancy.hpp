#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

namespace gpuseq::results {

/// A record of random accesses with the number of accesses in flight.
struct InFlight {
  std::size_t record = 0;  // index in the given records
  double workers = 0;      // threads; on a GPU, warps per SM
  double per_worker = 0;   // accesses per thread; on a GPU, loads per lane
  double per_core = 0;     // accesses per thread; on a GPU, per SM
  double accesses = 0;     // on the whole device
  double rate = 0;         // bytes per second

  /// Latency by Little's law: accesses in flight over completed accesses per second.
  double latency_s(std::int64_t block_bytes) const {
    return accesses * static_cast<double>(block_bytes) / rate;
  }
};

/// Random bandwidth of a device over the accesses in flight, at one footprint.
struct Occupancy {
  std::string device;
  std::int64_t block_bytes = 0, footprint_bytes = 0;
  std::string access;            // independent, dependent
  bool of_warps = false;         // on a GPU
  std::vector<InFlight> points;  // ascending accesses; the fastest of equal points
};

/// Per device, block size and kind of access: the footprint with most different numbers of accesses in
/// flight, the larger one of two. Left out if fewer than three numbers were measured. Records have these
/// numbers in their facts; records without them are ignored.
/// @param records  of any probes; only ok ones are used
std::vector<Occupancy> occupancies(std::span<const Record* const> records);

double best_rate(const Occupancy& occupancy);

/// The point with the fewest accesses in flight that reaches a share of the best rate.
const InFlight& fewest_that_reach(const Occupancy& occupancy, double share);

}  // namespace gpuseq::results
