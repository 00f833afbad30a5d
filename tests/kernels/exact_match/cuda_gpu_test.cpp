#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernels/exact_match/cuda/tree.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "tests/kernels/exact_match/loaded_inputs.hpp"

// Tests that need a GPU: both variants against the oracle, as the program runs them.

namespace gpuseq::exact_match {
namespace {

using ::testing::HasSubstr;

using testing::all_data;
using testing::Data;

class CudaGpu : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    if (const auto count = cuda::device_count(); !count.value) GTEST_SKIP() << count.reason;
    if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    device = std::make_unique<cuda::CudaDevice>(0);
    for (const MatchVariant& candidate : cuda_variants())
      if (candidate.variant.name == GetParam()) {
        variant = candidate.variant;
        searcher_of = candidate.searcher;
      }
  }

  /// The point with every axis at its default but those named; the text in 2D order where that is needed.
  Point point_of(Point point) const {
    if (variant.space.find("memory") != nullptr && point.has("memory") &&
        point.word("memory") == "texture_2d" && !point.has("text_order"))
      point.set("text_order", std::string("space_filling"));
    return variant.space.complete(point);
  }

  /// Every value of every axis with both results.
  std::vector<Point> covering_points() const {
    std::vector<Point> points;
    for (const std::string result : {"slots", "matches"})
      for (const Axis& axis : variant.space.axes())
        for (const AxisValue& value : axis.values) {
          if (axis.name == "compiled_by" || axis.name == "result") continue;
          // The host lists of nodes, and within a budget.
          if ((axis.name == "leaves" || axis.name == "memory_mib") && result == "matches") continue;
          Point point{{"result", result}};
          point.set(axis.name, value);
          point = point_of(point);
          if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
        }
    return points;
  }

  MatchList oracle(const Data& data, const Search& search) {
    std::vector<u64> all(data.queries.count());
    std::iota(all.begin(), all.end(), u64{0});
    return Oracle(data.reference, search).find(data.queries, all, pool);
  }

  /// A session at every point, each launched twice.
  void expect_matches(const Data& data, const Search& search, const std::vector<Point>& points) {
    const MatchList expected = oracle(data, search);
    const auto problem = make_problem(data.reference, data.queries, search, folder.path() / "cache");
    for (const Point& point : points) {
      SCOPED_TRACE(data.name + ", length " + std::to_string(search.min_length) + ", " +
                   std::string(kModeNames[static_cast<u8>(search.mode)]) +
                   (search.both_strands ? ", both strands, " : ", ") + point.to_string());
      const auto session = prepare_as<MatchSession>(*problem, variant, point, *device);
      session->launch();
      session->launch();
      EXPECT_TRUE(session->matches() == expected);
      session->launch();
      EXPECT_TRUE(session->matches() == expected);
      ++computed;
    }
    matches += expected.matches.size();
  }

  TemporaryFolder folder;
  std::unique_ptr<cuda::CudaDevice> device;
  Variant variant;
  MakeSearcher searcher_of;
  ThreadPool pool{2};
  u64 computed = 0, matches = 0;
};

TEST_P(CudaGpu, EveryValueOfEveryAxisFindsTheOraclesMatches) {
  const std::vector<Data> data = all_data(2);
  const std::vector<Point> points = covering_points();
  EXPECT_GT(points.size(), 20u);
  u64 expected = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::vector<Point> some = points;
    if (i > 0)  // large tables take a while to make
      std::erase_if(some, [](const Point& point) {
        return point.has("prefix_letters") && point.integer("prefix_letters") > 10;
      });
    expect_matches(data[i],
                   {.min_length = data[i].min_lengths[i % data[i].min_lengths.size()],
                    .mode = static_cast<Mode>(i % 3),
                    .both_strands = i % 2 == 0},
                   some);
    expected += some.size();
  }
  EXPECT_EQ(computed, expected);
  EXPECT_GT(matches, 1000u);
}

TEST_P(CudaGpu, EveryModeAndLengthFindsTheOraclesMatches) {
  std::vector<Point> points{point_of({{"result", std::string("slots")}}),
                            point_of({{"result", std::string("matches")}, {"lanes", 4}})};
  if (variant.space.find("memory") != nullptr)
    points.push_back(point_of({{"memory", std::string("texture_2d")},
                               {"node_order", std::string("hybrid")},
                               {"leaves", std::string("nodes")},
                               {"edge_ends", std::string("compared")},
                               {"reverse_complements", std::string("computed")}}));
  for (const Data& data : all_data(12))
    for (const u32 min_length : data.min_lengths)
      for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum})
        expect_matches(data, {.min_length = min_length, .mode = mode, .both_strands = min_length % 2 == 0},
                       points);
  EXPECT_GT(matches, 10'000u);
}

