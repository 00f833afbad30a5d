#pragma once

#include "kernels/fm_index/traffic.hpp"
#include "runtime/contract/expectation.hpp"

namespace gpuseq::fm_index {

/// What a search of a layout will touch, for sampled queries.
/// @param layout  whatever its `wide`
/// @returns the reason where queries or reference are read from files whose letters nobody knows beforehand,
///   of queries that are put in order or of mixed lengths, of k-mers, of a pan-genome, and of `verify`, whose
///   reading depends on the text
Maybe<Expectation> search_expectation(Layout layout, u32 prefix_symbols, RowsRead rows_read,
                                      const StateOutline& state);

}  // namespace gpuseq::fm_index
