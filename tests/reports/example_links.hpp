#pragma once

#include <vector>

#include "tests/reports/example_record.hpp"

namespace gpuseq::reports::example {

/// Copies between a host and a GPU: a time of their own, then the link's bandwidth.
inline void add_transfers(std::vector<results::Record>& records) {
  for (const char* memory : {"pinned", "pageable"})
    for (const char* direction : {"to_device", "to_host", "both"})
      for (std::int64_t bytes = 4096; bytes <= 1 << 28; bytes *= 4) {
        const bool pinned = memory[1] == 'i', both = direction[0] == 'b';
        if (both && !pinned) continue;
        const double moved = static_cast<double>(both ? 2 * bytes : bytes);
        const double seconds = 2e-6 + moved / (both ? 9.6e10 : pinned ? 5.5e10 : 1.1e10);
        records.push_back(record("transfer", "cuda", {},
                                 {{"transfer_bytes", bytes}, {"memory", memory}, {"direction", direction}},
                                 "cuda:0", moved, "bytes", moved / seconds));
      }
}

/// Random reads of the memory of two other GPUs, of which one is half as fast to reach.
inline void add_neighbour_accesses(std::vector<results::Record>& records) {
  for (const std::int64_t neighbour : {1, 2})
    for (const std::int64_t block : {32, 128})
      for (std::int64_t footprint = 1 << 24; footprint <= 1 << 30; footprint *= 4)
        records.push_back(record("peer_access", "cuda", {},
                                 {{"footprint_bytes", footprint},
                                  {"block_bytes", block},
                                  {"access", "independent"},
                                  {"peer", neighbour}},
                                 "cuda:0", 1e9, "bytes",
                                 (block == 32 ? 279e9 : 371e9) / static_cast<double>(neighbour)));
}

}  // namespace gpuseq::reports::example
