#pragma once

#include "results/record.hpp"

namespace gpuseq::results {

/// Reduces a record to the fields of an incomplete measurement: its numbers except the work and its facts are
/// dropped.
void drop_numbers(Record& record);

/// The record itself if its line can be read again; else a failure of its state with the reason. A single
/// unreadable line makes a journal invalid, so such a line is never written.
/// @throws std::logic_error if not even the state can be read again
Record made_readable(Record record);

}  // namespace gpuseq::results
