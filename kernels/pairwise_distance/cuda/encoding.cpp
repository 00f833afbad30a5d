#include "kernels/pairwise_distance/cuda/encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>

namespace gpuseq::pairwise_distance {
namespace {

constexpr u32 kSymbols = 256;
constexpr u32 kPieceBits = 8 * kPieceBytes;
constexpr u32 kMinusOne = ~0u;
/// 3 x kThird = 1 modulo 2^32: multiplying by it divides multiples of 3.
constexpr u32 kThird = 0xAAAAAAAB;

/// The planes in which a symbol has a bit.
using PlaneTable = std::array<u32, kSymbols>;

/// The bytes of a symbol on the left and on the right side of a product.
struct ByteTable {
  u32 width = 0;
  std::array<std::vector<signed char>, kSymbols> left, right;
};

/// The instances to encode, and the threads that encode them.
struct Source {
  const Instances& instances;
  ThreadPool& pool;
};

u32 bit_pieces(u64 attributes, u32 planes, u32 step) {
  const u64 groups = (attributes + kPieceBits - 1) / kPieceBits;
  return static_cast<u32>(rounded(std::max<u64>(groups, 1) * planes, step));
}

u32 byte_pieces(u64 attributes, u32 width, u32 step) {
  const u64 bytes = std::max<u64>(attributes, 1) * width;
  return static_cast<u32>(rounded((bytes + kPieceBytes - 1) / kPieceBytes, step));
}

/// Planes per attribute in a product of bits on tensor cores.
u32 matrix_planes(const TilePolicy& policy, Metric metric, u32 alphabet) {
  if (metric == Metric::hamming) return policy.derived ? alphabet - 1 : alphabet;
  return std::max(alphabet, 2u) - 1;
}

/// Bytes per attribute in a product of bytes.
u32 hamming_width(u32 alphabet) {
  return alphabet == 3 ? 2 : alphabet;
}
u32 number_width(Metric metric, u32 alphabet) {
  return metric == Metric::squared_euclidean ? 1 : std::max(alphabet, 2u) - 1;
}
constexpr u32 kSumBytes = 2;  // additional bytes per attribute, for numbers with missing values

/// Instances that a thread takes at a time.
constexpr std::size_t kGrain = 16;

/// For 8 planes from `first` on: byte n of a symbol's entry is its bit in plane first + n.
std::array<u64, kSymbols> spread(const PlaneTable& table, u32 first) {
  std::array<u64, kSymbols> bytes{};
  for (u32 code = 0; code < kSymbols; ++code)
    for (u32 n = 0; n < 8 && first + n < 32; ++n)
      bytes[code] |= u64{table[code] >> (first + n) & 1} << (8 * n);
  return bytes;
}

/// A row of bits in pieces of 128 attributes of each plane, with the planes interleaved; processes 8
/// attributes of 8 planes at a time.
void fill_row(u8* row, const Instances& instances, u64 instance, u32 planes,
              std::span<const std::array<u64, kSymbols>> tables) {
  const std::span<const u8> codes = instances.row(instance);
  for (u64 k = 0; k < codes.size(); k += 8) {
    const u64 end = std::min<u64>(8, codes.size() - k);
    u8* bytes = row + k / kPieceBits * planes * kPieceBytes + k % kPieceBits / 8;
    for (u32 first = 0; first < planes; first += 8) {
      const auto& table = tables[first / 8];
      u64 gathered = 0;
      for (u64 n = 0; n < end; ++n)
        if (!instances.is_missing(instance, k + n)) gathered |= table[codes[k + n]] << n;
      for (u32 plane = first; plane < std::min(planes, first + 8); ++plane, gathered >>= 8)
        bytes[u64{plane} * kPieceBytes] = static_cast<u8>(gathered);
    }
  }
}

void fill_bits(EncodedPass& pass, const Source& source, u32 planes, const PlaneTable& table, u32 step) {
  const Instances& instances = source.instances;
  pass.row_pieces = bit_pieces(instances.attributes, planes, step);
  const u64 row_bytes = u64{pass.row_pieces} * kPieceBytes;
  std::vector<std::array<u64, kSymbols>> tables;
  for (u32 first = 0; first < planes; first += 8) tables.push_back(spread(table, first));
  pass.left.resize(instances.count * row_bytes);
  source.pool.parallel_for(instances.count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (u64 i = begin; i < end; ++i)
      fill_row(pass.left.data() + i * row_bytes, instances, i, planes, tables);
  });
}

void fill_bytes(EncodedPass& pass, const Source& source, const ByteTable& table, u32 step) {
  const Instances& instances = source.instances;
  pass.row_pieces = byte_pieces(instances.attributes, table.width, step);
  const u64 row_bytes = u64{pass.row_pieces} * kPieceBytes;
  const auto fill = [&](std::vector<u8>& rows, const auto& codes) {
    rows.resize(instances.count * row_bytes);
    source.pool.parallel_for(instances.count, kGrain, [&](std::size_t begin, std::size_t end) {
      for (u64 i = begin; i < end; ++i)
        for (u64 k = 0; k < instances.attributes; ++k)
          if (!instances.is_missing(i, k))
            std::memcpy(rows.data() + i * row_bytes + k * table.width,
                        codes[instances.codes[i * instances.attributes + k]].data(), table.width);
    });
  };
  fill(pass.left, table.left);
  if (table.left != table.right) fill(pass.right, table.right);
}

PlaneTable one_plane() {
  PlaneTable table;
  table.fill(1);
  return table;
}
PlaneTable one_hot(u32 alphabet) {
  PlaneTable table{};
  for (u32 code = 0; code < alphabet; ++code) table[code] = 1u << code;
  return table;
}
/// One bit for each step from 0 to the symbol.
PlaneTable steps(u32 alphabet) {
  PlaneTable table{};
  for (u32 code = 0; code < alphabet; ++code) table[code] = (1u << code) - 1;
  return table;
}

ByteTable byte_table(u32 width, u32 alphabet, auto bytes_of) {
  ByteTable table{.width = width, .left = {}, .right = {}};
  for (u32 code = 0; code < kSymbols; ++code) {
    table.left[code].resize(width);
    table.right[code].resize(width);
    if (code < alphabet) bytes_of(code, table.left[code].data(), table.right[code].data());
  }
  return table;
}

/// Bytes for distances of the form x + y - 2 times a sum of products, over attributes that both instances
/// have: the first two bytes add x and y if the other instance has a value.
ByteTable with_sums(const ByteTable& products, u32 alphabet, auto norm_of) {
  return byte_table(products.width + kSumBytes, alphabet,
                    [&](u32 code, signed char* left, signed char* right) {
                      left[0] = right[1] = static_cast<signed char>(norm_of(code));
                      left[1] = right[0] = 1;
                      for (u32 n = 0; n < products.width; ++n) {
                        left[n + kSumBytes] = products.left[code][n];
                        right[n + kSumBytes] = static_cast<signed char>(-2 * products.right[code][n]);
                      }
                    });
}

/// |x - y| is x + y - 2 min(x, y), and its square x^2 + y^2 - 2 x y.
u32 norm_of(Metric metric, u32 code) {
  return metric == Metric::squared_euclidean ? code * code : code;
}

void add_norms(EncodedPass& pass, const Instances& instances, Metric metric) {
  pass.norms.resize(instances.count);
  for (u64 i = 0; i < instances.count; ++i)
    for (const u8 code : instances.row(i)) pass.norms[i] += norm_of(metric, code);
  pass.formula.factor = kMinusOne - 1;
}

/// With missing values, `compared` times the number of compared attributes is part of the formula.
void add_compared(EncodedPass& pass, const Instances& instances, u32 compared) {
  pass.takes_compared = instances.has_missing();
  if (pass.takes_compared)
    pass.formula.compared_factor = compared;
  else
    pass.formula.constant = compared * static_cast<u32>(instances.attributes);
  pass.formula.factor = kMinusOne;
}

EncodedPass matrix_bits(const TilePolicy& policy, const Source& source, Metric metric) {
  const Instances& instances = source.instances;
  EncodedPass pass;
  const u32 planes = matrix_planes(policy, metric, instances.alphabet);
  if (metric == Metric::hamming) {
    fill_bits(pass, source, planes, one_hot(instances.alphabet), policy.pieces);
    add_compared(pass, instances, 1);
    // The plane that is not stored has a bit for every padding attribute.
    if (policy.derived) pass.formula.constant = pass.row_pieces / planes * kPieceBits;
  } else {
    fill_bits(pass, source, planes, steps(instances.alphabet), policy.pieces);
    add_norms(pass, instances, metric);
  }
  return pass;
}

EncodedPass hamming_bytes(const TilePolicy& policy, const Source& source) {
  const Instances& instances = source.instances;
  EncodedPass pass;
  add_compared(pass, instances, instances.alphabet == 3 ? 2 : 1);
  if (instances.alphabet == 3) {
    constexpr signed char kLeft[3][2] = {{1, 0}, {0, 1}, {-1, -1}};
    constexpr signed char kRight[3][2] = {{2, -1}, {-1, 2}, {-1, -1}};
    const ByteTable table =
        byte_table(hamming_width(3), 3, [&](u32 code, signed char* left, signed char* right) {
          std::copy_n(kLeft[code], 2, left);
          std::copy_n(kRight[code], 2, right);
        });
    // The sum is 3 x matches - compared.
    pass.formula.multiplier = kThird;
    fill_bytes(pass, source, table, policy.pieces);
  } else {
    const ByteTable table =
        byte_table(hamming_width(instances.alphabet), instances.alphabet,
                   [](u32 code, signed char* left, signed char* right) { left[code] = right[code] = 1; });
    fill_bytes(pass, source, table, policy.pieces);
  }
  return pass;
}

EncodedPass number_bytes(const TilePolicy& policy, const Source& source, Metric metric) {
  const Instances& instances = source.instances;
  EncodedPass pass;
  const bool squares = metric == Metric::squared_euclidean;
  const u32 width = number_width(metric, instances.alphabet);
  const ByteTable products =
      byte_table(width, instances.alphabet, [&](u32 code, signed char* left, signed char* right) {
        if (squares) left[0] = right[0] = static_cast<signed char>(code);
        for (u32 n = 0; !squares && n < code; ++n) left[n] = right[n] = 1;
      });
  if (instances.has_missing()) {
    const auto norm = [&](u32 code) { return norm_of(metric, code); };
    fill_bytes(pass, source, with_sums(products, instances.alphabet, norm), policy.pieces);
  } else {
    fill_bytes(pass, source, products, policy.pieces);
    add_norms(pass, instances, metric);
  }
  return pass;
}

EncodedPass plane_bits(const TilePolicy& policy, const Source& source) {
  const Instances& instances = source.instances;
  PlaneTable table = steps(policy.product == Product::steps ? instances.alphabet : 0);
  for (u32 code = 0; code < instances.alphabet; ++code) {
    if (policy.product == Product::differ) table[code] = code;
    if (policy.present) table[code] |= 1u << policy.planes;
  }
  EncodedPass pass;
  fill_bits(pass, source, policy.unit(), table, policy.pieces);
  return pass;
}

/// First column of a row of tiles: tiles further left have only pairs below the diagonal.
u64 first_column(const TilePolicy& policy, u64 row) {
  return policy.half ? row * policy.block_rows() / policy.block_columns() : 0;
}

EncodedPass presence(const TilePolicy& policy, const Source& source) {
  EncodedPass pass;
  pass.makes_compared = true;
  if (policy.product == Product::matrix_b1)
    fill_bits(pass, source, 1, one_plane(), policy.pieces);
  else
    fill_bytes(
        pass, source,
        byte_table(1, kSymbols, [](u32, signed char* left, signed char* right) { *left = *right = 1; }),
        policy.pieces);
  return pass;
}

/// Floating point numbers with rows padded by 0; if any value is missing, missing values and padding are NaN.
EncodedPass numbers(const TilePolicy& policy, const Source& source) {
  const Instances& instances = source.instances;
  EncodedPass pass;
  pass.row_pieces = byte_pieces(instances.attributes, sizeof(float), policy.pieces);
  const u64 row_floats = u64{pass.row_pieces} * kPieceBytes / sizeof(float);
  pass.left.resize(instances.count * row_floats * sizeof(float));
  source.pool.parallel_for(instances.count, kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<float> row(row_floats);
    for (u64 i = begin; i < end; ++i) {
      std::ranges::fill(row, policy.present ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
      for (u64 k = 0; k < instances.attributes; ++k)
        if (!instances.is_missing(i, k))
          row[k] = instances.is_real() ? instances.real_row(i)[k] : static_cast<float>(instances.row(i)[k]);
      std::memcpy(pass.left.data() + i * row_floats * sizeof(float), row.data(), row_floats * sizeof(float));
    }
  });
  return pass;
}

}  // namespace

