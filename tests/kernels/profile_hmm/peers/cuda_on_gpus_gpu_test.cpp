#include "kernels/profile_hmm/cuda/session.hpp"
#include "tests/kernels/gpu_and_peers.hpp"
#include "tests/kernels/profile_hmm/cpu_problems.hpp"

// Filters on several GPUs against the oracle.

namespace gpuseq::profile_hmm {
namespace {

class FilterOnGpus : public gpuseq::testing::GpuAndPeers {
 protected:
  /// Launched twice by each number of GPUs.
  void expect_oracle(const Model& model, const std::shared_ptr<const Sequences>& sequences, Filter filter) {
    const auto problem = make_problem(model, sequences, filter);
    const FilterPoint at =
        filter_point(Mapping::lane_groups, filter_space(Mapping::lane_groups).complete({}));
    for (const std::size_t gpus : numbers()) {
      SCOPED_TRACE(::testing::Message() << kFilterNames[filter] << " on " << gpus << " GPUs");
      const auto session = make_session_on_gpus(*problem, at, *device, peers_of(gpus));
      session->launch();
      session->launch();
      EXPECT_EQ(session->scores(), testing::oracle_scores_of(*problem));
      EXPECT_TRUE(session->verify().passed);
      EXPECT_EQ(session->facts()["gpus"], gpus);
      EXPECT_EQ(session->cost().work.amount, problem->cells());
      EXPECT_EQ(session->cost().instructions->by_device.size(), gpus);
      EXPECT_EQ(gpuseq::testing::launches_alone(session->side_samples_s()), 3 * gpus);
      EXPECT_EQ(session->devices_at_work().size(), gpus);
    }
  }
};

TEST_P(FilterOnGpus, ScoresAsTheOracle) {
  const Model model = testing::sharp_model(100, 100);
  for (const Filter filter : {Filter::ssv, Filter::msv, Filter::viterbi})
    expect_oracle(model, testing::mixed_sequences(model, 100), filter);
}

TEST_P(FilterOnGpus, ScoresFewerSequencesThanGpus) {
  const Model model = testing::sharp_model(40, 40);
  const auto few = std::make_shared<Sequences>();
  expect_oracle(model, few, Filter::msv);
  few->append("one", std::vector<u8>{1, 2, 3});
  expect_oracle(model, few, Filter::msv);
}

/// A GPU's instructions for all sequences are those that a session on it alone counts.
TEST_P(FilterOnGpus, CountsTheInstructionsOfEachGpuForAllSequences) {
  const Model model = testing::sharp_model(100, 100);
  const auto problem = make_problem(model, testing::mixed_sequences(model, 100), Filter::ssv);
  const std::vector<Variant> variants = cuda_variants();
  const auto variant = std::ranges::find(variants, "lane_groups", &Variant::name);
  const auto alone = prepare_as<FilterSession>(*problem, *variant, {}, *device);
  const FilterPoint at = filter_point(Mapping::lane_groups, filter_space(Mapping::lane_groups).complete({}));
  const auto session = make_session_on_gpus(*problem, at, *device, peers_of(2));
  const Instructions one = alone->cost().instructions.value(), all = session->cost().instructions.value();
  for (const auto& [operation, count] : one.operations)
    EXPECT_NEAR(all.by_device[1].operations.at(operation), count, 1e-6 * count);
}

INSTANTIATE_TEST_SUITE_P(On, FilterOnGpus, ::testing::Bool(), gpuseq::testing::peers_word);

}  // namespace
}  // namespace gpuseq::profile_hmm
