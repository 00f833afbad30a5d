#include "kernels/exact_match/cuda_policy.hpp"

namespace gpuseq::exact_match {

std::vector<Variant> cuda_variants() {
  return {{std::string(kTreeGpu), DeviceKind::cuda,
           "suffix tree with suffix links, a thread a strand or a part of one (the paper)",
           match_space(kTreeGpu)},
          {std::string(kTreeWordsGpu), DeviceKind::cuda,
           "the same, positions passed over where a word does not occur", match_space(kTreeWordsGpu)}};
}

}  // namespace gpuseq::exact_match
