#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::pairwise_distance {

/// Number of 8-bit codes.
inline constexpr u32 kMostSymbols = 256;

/// The compared data: instances (rows: samples, sequences) by attributes (columns: SNPs, alignment columns),
/// with codes or real values.
struct Instances {
  u64 count = 0;
  u64 attributes = 0;
  u32 alphabet = 3;                     // codes are 0 ... alphabet - 1; 1 to 256; 0 for real values
  std::vector<std::string> names = {};  // [count]
  std::vector<u8> codes = {};           // [count x attributes], row by row; 0 if missing
  std::vector<u8> missing = {};         // [count x attributes], 1: missing; empty: no value is missing
  std::vector<float> reals = {};        // instead of codes: finite numbers, 0 if missing

  bool is_real() const { return alphabet == 0; }
  u64 values() const { return count * attributes; }
  std::span<const float> real_row(u64 instance) const {
    return {reals.data() + instance * attributes, attributes};
  }
  std::span<const u8> row(u64 instance) const { return {codes.data() + instance * attributes, attributes}; }
  bool has_missing() const { return !missing.empty(); }
  bool is_missing(u64 instance, u64 attribute) const {
    return has_missing() && missing[instance * attributes + attribute] != 0;
  }
  u64 missing_values() const;
  /// Marks the value at an index in [count x attributes] as missing; `missing` must not be empty.
  void remove(u64 place) {
    missing[place] = 1;
    if (is_real())
      reals[place] = 0;
    else
      codes[place] = 0;
  }
};

/// The largest absolute real value for which sums of squares are 32-bit floating point numbers: differences
/// up to twice the value, for all attributes.
double largest_real(u64 attributes);

/// Rejects instances whose distances exceed the host's memory. Variants check their additional
/// memory themselves.
/// @throws DoesNotFit with the sizes
void require_pairs_fit(u64 count, u64 attributes, bool missing);
inline void require_pairs_fit(const Instances& instances) {
  require_pairs_fit(instances.count, instances.attributes, instances.has_missing());
}
/// The check while instances are read, each time that their number has doubled.
void require_pairs_fit_so_far(const Instances& instances);

}  // namespace gpuseq::pairwise_distance
