#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/pairwise_distance/ladder_policy.cuh"
#include "kernels/pairwise_distance/metric.hpp"
#include "kernels/pairwise_distance/tile_policy.cuh"
#include "runtime/family.hpp"

namespace gpuseq::pairwise_distance {

/// CUDA variants: the paper's ladder, then those that compute tiles of pairs.
enum class Mapping : u32 { naive, coalesced, char4, byte_register, shared, register_tiled, dp4a, tensor };

inline bool is_ladder(Mapping mapping) {
  return mapping <= Mapping::shared;
}
SearchSpace pair_space(Mapping mapping);
std::string mapping_name(Mapping mapping);
/// @throws UsageError naming the CUDA variants there are
Mapping mapping_of(std::string_view variant);

/// What a policy is chosen for.
struct PairShape {
  Metric metric = Metric::hamming;
  u32 alphabet = 3;
  bool missing = false;  // whether values are
  u64 instances = 0;
  std::size_t shared_bytes = 227 << 10;  // a block's at most
  u32 capability = 90;                   // 10 x major + minor
};

/// The policy of a complete point, with what is 0 or `auto` decided.
/// @throws ResourceError if the variant cannot do this metric, alphabet or missing values, with the reason
///   and the variants that can
LadderPolicy choose_ladder_policy(Mapping mapping, const Point& point, const PairShape& shape);
TilePolicy choose_tile_policy(Mapping mapping, const Point& point, const PairShape& shape);
/// @throws ResourceError if a product's representation does not do a metric, an alphabet or missing values
void check_representation(Product product, const PairShape& shape);

/// Name of a policy's kernel, and the text of the kernels of some policies.
std::string kernel_name(const LadderPolicy& policy);
std::string kernel_name(const TilePolicy& policy);
std::string kernel_text(std::span<const LadderPolicy> ladder, std::span<const TilePolicy> tiles);
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// What NVRTC compiles for a policy.
KernelSource kernel_source(const LadderPolicy& policy);
KernelSource kernel_source(const TilePolicy& policy);

/// What nvcc compiles when the program is built.
std::vector<LadderPolicy> ahead_of_time_ladder();
std::vector<TilePolicy> ahead_of_time_tiles();
/// @throws ResourceError if nvcc did not compile a kernel of this name
void require_ahead_of_time(const std::string& name);

}  // namespace gpuseq::pairwise_distance
