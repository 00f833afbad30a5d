#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/simd/simd_target.hpp"

// The CPU variants compute a square block of the matrix at a time in a buffer that stays in the cache, and
// write it out once: where each pair is computed once, to both of its places.

namespace gpuseq::pairwise_distance {

/// A block of the matrix, in instances. `upper`: rows and columns are the same instances, of whose pairs only
/// those with column >= row are asked for.
struct BlockPlace {
  u64 row = 0, rows = 0;
  u64 column = 0, columns = 0;
  bool upper = false;
};

/// Where a block is computed: [rows][pitch] each. `compared` is null where nothing is missing.
struct BlockBuffer {
  u32* sums = nullptr;
  u32* compared = nullptr;
  u64 pitch = 0;
};

/// Kernels may compute more than a block: its rows and columns are rounded up to multiples of this.
inline constexpr u64 kInstancePadding = 32;
/// In an `upper` block the kernels leave out tiles that lie below the
/// diagonal, but for squares of this side on the diagonal, which are whole.
inline constexpr u64 kDiagonalSquare = 4;

enum class Written {
  plain,
  mirrored,
  upper
};  // as it is; to its mirror image as well; both of its upper half

/// Writes `from` [rows][pitch] to its place in a matrix [count x count].
struct BlockWrite {
  const u32* from = nullptr;
  u64 pitch = 0;
  BlockPlace place;
  u32* matrix = nullptr;
  u64 count = 0;
  Written written = Written::plain;
};
using BlockWriter = void (*)(const BlockWrite& write);

/// The work of a variant on a block.
class BlockComparer {
 public:
  virtual ~BlockComparer() = default;
  /// Overwrites the buffer. Called in many threads at once.
  virtual void compare(const BlockPlace& place, const BlockBuffer& buffer) const = 0;
  virtual BlockWriter writer() const = 0;
  virtual nlohmann::json facts() const = 0;
  /// The part "instances" as it reads them, and instructions or why there is no bound.
  /// @param pairs  that are computed
  virtual Cost cost(double pairs) const = 0;
};

/// A kernel's tile "8x2": rows by columns or vectors of columns.
struct TileShape {
  u32 rows = 0, columns = 0;
  bool operator==(const TileShape&) const = default;
};
/// "best" is {0, 0}.
TileShape parse_tile(const std::string& name);
std::string tile_name(TileShape shape);
/// @throws NotCompiled if not `compiled`
void require_compiled(bool compiled, TileShape tile);
/// The same of data of which it may not be known whether values are missing.
/// @param compiled  (whether values are missing) -> whether there is a kernel
template <class Compiled>
void require_compiled_for(const KnownData& data, TileShape tile, const Compiled& compiled) {
  require_compiled(compiled(data.missing) || (data.alphabet == 0 && compiled(true)), tile);
}

struct ComparerOptions {
  SimdTarget target = SimdTarget::best;
  TileShape tile = {};  // {}: the usual one
  u64 attributes = 0;   // of a step; 0: chosen
};
/// Compares bytes. @throws ResourceError if the tile is not compiled
std::unique_ptr<BlockComparer> make_byte_comparer(const DistanceProblem& problem,
                                                  const ComparerOptions& options);
/// Compares planes of bits. @throws ResourceError where the metric has no planes, or as make_byte_comparer()
std::unique_ptr<BlockComparer> make_plane_comparer(const DistanceProblem& problem,
                                                   const ComparerOptions& options);

/// Compares 32-bit floating point numbers. @throws as make_byte_comparer()
std::unique_ptr<BlockComparer> make_float_comparer(const DistanceProblem& problem,
                                                   const ComparerOptions& options);

/// Estimates of BlockComparer::cost(). @throws ResourceError as the functions that make comparers
Cost byte_cost(const KnownData& data, const ComparerOptions& options, double pairs);
Cost float_cost(const KnownData& data, const ComparerOptions& options, double pairs);
Cost plane_cost(const KnownData& data, const ComparerOptions& options, double pairs);

inline constexpr const char* kNoProbeOfTarget = "this processor's vectors have no probe";
/// The data with missing values where only the file shows whether values are missing.
inline KnownData with_possible_missing(KnownData data) {
  data.missing = data.missing || data.alphabet == 0;
  return data;
}

struct BlockOptions {
  u64 block = 0;     // instances of a block's side, a multiple of kInstancePadding; 0: chosen
  bool half = true;  // each pair once
  int threads = 1;   // 0: one per processor
};
std::unique_ptr<DistanceSession> make_blocked_session(DistanceProblem& problem,
                                                      std::unique_ptr<BlockComparer> comparer,
                                                      const BlockOptions& options);

/// The estimate of a session for all distances. @param compared  by the comparer's estimate
Cost blocked_cost(const KnownData& data, Cost compared, const BlockOptions& options);

/// The same for a problem that keeps to a limit of memory.
std::unique_ptr<DistanceSession> make_block_band_session(DistanceProblem& problem,
                                                         std::unique_ptr<BlockComparer> comparer,
                                                         const BlockOptions& options);

/// Instances with those that kernels compute beyond the last.
constexpr u64 padded_instances(u64 count) {
  return (count + kInstancePadding - 1) / kInstancePadding * kInstancePadding;
}
/// Pairs that are computed, with those of an instance and itself.
double pairs_of(u64 count, bool half);
/// The size of blocks_of().
u64 block_count(u64 count, u64 block, bool half);
/// Blocks of the matrix in the order in which threads take them.
std::vector<BlockPlace> blocks_of(u64 count, u64 block, bool half);
/// A block's side: as large as stays in the second cache, smaller where threads would be left without one.
u64 usual_block(u64 count, int threads);

}  // namespace gpuseq::pairwise_distance
