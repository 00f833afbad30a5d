#pragma once

#include "kernels/fm_index/estimate.hpp"
#include "kernels/fm_index/traffic.hpp"

namespace gpuseq::fm_index {

inline constexpr u32 kMostVerifyWalked = 20'000;

/// Blocks of memory that comparing all queries with the text touches at least, with any
/// variant: counted on at most `most_walked` evenly spread queries and scaled to all bases.
///
/// A query touches the starts of its word and of the next; of the word's rows the last before l and the
/// first from l on, and likewise of h, as nothing less shows their place; and of each row's text as much
/// as it has in common with the query, unless its key tells the order. A block is the touched part of a
/// line of 128 bytes, in sectors. Where a query is no longer than a word, two starts tell its interval.
///
/// Blocks are independent: a query reads three places one after the other, but queries have nothing to do
/// with each other.
///
/// Classes: starts, rows and text, each of the bytes that a launch comes to, behind those that are touched
/// more often a byte. These are told by how often two queries meet the same sector: as if so many were
/// touched evenly, which of queries that are alike are few.
Traffic count_verify_traffic(const Index& index, const Queries& queries, u32 most_walked = kMostVerifyWalked);

/// The estimate of that count.
/// @throws ResourceError where such a reference has no such layout
Traffic estimated_verify_traffic(const Layout& layout, const SearchSizes& sizes, bool synthetic);

}  // namespace gpuseq::fm_index
