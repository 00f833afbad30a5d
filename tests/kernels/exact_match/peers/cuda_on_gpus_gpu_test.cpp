#include <numeric>

#include "kernels/exact_match/cuda/session.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"
#include "tests/kernels/gpu_and_peers.hpp"

// Exact matches on several GPUs against the oracle.

namespace gpuseq::exact_match {
namespace {

class MatchesOnGpus : public gpuseq::testing::GpuAndPeers {};

TEST_P(MatchesOnGpus, AreTheOracles) {
  u64 matches = 0;
  for (const testing::Data& data : testing::all_data(3))
    for (const std::string result : {"slots", "matches"}) {
      const Search search{.min_length = data.min_lengths.front(), .both_strands = true};
      const auto problem = make_problem(data.reference, data.queries, search);
      std::vector<u64> all(data.queries.count());
      std::iota(all.begin(), all.end(), u64{0});
      ThreadPool pool(2);
      const MatchList expected = Oracle(data.reference, search).find(data.queries, all, pool);
      matches += expected.matches.size();
      const Point point = kTreeWordsGpus.space().complete({{"result", result}, {"prefix_letters", 5}});
      for (const std::size_t gpus : numbers()) {
        SCOPED_TRACE(::testing::Message() << data.name << ", " << result << " on " << gpus << " GPUs");
        const auto session = make_session_on_gpus(*problem, kTreeWordsGpus.at(point), node_order_of(point),
                                                  *device, peers_of(gpus));
        session->launch();
        session->launch();
        EXPECT_TRUE(session->matches() == expected);
        EXPECT_EQ(session->facts()["gpus"], gpus);
        EXPECT_EQ(gpuseq::testing::launches_alone(session->side_samples_s()), 3 * gpus);
      }
    }
  EXPECT_GT(matches, 1000u);
}

/// The tree's copy on a GPU must not outlive the GPU: the next session has another.
TEST_P(MatchesOnGpus, LeaveNoTreeOfTheirGpus) {
  const Reference reference = random_reference({.bases = 10'000, .sequences = 1});
  const auto problem = make_problem(reference, simulate_reads(reference, {.count = 50, .bases = 100}), {});
  const Point point = kTreeWordsGpus.space().complete({});
  make_session_on_gpus(*problem, kTreeWordsGpus.at(point), node_order_of(point), *device, peers_of(2));
  EXPECT_EQ(problem->tree(node_order_of(point))->device_copy, nullptr);
}

INSTANTIATE_TEST_SUITE_P(On, MatchesOnGpus, ::testing::Bool(), gpuseq::testing::peers_word);

}  // namespace
}  // namespace gpuseq::exact_match
