#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/host_device.hpp"

namespace gpuseq::pairwise_distance {

/// Instances (rows: samples, sequences) by attributes (columns: SNPs, alignment columns): what is compared.
struct Instances {
  u64 count = 0;
  u64 attributes = 0;
  u32 alphabet = 3;                     // codes are 0 ... alphabet - 1; 1 to 256
  std::vector<std::string> names = {};  // [count]
  std::vector<u8> codes = {};           // [count x attributes], row after row; 0 where missing
  std::vector<u8> missing = {};         // [count x attributes], 1: no value; empty: all have one

  std::span<const u8> row(u64 instance) const { return {codes.data() + instance * attributes, attributes}; }
  bool has_missing() const { return !missing.empty(); }
  bool is_missing(u64 instance, u64 attribute) const {
    return has_missing() && missing[instance * attributes + attribute] != 0;
  }
  u64 missing_values() const;
};

}  // namespace gpuseq::pairwise_distance
