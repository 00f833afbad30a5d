#pragma once

#include <optional>
#include <string>

#include "kernels/fm_index/data/reference.hpp"

namespace gpuseq::fm_locate {

/// A place in the records of a reference; both from 0.
struct Place {
  u64 record;
  u64 offset;  // counts letters other than A C G T too
};

/// Maps an occurrence in the text, whose fragments are joined, to the reference.
/// @param bases  of the occurrence; at least 1
/// @returns nullopt if it spans a join: then it does not occur in the reference
std::optional<Place> place_of(const fm_index::Reference& reference, u64 position, u64 bases);

/// The record's name in output, or its number, from 1, if it has no name.
std::string record_name(const fm_index::Reference& reference, u64 record);

}  // namespace gpuseq::fm_locate