TEST_P(CudaGpu, KernelsCompiledAheadOfTimeFindTheSame) {
  const std::vector<Data> data = all_data(0);
  std::vector<Point> points;
  for (const std::string result : {"slots", "matches"}) {
    points.push_back(point_of({{"result", result}, {"compiled_by", std::string("nvcc")}}));
    if (variant.space.find("memory") == nullptr) continue;
    for (const std::string memory : {"texture_linear", "texture_2d"})
      points.push_back(
          point_of({{"memory", memory}, {"result", result}, {"compiled_by", std::string("nvcc")}}));
  }
  for (const Data& of : data) expect_matches(of, {.min_length = of.min_lengths.back()}, points);
}

TEST_P(CudaGpu, QueriesOfNothingAreSearched) {
  Data data{"no queries", random_reference({.bases = 500}), empty_queries(), {}};
  const std::vector<Point> points{point_of({{"result", std::string("slots")}}),
                                  point_of({{"result", std::string("matches")}})};
  expect_matches(data, {.min_length = 5}, points);
  append(data.queries, "empty", "");
  append(data.queries, "short", "ACG");
  expect_matches(data, {.min_length = 5, .both_strands = true}, points);
}

TEST_P(CudaGpu, ReferencesOfMoreThanABlockOfNodesAndRowsOfTextAreSearched) {
  const Reference reference = random_reference({.bases = 700'000, .sequences = 3, .repeat_percent = 20});
  const Data data{"large",
                  reference,
                  simulate_reads(reference, {.count = 5000, .bases = 100, .errors_per_1000 = 10}),
                  {}};
  std::vector<Point> points = {point_of({{"query_order", std::string("sorted")}})};
  if (variant.space.find("memory") != nullptr)
    for (const std::string memory : {"texture_linear", "texture_2d"})
      for (const std::string result : {"slots", "matches"})
        points.push_back(
            point_of({{"memory", memory}, {"result", result}, {"node_order", std::string("hybrid")}}));
  expect_matches(data, {.min_length = 20, .both_strands = true}, points);
}

TEST_P(CudaGpu, SessionsVerifyAndSayWhatTheyTook) {
  ProblemSpec spec;
  spec.point = problem_space().complete(
      {{"reference_bases", 50'000}, {"query_count", 3000}, {"query_bases", 100}, {"errors_per_1000", 10}});
  const auto problem = load_problem(spec);
  for (const std::string result : {"slots", "matches"}) {
    const auto session = prepare_as<MatchSession>(
        *problem, variant, point_of({{"result", result}, {"query_order", std::string("sorted")}}), *device);
    const Verification verification = session->verify();
    EXPECT_TRUE(verification.passed) << verification.reason;
    EXPECT_GT(verification.checked, 2000u);
    EXPECT_EQ(session->work().amount, 300'000);
    const auto samples = session->side_samples_s();
    for (const char* phase : {"tree", "load_kernel", "sort", "strands", "upload", "upload_tree", "download",
                              "listing", "printing"})
      EXPECT_TRUE(samples.contains(phase)) << phase;
    EXPECT_GT(session->facts().at("device_tree_bytes").get<u64>(), 50'000u * 20);
    EXPECT_GT(session->facts().at("result_bytes").get<u64>(), 3000u);
    EXPECT_FALSE(session->cost().traffic.has_value());  // lines that sorted queries share are not counted
    EXPECT_THAT(session->notes(), ::testing::Contains(::testing::HasSubstr("sorted queries share")));
    ASSERT_TRUE(session->resources().has_value());
    EXPECT_GT(session->resources()->registers_per_thread, 0);
    EXPECT_GT(session->resources()->blocks, 0);
  }
}

TEST_P(CudaGpu, SessionsCountTheBlocksOfQueriesAsTheyCome) {
  const Reference reference = random_reference({.bases = 50'000});
  const auto problem = make_problem(
      reference, simulate_reads(reference, {.count = 3000, .bases = 100, .errors_per_1000 = 10}), {});
  const auto session = prepare_as<MatchSession>(
      *problem, variant, point_of({{"query_order", std::string("as_given")}}), *device);
  const auto traffic = session->cost().traffic;
  ASSERT_TRUE(traffic.has_value());
  EXPECT_GT(traffic->blocks, 3000);
  EXPECT_GT(traffic->classes.size(), 1u);
  EXPECT_TRUE(session->notes().empty());
}

TEST_P(CudaGpu, SessionsOfOneTreeShareItsCopyOnTheDevice) {
  const Reference reference = random_reference({.bases = 5000});
  const auto problem = make_problem(reference, simulate_reads(reference, {.count = 10, .bases = 50}), {});
  const auto prepare = [&](Point point) {
    prepare_as<MatchSession>(*problem, variant, point_of(point), *device);
  };
  const auto tree_on_device = [&] {
    const auto copy = problem->tree(NodeOrder::breadth_first)->device_copy;
    return copy == nullptr ? nullptr : static_cast<const DeviceCopy*>(copy.get())->tree;
  };
  prepare({{"threads_per_block", 64}, {"result", std::string("slots")}});
  const auto first = tree_on_device();
  EXPECT_NE(first, nullptr);
  prepare({{"threads_per_block", 256}, {"result", std::string("slots")}});
  EXPECT_EQ(tree_on_device(), first);
  // Listing needs more of the tree; a tree that serves it serves slots, too.
  prepare({{"result", std::string("matches")}});
  const auto with_leaves = tree_on_device();
  EXPECT_NE(with_leaves, first);
  prepare({{"result", std::string("slots")}});
  EXPECT_EQ(tree_on_device(), with_leaves);
  // Another order of nodes is another tree, and the copy of the old one goes.
  prepare({{"node_order", std::string("depth_first")}});
  EXPECT_NE(problem->tree(NodeOrder::depth_first)->device_copy, nullptr);
  EXPECT_EQ(problem->tree(NodeOrder::breadth_first)->device_copy, nullptr);
}

/// Queries in blocks of so many.
std::vector<Queries> blocks_of(const Queries& queries, u64 size) {
  std::vector<Queries> blocks;
  for (u64 first = 0; first < queries.count(); first += size) {
    blocks.push_back(empty_queries());
    for (u64 query = first; query < std::min(queries.count(), first + size); ++query)
      append(blocks.back(), queries.names[query], letters_of(queries.codes(query)));
  }
  return blocks;
}

TEST_P(CudaGpu, ASearcherFindsTheSameBlockByBlockInOneTreeOrInSeveral) {
  const Reference reference = random_reference({.bases = 20'000, .sequences = 2, .repeat_percent = 40});
  Queries queries = simulate_reads(reference, {.count = 300, .bases = 80, .errors_per_1000 = 15});
  append(queries, "empty", "");
  append(queries, "repeat", testing::repeated("ACG", 20));
  for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum}) {
    const Search search{.min_length = 15, .mode = mode, .both_strands = true};
    const MatchList expected = oracle({"", reference, queries, {}}, search);
    for (const u64 part_count : {1, 3})
      for (const std::string result : {"slots", "matches"}) {
        const Point point = point_of({{"result", result}});
        auto loaded = load_parts({}, reference.text, split_text(reference.text.size(), part_count, 80),
                                 node_order_of(point), pool);
        const auto searcher = searcher_of(loaded.parts, search, point, *device, folder.path() / "cache");
        // Blocks that grow and shrink.
        for (const u64 size : {7, 302, 1}) {
          std::vector<MatchList> found;
          for (const Queries& block : blocks_of(queries, size)) found.push_back(searcher->search(block));
          EXPECT_TRUE(joined(found, pool) == expected) << static_cast<int>(mode) << ", " << part_count
                                                       << " parts, " << result << ", blocks of " << size;
        }
        for (const char* phase : {"upload_tree", "upload", "kernel", "download", "listing"})
          EXPECT_GT(searcher->phases()[phase], 0) << phase;
      }
  }
}

TEST_P(CudaGpu, TreesOfPartsThatTheDeviceCannotHoldTogetherTakeTurns) {
  const Reference reference = random_reference({.bases = 3'000'000, .repeat_percent = 20});
  const Queries queries = simulate_reads(reference, {.count = 3000, .bases = 100, .errors_per_1000 = 10});
  const Search search{.min_length = 20};
  const Point point = point_of({});
  auto loaded =
      load_parts({}, reference.text, split_text(reference.text.size(), 3, 100), node_order_of(point), pool);
  const u64 tree_bytes = device_bytes(loaded.parts.front().tree->view(), {});
  const u64 room = 4 * tree_bytes;  // trees may have 60 % of it
  if (device->free_bytes() < room) GTEST_SKIP() << "only " << device->free_bytes() << " bytes are free";
  const cuda::DeviceBuffer others(*device, device->free_bytes() - room);
  const auto searcher = searcher_of(loaded.parts, search, point, *device, {});
  const MatchList expected = oracle({"", reference, queries, {}}, search);
  for (int block = 0; block < 2; ++block) EXPECT_TRUE(searcher->search(queries) == expected);
  for (const TreePart& part : loaded.parts) EXPECT_EQ(part.tree->device_copy, nullptr);
}

TEST_P(CudaGpu, ABudgetOfMemoryIsKeptByTreesThatTakeTurnsAndBlocksOfQueries) {
  if (variant.space.find("memory_mib") == nullptr) GTEST_SKIP() << "it has no budget";
  const Reference reference = random_reference({.bases = 400'000, .sequences = 2, .repeat_percent = 20});
  Queries queries = simulate_reads(reference, {.count = 20'000, .bases = 100, .errors_per_1000 = 10});
  append(queries, "empty", "");
  for (const Mode mode : {Mode::maxmatch, Mode::mumreference, Mode::mum}) {
    const Search search{.min_length = 20, .mode = mode, .both_strands = true};
    const MatchList expected = oracle({"", reference, queries, {}}, search);
    for (const std::string leaves : {"implicit", "nodes"})
      for (const std::string memory : {"global", "texture_2d"}) {
        const Point point = point_of({{"memory", memory}, {"leaves", leaves}, {"memory_mib", 20}});
        SCOPED_TRACE(point.to_string());
        const auto problem = make_problem(reference, queries, search);
        const auto session = prepare_as<MatchSession>(*problem, variant, point, *device);
        session->launch();
        EXPECT_TRUE(session->matches() == expected);
        session->launch();
        EXPECT_TRUE(session->matches() == expected);
        EXPECT_GT(session->facts().at("trees").get<u64>(), 1u);
        EXPECT_GT(session->facts().at("query_blocks").get<u64>(), 1u);
        EXPECT_LE(session->held().bytes(), u64{20} << 20);
        const auto samples = session->side_samples_s();
        for (const char* phase :
             {"tree", "upload", "upload_tree", "strands", "download", "listing", "printing"})
          EXPECT_TRUE(samples.contains(phase)) << phase;
      }
  }
  const Point point = point_of({{"memory_mib", 4}});
  expect_matches({"no queries", reference, empty_queries(), {}}, {.min_length = 20}, {point});
  const auto problem = make_problem(reference, queries, {.min_length = 20});
  EXPECT_THAT(
      [&] {
        prepare_as<MatchSession>(
            *problem, variant, point_of({{"memory_mib", 1}, {"memory", std::string("texture_2d")}}), *device);
      },
      ::testing::Throws<DoesNotFit>());
}

TEST_P(CudaGpu, WhatDoesNotFitSaysWhatItNeedsAndWhatThereIs) {
  const Reference reference = random_reference({.bases = 300'000});
  const auto few = make_problem(reference, simulate_reads(reference, {.count = 10, .bases = 100}), {});
  const auto many = make_problem(reference, simulate_reads(reference, {.count = 500'000, .bases = 100}), {});
  const Point point = point_of({});
  const auto message = [&](MatchProblem& problem, u64 room) -> std::string {
    const cuda::DeviceBuffer others(*device, device->free_bytes() - room);
    try {
      prepare_as<MatchSession>(problem, variant, point, *device);
    } catch (const DoesNotFit& error) {
      return error.what();
    }
    return "it fits";
  };
  EXPECT_THAT(message(*few, 1 << 20), HasSubstr("a suffix tree of 300002 letters"));
  EXPECT_EQ(message(*few, 100 << 20), "it fits");
  const auto session = prepare_as<MatchSession>(*few, variant, point, *device);
  EXPECT_TRUE(session->verify().passed);
  // The tree and 500 000 x 81 slots of 8 bytes.
  EXPECT_THAT(message(*many, 100 << 20), HasSubstr("500000 strands"));
  EXPECT_EQ(message(*many, 600 << 20), "it fits");
}

INSTANTIATE_TEST_SUITE_P(BothVariants, CudaGpu, ::testing::Values("tree_gpu", "tree_words_gpu"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace gpuseq::exact_match
