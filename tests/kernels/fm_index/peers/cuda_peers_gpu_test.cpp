#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/fm_index/cuda/peers/session.hpp"
#include "kernels/fm_index/cuda/session.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/kernels/gpu_and_peers.hpp"

// Searches by several devices against the oracle, and against those by one.

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// As many devices as a value of index_on names.
class SearchOnPeersGpu : public gpuseq::testing::GpuAndPeers {
 protected:
  /// So many bases that an index of k = 4 has more units of memory than one: 18 MB.
  static Point problem_point(int queries, const char* order = "as_given") {
    return problem_space().complete({{"reference_bases", 500'000},
                                     {"query_count", queries},
                                     {"query_bases", 100},
                                     {"occurring_percent", 80},
                                     {"query_order", order}});
  }
  static std::unique_ptr<FmProblem> problem_of(int queries, const char* order = "as_given") {
    ProblemSpec spec;
    spec.point = problem_point(queries, order);
    return load_problem(spec);
  }
  static SearchPoint search_point_of(const std::string& point, Scheme scheme = Scheme::one_hot) {
    return search_point(scheme, search_space(scheme).complete(Point::parse(point)));
  }

  std::unique_ptr<SearchSession> prepare(FmProblem& problem, const std::string& point,
                                         Scheme scheme = Scheme::one_hot) {
    const SearchPoint at = search_point_of(point, scheme);
    if (at.index_on == IndexOn::one) return prepare_search(problem, at, *device);
    return prepare_on_peers(problem, at, *device, peers_of(at.gpus));
  }
};

TEST_P(SearchOnPeersGpu, AnswersAsTheOracle) {
  for (const int queries : {1, 2, 3001}) {
    const std::unique_ptr<FmProblem> problem = problem_of(queries);
    for (const char* point :
         {"k=4,index_on=copies", "k=4,index_on=copies,compiled_by=nvcc",
          "k=4,d=480,lanes_per_query=4,index_on=copies,prefix_symbols=0",
          "k=3,index_on=copies,queries_in_flight=2,prefix_symbols=12",
          "k=2,index_on=copies,active_threads=256", "k=1,index_on=copies,entry_loads=streamed"}) {
      SCOPED_TRACE(::testing::Message() << queries << " queries, " << point);
      const std::unique_ptr<SearchSession> session = prepare(*problem, point);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << verification.reason;
      EXPECT_EQ(verification.checked, static_cast<std::uint64_t>(queries));
      EXPECT_EQ(session->work().amount, 100.0 * queries);
      session->launch();
      session->launch();
      EXPECT_TRUE(session->verify().passed);
    }
  }
}

TEST_P(SearchOnPeersGpu, QueriesInAnotherOrderHaveTheirOwnAnswers) {
  const std::unique_ptr<FmProblem> problem = problem_of(3001, "sorted");
  const std::unique_ptr<SearchSession> session = prepare(*problem, "k=4,index_on=copies");
  const Verification verification = session->verify();
  EXPECT_TRUE(verification.passed) << verification.reason;
}

TEST_P(SearchOnPeersGpu, ManyDevicesAnswerAsTheOracle) {
  const std::unique_ptr<FmProblem> problem = problem_of(3001);
  const auto expect_answers = [&](const std::string& point, Scheme scheme) {
    SCOPED_TRACE(point);
    const std::unique_ptr<SearchSession> session = prepare(*problem, point, scheme);
    for (int i = 0; i < 3; ++i) session->launch();
    const Verification verification = session->verify();
    EXPECT_TRUE(verification.passed) << verification.reason;
  };
  try {
    for (const char* gpus : {"3", "4", "8"}) {
      expect_answers(std::string("k=3,index_on=copies_") + gpus, Scheme::one_hot);
      for (const char* point :
           {"k=4,windows=1", "k=3,windows=2,streams=4,queries_in_flight=4", "k=1,windows=1"})
        expect_answers(std::string(point) + ",assigned_by=sm_number,index_on=parts_" + gpus,
                       Scheme::one_hot_routed);
    }
  } catch (const ResourceError& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST_P(SearchOnPeersGpu, OneIndexGoesFromOneDeviceToTwoAndBack) {
  const std::unique_ptr<FmProblem> problem = problem_of(500);
  for (const char* where : {"one", "parts", "parts", "copies", "one", "copies", "parts"}) {
    const bool parts = std::string(where) == "parts";
    const std::string point = std::string("k=4,index_on=") + where + (parts ? ",assigned_by=sm_number" : "");
    const Verification verification =
        prepare(*problem, point, parts ? Scheme::one_hot_routed : Scheme::one_hot)->verify();
    EXPECT_TRUE(verification.passed) << where << ": " << verification.reason;
  }
}

TEST_P(SearchOnPeersGpu, SaysWhoTookPartAndWhatEachHolds) {
  const std::unique_ptr<FmProblem> problem = problem_of(3001);
  const std::string point = "k=4,index_on=copies";
  const std::unique_ptr<SearchSession> session = prepare(*problem, point);
  session->launch();
  EXPECT_EQ(session->devices_at_work().size(), 2u);
  const Cost cost = session->cost();
  const Cost estimate = search_cost(search_point_of(point), {.point = {}, .problem = problem_point(3001)});
  EXPECT_FALSE(cost.traffic);
  EXPECT_EQ(cost.why_no_bound, estimate.why_no_bound);
  EXPECT_LE(cost.held.bytes(), estimate.held.bytes());
  const nlohmann::json facts = session->facts();
  EXPECT_EQ(facts.at("gpus"), 2);
  EXPECT_EQ(facts.at("peer_id"), peers_of(2)[0]->id());
  EXPECT_EQ(facts.at("peer_uuid"), peers_of(2)[0]->describe().at("uuid"));
  std::uint64_t index_bytes = 0;
  for (const auto& [part, bytes] : cost.held.parts)
    if (part.starts_with("index on ")) index_bytes += bytes;
  const double index = facts.at("index_bytes").get<double>() - facts.at("prefix_bytes").get<double>();
  EXPECT_NEAR(static_cast<double>(index_bytes) / index, 2, 0.01);
}

TEST_P(SearchOnPeersGpu, RoutedAnswersAsTheOracleWhateverCrosses) {
  for (const int queries : {1, 127, 3001, 60'000}) {
    const std::unique_ptr<FmProblem> problem = problem_of(queries);
    for (const char* point :
         {"windows=1", "windows=2,queries_in_flight=4", "windows=3,queries_in_flight=2,lanes_per_query=1",
          "windows=1,streams=2,queries_in_flight=4,prefix_symbols=12", "k=3,windows=2,streams=16",
          "d=480,lanes_per_query=4,windows=1,prefix_symbols=0", "k=1,windows=4,entry_loads=streamed",
          "k=2,windows=1,active_threads=256"}) {
      SCOPED_TRACE(::testing::Message() << queries << " queries, " << point);
      const std::unique_ptr<SearchSession> session = prepare(
          *problem, std::string("index_on=parts,assigned_by=sm_number,") + point, Scheme::one_hot_routed);
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << verification.reason;
      EXPECT_EQ(verification.checked, static_cast<std::uint64_t>(queries));
      for (int i = 0; i < 5; ++i) session->launch();
      EXPECT_TRUE(session->verify().passed);
    }
  }
}

TEST_P(SearchOnPeersGpu, RoutedCopiesAnswerAsTheOracle) {
  for (const int queries : {1, 3001}) {
    const std::unique_ptr<FmProblem> problem = problem_of(queries);
    for (const char* point : {"windows=2,streams=4", "windows=1,queries_in_flight=4,prefix_symbols=12"}) {
      SCOPED_TRACE(::testing::Message() << queries << " queries, " << point);
      const std::unique_ptr<SearchSession> session =
          prepare(*problem, std::string("k=4,index_on=copies,assigned_by=sm_number,") + point,
                  Scheme::one_hot_routed);
      for (int i = 0; i < 3; ++i) session->launch();
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << verification.reason;
      EXPECT_FALSE(session->cost().traffic);
      EXPECT_EQ(session->side_samples_s().at("route_queries").size(), 1u);
    }
  }
}

TEST_P(SearchOnPeersGpu, RoutedSaysWhatCrossesAndWhatTheFirstDeviceReads) {
  const std::unique_ptr<FmProblem> problem = problem_of(3001);
  const std::string point = "k=4,windows=1,assigned_by=sm_number,index_on=";
  const std::unique_ptr<SearchSession> one = prepare(*problem, point + "one", Scheme::one_hot_routed);
  const double blocks = one->cost().traffic.value().blocks;
  const std::unique_ptr<SearchSession> two = prepare(*problem, point + "parts", Scheme::one_hot_routed);
  two->launch();
  EXPECT_EQ(two->devices_at_work().size(), 2u);
  EXPECT_NEAR(two->cost().traffic.value().blocks / blocks, 0.5, 0.05);
  const nlohmann::json facts = two->facts();
  EXPECT_EQ(facts.at("peer_id"), peers_of(2)[0]->id());
  EXPECT_NEAR(facts.at("first_share").get<double>(), 0.5, 0.05);
  EXPECT_NEAR(facts.at("crossing_share").get<double>(), 0.5, 0.1);
  EXPECT_EQ(two->side_samples_s().at("route_queries").size(), 1u);
  const HeldMemory memory = two->held();
  const Cost estimate = search_cost(search_point_of(point + "parts", Scheme::one_hot_routed),
                                    {.point = {}, .problem = problem_point(3001)});
  EXPECT_LE(memory.bytes(), estimate.held.bytes());
  std::uint64_t inboxes = 0, index_bytes = 0;
  for (const auto& [part, bytes] : memory.parts) {
    if (part.starts_with("workspace on ")) inboxes += bytes;
    if (part.starts_with("index on ")) index_bytes += bytes;
  }
  EXPECT_EQ(inboxes, 2u * 2 * 3072 * sizeof(Interval<u32>));  // whole portions of 128 queries
  const double index = facts.at("index_bytes").get<double>() - facts.at("prefix_bytes").get<double>();
  EXPECT_NEAR(static_cast<double>(index_bytes) / index, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(On, SearchOnPeersGpu, ::testing::Bool(), gpuseq::testing::peers_word);

TEST(SearchOnPeers, IsSkippedWithTheReasonWhereThereIsOneDevice) {
  const auto count = cuda::device_count();
  if (!count.value) GTEST_SKIP() << count.reason;
  if (*count.value > 1) GTEST_SKIP() << *count.value << " devices here";
  CudaDevice device(0);
  ProblemSpec spec;
  spec.point = problem_space().complete({{"reference_bases", 1000}, {"query_count", 10}});
  const std::unique_ptr<FmProblem> problem = load_problem(spec);
  try {
    prepare_search(*problem,
                   {.policy = {.scheme = Scheme::one_hot, .d = 224}, .index_on = IndexOn::copies, .gpus = 2},
                   device);
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("needs 1 other CUDA device: found 0 of the 0 here"));
  }
}

}  // namespace
}  // namespace gpuseq::fm_index
