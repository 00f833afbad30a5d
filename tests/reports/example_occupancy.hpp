#pragma once

#include <algorithm>
#include <vector>

#include "tests/reports/example_record.hpp"

namespace gpuseq::reports::example {

/// Random accesses at one footprint by what is in flight, up to what Little's law or memory allows.
inline void add_occupancy(std::vector<results::Record>& records) {
  constexpr std::int64_t kFootprint = std::int64_t{1} << 30;
  for (const std::int64_t block : {32, 128})
    for (const std::int64_t in_flight : {1, 4})
      for (const std::int64_t blocks_per_sm : {1, 2, 4, 8}) {
        const std::int64_t warps = 8 * blocks_per_sm, accesses = 132 * warps * 512 / block * in_flight;
        const double most = block == 32 ? 2.2e12 : 4e12;
        const double rate = std::min(most, static_cast<double>(accesses * block) / 750e-9);
        records.push_back(record("random_access", "cuda", {{"seed", 1}},
                                 {{"footprint_bytes", kFootprint},
                                  {"block_bytes", block},
                                  {"access", "independent"},
                                  {"in_flight", in_flight},
                                  {"blocks_per_sm", blocks_per_sm}},
                                 "cuda:0", 1e10, "bytes", rate));
        records.back().facts = {{"multiprocessors", 132},
                                {"warps_per_sm", warps},
                                {"loads_per_lane", in_flight},
                                {"accesses_in_flight", accesses}};
      }
  for (const std::int64_t threads : {1, 0})
    for (const std::int64_t in_flight : {4, 16, 64}) {
      const std::int64_t running = threads == 0 ? 96 : 1, accesses = running * in_flight;
      const double most = threads == 0 ? 3e11 : 1.1e10;
      records.push_back(record("random_access", "cpu", {{"seed", 1}},
                               {{"footprint_bytes", kFootprint},
                                {"block_bytes", 64},
                                {"access", "dependent"},
                                {"in_flight", in_flight},
                                {"prefetch", "software_l2"},
                                {"pages", "huge"},
                                {"threads", threads}},
                               "cpu", 1e9, "bytes",
                               std::min(most, static_cast<double>(accesses * 64) / 110e-9)));
      records.back().facts = {{"threads", running}, {"accesses_in_flight", accesses}};
    }
}

}  // namespace gpuseq::reports::example
