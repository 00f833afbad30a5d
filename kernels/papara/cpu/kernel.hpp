#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

#include "kernels/papara/data/alignment_data.hpp"
#include "runtime/simd/simd_target.hpp"

// Arguments of the CPU kernels, which score one group of references, one per vector lane, against queries.

namespace gpuseq::papara {

/// Representation of scores in lanes of `bits` bits. Lanes of 8 and 16 bits saturate at `infinity`, so that a
/// score below `limit` is exact: costs are not negative, and no cell on the score's path was cut off.
struct LaneArithmetic {
  int bits = 32;
  i32 zero = 0;            // the lane value of score 0
  i32 infinity = 1 << 30;  // value of cells that are unreachable or whose score does not fit
  u32 rebase_columns = 1;  // columns after which the left-out extension costs are added to a lane
  i32 limit() const { return infinity - zero; }
};

/// Aligned memory that only grows. Its content is lost when it grows.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* at_least(std::size_t bytes) {
    if (bytes > bytes_) {
      release();
      data_ = static_cast<std::byte*>(::operator new(bytes, kAlignment));
      bytes_ = bytes;
    }
    return data_;
  }

  std::size_t size() const { return bytes_; }

 private:
  static constexpr std::align_val_t kAlignment{128};
  void release() {
    if (data_ != nullptr) ::operator delete(data_, kAlignment);
    data_ = nullptr;
    bytes_ = 0;
  }
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Vectors of scratch memory for one row of the matrix. @param width  sites minus the bases of the query
constexpr std::size_t line_vectors(u32 width) {
  return std::size_t{width} + 2;
}

/// Vectors of scratch memory for a block: the costs of each code in the queries, and for each row the right
/// edge of the previous block.
/// @param runs  runs of columns; lanes are rebased after each
/// @param rows  bases of all queries
constexpr std::size_t block_vectors(u32 codes, u32 columns, std::size_t runs, std::size_t rows,
                                    std::size_t queries) {
  return (codes + std::size_t{3}) * (columns + std::size_t{1}) + runs + 2 * rows + queries;
}

/// A group of references against the queries `chosen`.
struct ScoringJob {
  Alphabet alphabet = Alphabet::dna;
  const u8* codes = nullptr;    // [sites][planes][plane_bytes]: the codes of all lanes for a site
  std::size_t plane_bytes = 0;  // distance of two planes; at least the bytes of the lanes
  u32 sites = 0;
  const Queries* queries = nullptr;
  std::span<const u32> chosen;
  Penalties penalties;
  LaneArithmetic arithmetic;
  u32 rows = 1;     // blocked: rows of the matrix held in registers
  u32 columns = 1;  // blocked: columns of a block
  Scratch* scratch = nullptr;
  i32* scores = nullptr;  // [chosen][lanes]; arithmetic.limit() for every score that is not below it
};

using ScoringKernel = void (*)(const ScoringJob&);

/// A kernel, the Highway target it was compiled for ("AVX3"), and the references per group.
struct DispatchedKernel {
  ScoringKernel score = nullptr;
  u32 lanes = 1;
  std::string target = {};
  std::string instruction_set = {};  // "avx512"; empty for a kernel without vectors
  explicit operator bool() const { return score != nullptr; }
};

/// A base of a query against the planes of a site: one byte for each plane that has letters of the base.
struct BaseBytes {
  struct Part {
    u32 plane;
    u8 bits;
  };
  std::array<Part, 3> parts{};
  u32 count = 0;

  BaseBytes() = default;
  /// @param set  of letters
  explicit BaseBytes(u32 set) {
    for (u32 plane = 0; set != 0; ++plane, set >>= 8)
      if ((set & 255) != 0) parts[count++] = {.plane = plane, .bits = static_cast<u8>(set & 255)};
  }
};

/// One line of the matrix in memory, or blocks. @param bits 8, 16 or 32
/// @throws ResourceError if the CPU or the build lacks the target
DispatchedKernel row_wise_kernel(int bits, SimdTarget target);
DispatchedKernel blocked_kernel(int bits, SimdTarget target);

/// One reference per group, 32 bits, plain C++.
void score_sequentially(const ScoringJob& job);

}  // namespace gpuseq::papara