std::vector<PassSizes> pass_sizes(const TilePolicy& policy, const KnownData& data) {
  if (policy.on_floats()) return {{.row_pieces = byte_pieces(data.attributes, sizeof(float), policy.pieces)}};
  if (policy.on_planes()) return {{.row_pieces = bit_pieces(data.attributes, policy.unit(), policy.pieces)}};
  const bool bits = policy.product == Product::matrix_b1, hamming = data.metric == Metric::hamming;
  const auto pieces = [&](u32 width) {
    return bits ? bit_pieces(data.attributes, width, policy.pieces)
                : byte_pieces(data.attributes, width, policy.pieces);
  };
  std::vector<PassSizes> passes;
  if (data.missing) passes.push_back({.row_pieces = pieces(1)});
  const bool adds_sums = !bits && !hamming && data.missing;
  const u32 width = bits      ? matrix_planes(policy, data.metric, data.alphabet)
                    : hamming ? hamming_width(data.alphabet)
                              : number_width(data.metric, data.alphabet) + (adds_sums ? kSumBytes : 0);
  passes.push_back({.row_pieces = pieces(width),
                    .has_right = adds_sums || (!bits && hamming && data.alphabet == 3),
                    .has_norms = !hamming && !adds_sums});
  return passes;
}

std::vector<u32> row_pieces_of(const TilePolicy& policy, const KnownData& data) {
  std::vector<u32> pieces;
  for (const PassSizes& pass : pass_sizes(policy, data)) pieces.push_back(pass.row_pieces);
  return pieces;
}

