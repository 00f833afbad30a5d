#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/papara/data/letters.hpp"

namespace gpuseq::papara {

/// The sites of a reference: a state set and a CGAP flag per site, as in scoring.cuh.
class SiteRow {
 public:
  /// @param bytes  [planes][sites]
  SiteRow(Alphabet alphabet, std::span<const u8> bytes)
      : alphabet_(alphabet), bytes_(bytes), sites_(bytes.size() / planes_of(alphabet)) {}

  Alphabet alphabet() const { return alphabet_; }
  std::size_t size() const { return sites_; }
  /// Byte number `plane` of every site, from the lowest byte on.
  std::span<const u8> plane(u32 plane) const { return bytes_.subspan(plane * sites_, sites_); }
  u32 operator[](std::size_t site) const {
    u32 code = bytes_[site];
    for (u32 plane = 1; plane < planes_of(alphabet_); ++plane)
      code |= u32{bytes_[plane * sites_ + site]} << (8 * plane);
    return code;
  }

 private:
  Alphabet alphabet_;
  std::span<const u8> bytes_;
  std::size_t sites_;
};

/// One word per site, or one set of letters per base, for reading cell by cell.
std::vector<u32> words_of(const SiteRow& sites);
std::vector<u32> sets_of(Alphabet alphabet, std::span<const u8> codes);

/// The ancestral state vectors of a tree's edges, in the order of the edges' numbers.
struct References {
  u32 count = 0;
  u32 sites = 0;
  std::vector<u8> codes;  // [count][planes][sites]: a state set and a CGAP flag per site
  Alphabet alphabet = Alphabet::dna;

  u64 row_bytes() const { return u64{sites} * planes_of(alphabet); }
  SiteRow row(u64 reference) const {
    return {alphabet, std::span(codes).subspan(reference * row_bytes(), row_bytes())};
  }
};

/// The queries of a problem, without gaps. Only queries with 1 ... sites bases are aligned; the others keep
/// their position in file order and are reported as not aligned.
struct Queries {
  std::vector<std::string> names;  // names of all queries, in file order
  std::vector<u8> codes;           // bases of the aligned queries, one after the other: letters.hpp
  std::vector<u64> begin;          // index of the first code of each aligned query
  std::vector<u32> bases;          // lengths of the aligned queries
  std::vector<u32> source;         // aligned query -> position in file order
  u32 longest = 0;                 // length of the longest aligned query
  u64 empty = 0;                   // queries without a base

  u32 count() const { return static_cast<u32>(bases.size()); }
  /// Bytes that scoring reads.
  u64 bytes() const { return bytes_of(bases.size(), codes.size()); }
  static u64 bytes_of(u64 count, u64 bases) { return bases + count * (sizeof(u64) + sizeof(u32)); }
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
