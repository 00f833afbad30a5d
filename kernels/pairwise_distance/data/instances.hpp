#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq::pairwise_distance {

/// Symbols that codes of 8 bits tell apart.
inline constexpr u32 kMostSymbols = 256;

/// Instances (rows: samples, sequences) by attributes (columns: SNPs, alignment columns), which are codes or
/// real values: what is compared.
struct Instances {
  u64 count = 0;
  u64 attributes = 0;
  u32 alphabet = 3;                     // codes are 0 ... alphabet - 1; 1 to 256; of real values 0
  std::vector<std::string> names = {};  // [count]
  std::vector<u8> codes = {};           // [count x attributes], row after row; 0 where missing
  std::vector<u8> missing = {};         // [count x attributes], 1: no value; empty: all have one
  std::vector<float> reals = {};        // instead of codes: finite numbers, 0 where missing

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
  /// Takes the value of a place in [count x attributes] away; `missing` has places for all.
  void remove(u64 place) {
    missing[place] = 1;
    if (is_real())
      reals[place] = 0;
    else
      codes[place] = 0;
  }
};

/// The largest real value, either way, with which sums of squares stay 32-bit floating point numbers: twice
/// it, as often as there are attributes.
double largest_real(u64 attributes);

/// Refuses instances whose distances to each other the host's memory does not hold. What they take beside is
/// known only to variants, which see to it.
/// @throws DoesNotFit with the figures
void require_pairs_fit(u64 count, u64 attributes, bool missing);
inline void require_pairs_fit(const Instances& instances) {
  require_pairs_fit(instances.count, instances.attributes, instances.has_missing());
}
/// The same while instances are read one after the other, each time that they have doubled.
void require_pairs_fit_so_far(const Instances& instances);

}  // namespace gpuseq::pairwise_distance
