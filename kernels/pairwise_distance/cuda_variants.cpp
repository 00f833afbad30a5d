#include "kernels/pairwise_distance/cuda_policy.hpp"
#include "kernels/pairwise_distance/problem.hpp"

namespace gpuseq::pairwise_distance {

std::vector<Variant> cuda_variants() {
  const std::pair<Mapping, const char*> summaries[] = {
      {Mapping::naive,
       "a block a pair, integers attribute after attribute, an addition a difference (paper)"},
      {Mapping::coalesced, "the same, integers instance after instance (paper)"},
      {Mapping::char4, "the same, bytes that are loaded four at a time (paper)"},
      {Mapping::byte_register, "the same, the four counted in a register (paper)"},
      {Mapping::shared, "the same, counts of threads in shared memory, one writes the sum (paper)"},
      {Mapping::register_tiled, "planes of bits in shared memory, a few pairs a thread, popcounts"},
      {Mapping::dp4a, "bytes in shared memory, a few pairs a thread, products of four bytes"},
      {Mapping::tensor, "bits or bytes in shared memory, products on tensor cores"}};
  std::vector<Variant> variants;
  for (const auto& [mapping, summary] : summaries)
    variants.push_back({mapping_name(mapping), DeviceKind::cuda, summary, pair_space(mapping)});
  return variants;
}

}  // namespace gpuseq::pairwise_distance
