#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/fm_index/cuda/policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/kernels/fm_index/cuda_covering.hpp"

namespace gpuseq::fm_index {
namespace {

std::string why_refused(Scheme scheme, const Point& point) {
  try {
    search_space(scheme).complete(point);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(CudaPolicy, VariantsAreThePapersAndThoseOfOtherLayouts) {
  std::vector<std::string> names;
  for (const Variant& variant : cuda_variants()) {
    names.push_back(variant.name);
    EXPECT_EQ(variant.device, DeviceKind::cuda);
    EXPECT_FALSE(variant.summary.empty());
  }
  EXPECT_THAT(
      names, ::testing::ElementsAre("task_parallel", "task_parallel_16b", "task_parallel_split",
                                    "memory_cooperative", "full_cooperative", "full_cooperative_split",
                                    "one_hot", "one_hot_routed", "psi", "psi_lines", "elias_fano", "verify"));
}

TEST(CudaPolicy, EveryDefaultPointIsValidAndCompiledAheadOfTime) {
  for (const Variant& variant : cuda_variants()) {
    const Point point = variant.space.complete({{"compiled_by", "nvcc"}});
    EXPECT_TRUE(
        search_kernels().is_ahead_of_time(search_point(testing::scheme_named(variant.name), point).policy))
        << variant.name;
    EXPECT_TRUE(variant.sources(point, {}).empty()) << variant.name;
  }
}

TEST(CudaPolicy, APointBecomesItsPolicy) {
  const SearchSpace space = search_space(Scheme::full_cooperative);
  const SearchPoint at =
      search_point(Scheme::full_cooperative,
                   space.complete(Point::parse("k=2,d=192,counters=alternate,threads_per_block=256,lanes_"
                                               "per_query=8,queries_in_flight=2,entry_loads=streamed,"
                                               "prefix_symbols=12,active_threads=512")));
  EXPECT_EQ(search_kernels().name(at.policy), "fm_full_cooperative_k2_d192_alternate_t256_l8_q2_streamed");
  EXPECT_EQ(at.prefix_symbols, 12u);
  EXPECT_EQ(at.active_threads, 512u);
  EXPECT_FALSE(at.ahead_of_time);
  EXPECT_FALSE(at.policy.wide);
}

TEST(CudaPolicy, NamesOfPoliciesAreUnique) {
  std::set<std::string> names;
  std::size_t points = 0;
  for (const Variant& variant : cuda_variants()) {
    std::map<std::string, std::vector<AxisValue>> listed;
    for (const char* axis :
         {"k", "d", "counters", "threads_per_block", "lanes_per_query", "queries_in_flight", "entry_loads",
          "search", "line_bytes", "entry_reads", "chunks", "lanes_per_entry"})
      if (const Axis* found = variant.space.find(axis)) listed[axis] = found->values;
    for (const Point& point : variant.space.points(listed)) {
      names.insert(search_kernels().name(search_point(testing::scheme_named(variant.name), point).policy));
      ++points;
    }
  }
  EXPECT_EQ(names.size(), points);
  EXPECT_GT(points, 5000u);
}

TEST(CudaPolicy, WhatIsAsPublishedIsAskedForAndOtherwiseLeavesKernelsAndTheirNames) {
  const auto name_of = [](Scheme scheme, const char* point) {
    return search_kernels().name(
        search_point(scheme, search_space(scheme).complete(Point::parse(point))).policy);
  };
  EXPECT_EQ(name_of(Scheme::task_parallel, ""), "fm_task_parallel_k1_d64_full_t128_l1_q1_cached");
  EXPECT_EQ(name_of(Scheme::task_parallel, "d=448,entry_reads=separate,chunks=whole"),
            "fm_task_parallel_k1_d448_full_t128_l1_q1_cached_separate_whole");
  EXPECT_EQ(name_of(Scheme::task_parallel_split, "chunks=whole"),
            "fm_task_parallel_split_k1_d64_full_t128_l2_q1_cached_whole");
  EXPECT_EQ(name_of(Scheme::full_cooperative_split, "d=448,lanes_per_entry=8"),
            "fm_full_cooperative_split_k1_d448_full_t128_l2_q1_cached_whole_e8");
  EXPECT_EQ(name_of(Scheme::full_cooperative_split, "chunks=needed"),
            "fm_full_cooperative_split_k1_d64_full_t128_l2_q1_cached_e2");
  for (const Scheme scheme : {Scheme::task_parallel_split, Scheme::full_cooperative, Scheme::one_hot})
    expect_text(why_refused(scheme, {{"entry_reads", "separate"}}));
  for (const Scheme scheme : {Scheme::memory_cooperative, Scheme::full_cooperative, Scheme::psi})
    expect_text(why_refused(scheme, {{"chunks", "whole"}}));
  expect_text(why_refused(Scheme::full_cooperative, {{"lanes_per_entry", 8}}));
}

TEST(CudaPolicy, APointOfPsiBecomesItsPolicy) {
  const auto name_of = [](Scheme scheme, const char* point) {
    return search_kernels().name(
        search_point(scheme, search_space(scheme).complete(Point::parse(point))).policy);
  };
  EXPECT_EQ(name_of(Scheme::psi, "k=13,search=interpolation"),
            "fm_psi_k13_full_t128_l1_q1_cached_interpolation");
  EXPECT_EQ(name_of(Scheme::psi, "k=13,search=linear"), "fm_psi_k13_full_t128_l1_q1_cached");
  EXPECT_EQ(name_of(Scheme::psi_lines, "k=15,line_bytes=64,lanes_per_query=4,entry_loads=streamed"),
            "fm_psi_lines_k15_full_t128_l4_q1_streamed_b64");
  EXPECT_EQ(name_of(Scheme::psi, "k=13,search=linear,early_exit=leading_word"),
            "fm_psi_k13_full_t128_l1_q1_cached_leading_word");
  EXPECT_EQ(name_of(Scheme::verify, "k=14,row_bytes=8"), "fm_verify_k14_full_t128_l1_q1_cached_r8");
  expect_text(why_refused(Scheme::verify, {{"prefix_symbols", 10}}));
  expect_text(why_refused(Scheme::verify, {{"early_exit", "none"}}));
  expect_text(why_refused(Scheme::psi_lines, {{"line_bytes", 32}, {"lanes_per_query", 4}}));
  expect_text(why_refused(Scheme::psi, {{"d", 64}}));
  expect_text(why_refused(Scheme::psi, {{"k", 17}}));
}

TEST(CudaPolicy, APointOfEliasFanoBecomesItsPolicy) {
  const SearchSpace space = search_space(Scheme::elias_fano);
  const auto policy =
      search_point(Scheme::elias_fano,
                   space.complete(Point::parse("k=4,d=22528,line_bytes=128,lanes_per_query=8")))
          .policy;
  EXPECT_EQ(search_kernels().name(policy), "fm_elias_fano_k4_d22528_full_t128_l8_q1_cached_b128");
  EXPECT_TRUE(policy.layout().elias_fano());
  EXPECT_FALSE(policy.layout().may_be_wide());
  EXPECT_EQ(why_refused(Scheme::elias_fano, {{"d", 11008}}), "");
  expect_text(why_refused(Scheme::elias_fano, {{"d", 11000}}));
  expect_text(why_refused(Scheme::elias_fano, {{"d", 2816}}));
  expect_text(why_refused(Scheme::elias_fano, {{"d", 22528}}));
  expect_text(why_refused(Scheme::elias_fano, {{"lanes_per_query", 8}}));
  expect_text(why_refused(Scheme::elias_fano, {{"counters", "full"}}));
}

TEST(CudaPolicy, AnyMultipleOf64IsASamplingDistance) {
  EXPECT_EQ(why_refused(Scheme::task_parallel, {{"d", 512}}), "");
  expect_text(why_refused(Scheme::task_parallel, {{"d", 100}}));
  expect_text(why_refused(Scheme::one_hot, {{"d", 64}}));
}

TEST(CudaPolicy, ImpossiblePointsAreRefusedWithTheReason) {
  expect_text(why_refused(Scheme::full_cooperative, {{"k", 3}, {"lanes_per_query", 2}}));
  expect_text(why_refused(Scheme::full_cooperative, {{"k", 1}, {"lanes_per_query", 4}}));
  expect_text(why_refused(Scheme::full_cooperative_split, {{"k", 3}}));
  expect_text(why_refused(Scheme::full_cooperative_split, {{"lanes_per_entry", 4}}));
  EXPECT_EQ(why_refused(Scheme::full_cooperative_split, {{"d", 448}, {"lanes_per_entry", 8}}), "");
  expect_text(why_refused(Scheme::full_cooperative_split, {{"queries_in_flight", 2}}));
  expect_text(why_refused(Scheme::one_hot, {{"lanes_per_query", 4}}));
  expect_text(why_refused(Scheme::memory_cooperative, {{"k", 4}, {"threads_per_block", 512}}));
  expect_text(why_refused(Scheme::one_hot, {{"active_threads", 64}}));
  expect_text(why_refused(Scheme::one_hot, {{"compiled_by", "nvcc"}, {"queries_in_flight", 2}}));
  expect_text(why_refused(Scheme::task_parallel, {{"k", 4}, {"queries_in_flight", 4}}));
}

}  // namespace
}  // namespace gpuseq::fm_index