std::vector<EncodedPass> encode(const TilePolicy& policy, const Instances& instances, Metric metric,
                                ThreadPool& pool) {
  const Source source{instances, pool};
  std::vector<EncodedPass> passes;
  if (policy.on_planes() || policy.on_floats()) {
    passes.push_back(policy.on_planes() ? plane_bits(policy, source) : numbers(policy, source));
    return passes;
  }
  if (instances.has_missing()) passes.push_back(presence(policy, source));
  passes.push_back(policy.product == Product::matrix_b1 ? matrix_bits(policy, source, metric)
                   : metric == Metric::hamming          ? hamming_bytes(policy, source)
                                                        : number_bytes(policy, source, metric));
  return passes;
}

std::vector<u8> ladder_data(const Instances& instances, bool by_attribute, bool bytes, u32 row_bytes) {
  const u64 count = instances.count, attributes = instances.attributes;
  if (bytes) {
    std::vector<u8> rows(count * row_bytes);
    for (u64 i = 0; i < count; ++i) std::ranges::copy(instances.row(i), rows.data() + i * row_bytes);
    return rows;
  }
  std::vector<u8> data(count * attributes * sizeof(i32));
  for (u64 i = 0; i < count; ++i)
    for (u64 k = 0; k < attributes; ++k) {
      const i32 value = instances.codes[i * attributes + k];
      std::memcpy(data.data() + sizeof(i32) * (by_attribute ? k * count + i : i * attributes + k), &value,
                  sizeof value);
    }
  return data;
}

