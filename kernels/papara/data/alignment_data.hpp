#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/papara/scoring.cuh"

namespace gpuseq::papara {

/// The ancestral state vectors of a tree's edges, in the order of the edges' numbers.
struct References {
  u32 count = 0;
  u32 sites = 0;
  std::vector<u8> codes;  // [count][sites]: a state set and the CGAP flag each
  std::span<const u8> row(u64 reference) const { return std::span(codes).subspan(reference * sites, sites); }
};

/// The queries of a problem, gaps stripped. Only those with 1 ... sites bases are aligned; the others keep
/// their place in file order and are reported as not aligned.
struct Queries {
  std::vector<std::string> names;  // of all queries, in file order
  std::vector<u8> codes;           // bases of the aligned queries, one after the other: a state set each
  std::vector<u64> begin;          // of the aligned queries: where their codes begin
  std::vector<u32> bases;          // of the aligned queries
  std::vector<u32> source;         // aligned query -> position in file order
  u32 longest = 0;                 // of the aligned queries

  u32 count() const { return static_cast<u32>(bases.size()); }
  /// What scoring reads of them.
  u64 bytes() const { return codes.size() + begin.size() * sizeof(u64) + bases.size() * sizeof(u32); }
  std::span<const u8> row(u64 query) const { return std::span(codes).subspan(begin[query], bases[query]); }
};

/// Half-open.
struct Range {
  u32 begin = 0;
  u32 end = 0;
  u32 size() const { return end - begin; }
};

/// Some queries against some references.
struct Rectangle {
  Range queries, references;
  u64 pairs() const { return u64{queries.size()} * references.size(); }
};

}  // namespace gpuseq::papara
