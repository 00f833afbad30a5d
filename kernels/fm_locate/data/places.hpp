#pragma once

#include <optional>
#include <string>

#include "kernels/fm_index/data/reference.hpp"

namespace gpuseq::fm_locate {

/// A place in the records of a reference; both from 0.
struct Place {
  u64 record;
  u64 offset;  // other letters counted
};

/// Where what occurs in the text, whose fragments are joined, is in the reference.
/// @param bases  of the occurrence, which are at least one
/// @returns nullopt for one that spans a join: it is none of the reference
std::optional<Place> place_of(const fm_index::Reference& reference, u64 position, u64 bases);

/// What output calls a record: its name, or its number, from 1, where it has none.
std::string record_name(const fm_index::Reference& reference, u64 record);

}  // namespace gpuseq::fm_locate
