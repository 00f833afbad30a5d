#pragma once

#include "results/record.hpp"

namespace gpuseq::results {

/// Leaves of a record what a measurement that did not come to its end may have: no numbers but its work, and
/// no facts.
void drop_numbers(Record& record);

/// The record itself if its line can be read again; else a failure of its state that says why not. A journal
/// with one line that cannot be read is refused as a whole, so such a line is never written.
/// @throws std::logic_error if even the state cannot be read again
Record made_readable(Record record);

}  // namespace gpuseq::results