u64 tile_count(const TilePolicy& policy, u64 instances) {
  const u64 rows = policy.block_rows(), columns = policy.block_columns();
  const u64 in_a_row = (instances + columns - 1) / columns;
  u64 count = 0;
  for (u64 row = 0; row * rows < instances; ++row) count += in_a_row - first_column(policy, row);
  return count;
}

std::vector<u32> tiles_of(const TilePolicy& policy, u64 instances, u64 at_a_time) {
  return tiles_of(policy, instances, instances, at_a_time);
}

std::vector<u32> tiles_of(const TilePolicy& policy, u64 rows, u64 columns, u64 at_a_time) {
  const u64 tile_rows = policy.block_rows(), tile_columns = policy.block_columns();
  const auto side = static_cast<u64>(std::sqrt(static_cast<double>(at_a_time * tile_rows * tile_columns)));
  const u64 row_tiles = std::max<u64>(1, side / tile_rows),
            column_tiles = std::max<u64>(1, side / tile_columns);
  std::vector<u32> tiles;
  for (u64 row = 0; row * tile_rows < rows; ++row)
    for (u64 column = first_column(policy, row); column * tile_columns < columns; ++column)
      tiles.push_back(static_cast<u32>(row << 16 | column));
  std::ranges::stable_sort(tiles, {}, [&](u32 tile) {
    return std::tuple((tile >> 16) / row_tiles, (tile & 0xffff) / column_tiles);
  });
  return tiles;
}

}  // namespace gpuseq::pairwise_distance
