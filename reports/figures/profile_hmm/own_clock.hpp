#pragma once

#include <optional>

#include "reports/cell_rates.hpp"

/// Other programs that say how long the filter alone took them.
namespace gpuseq::reports::profile_hmm {

/// The record of a peer with the statistics of its own clock's samples: without its start, reading and
/// writing, as ours are. nullopt where it has none.
std::optional<Entry> by_own_clock(const Entry& peer);

/// "HMMER 3.3.2, SSE": what the program calls itself, else its name here.
std::string program_of(const Entry& peer);

/// Tooltip of such a record.
chart::Tips own_clock_tips(const Entry& by_own_clock, const Entry& peer);

}  // namespace gpuseq::reports::profile_hmm
