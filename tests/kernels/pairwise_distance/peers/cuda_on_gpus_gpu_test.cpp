#include "kernels/pairwise_distance/cuda/policy.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
#include "tests/kernels/gpu_and_peers.hpp"
#include "tests/kernels/pairwise_distance/cuda_instances.hpp"
#include "tests/kernels/pairwise_distance/cuda_points.hpp"

// Distances on several GPUs against those by definition.

namespace gpuseq::pairwise_distance {
namespace {

class DistancesOnGpusGpu : public gpuseq::testing::GpuAndPeers {
 protected:
  static TilePolicy policy_of(const Instances& instances, Metric metric, const char* half) {
    const TileVariant& variant = testing::tile_variant("tensor_gpus");
    return variant.choose(variant.space().complete({{"pairs", std::string(half)}}),
                          {.metric = metric,
                           .alphabet = instances.alphabet,
                           .missing = instances.has_missing(),
                           .instances = instances.count,
                           .attributes = instances.attributes});
  }
};

TEST_P(DistancesOnGpusGpu, AreThoseByDefinition) {
  for (const u64 count : {1u, 2u, 17u, 300u, 700u})
    for (const u32 missing : {0u, 50u})
      for (const char* half : {"half", "all"}) {
        const Instances instances = testing::instances_of(count, 130, 4, missing);
        const auto problem = make_problem(instances, Metric::hamming);
        const Distances expected = testing::expected_distances(instances, Metric::hamming);
        for (const std::size_t gpus : numbers()) {
          SCOPED_TRACE(::testing::Message() << count << " instances, missing " << missing << ", " << half
                                            << " on " << gpus << " GPUs");
          const auto session = make_session_on_gpus(*problem, policy_of(instances, Metric::hamming, half),
                                                    false, *device, peers_of(gpus));
          session->launch();
          session->launch();
          EXPECT_EQ(session->distances(), expected);
          EXPECT_EQ(session->facts()["gpus"], gpus);
          EXPECT_EQ(gpuseq::testing::launches_alone(session->side_samples_s()), 3 * gpus);
        }
      }
}

/// Otherwise the parts of each GPU would be computed again by another.
TEST_P(DistancesOnGpusGpu, AreComputedByOneGpuEach) {
  const Instances instances = testing::instances_of(300, 130, 3, 0);
  const auto problem = make_problem(instances, Metric::hamming);
  const TilePolicy policy = policy_of(instances, Metric::hamming, "half");
  const u64 all = make_session(*problem, policy, false, *device)->facts()["tiles"];
  u64 sum = 0;
  for (u64 part = 0; part < 3; ++part)
    sum += make_session(*problem, policy, false, *device, {part, 3})->facts()["tiles"].get<u64>();
  EXPECT_GT(all, 3u);
  EXPECT_EQ(sum, all);
}

INSTANTIATE_TEST_SUITE_P(On, DistancesOnGpusGpu, ::testing::Bool(), gpuseq::testing::peers_word);

}  // namespace
}  // namespace gpuseq::pairwise_distance
