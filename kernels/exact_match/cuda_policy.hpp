#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/exact_match/match_policy.cuh"
#include "kernels/exact_match/suffix_tree.hpp"
#include "runtime/family.hpp"

// The CUDA variants: tree_gpu is the paper's traversal, tree_words_gpu the same with tables of words. Axes:
// memory, text_order (tree_gpu), prefix_letters, filter_letters (tree_words_gpu), and of both node_order,
// lanes, query_order, threads_per_block, result, compiled_by.

namespace gpuseq::exact_match {

inline constexpr std::string_view kTreeGpu = "tree_gpu", kTreeWordsGpu = "tree_words_gpu";

/// A point of a CUDA variant: what its kernel is compiled for, and what the host prepares for it.
struct MatchPoint {
  MatchPolicy policy;
  NodeOrder order = NodeOrder::breadth_first;
  bool sorted = false;  // threads take strands in the order of their first letters, else as they come
  bool ahead_of_time = false;
  // tree_words_gpu; a filter of more than min_length letters is to be made with so many instead
  u32 prefix_letters = 0, filter_letters = 0;
};

std::vector<Variant> cuda_variants();

/// @param variant  kTreeGpu or kTreeWordsGpu
/// @throws UsageError naming the CUDA variants if it is neither
SearchSpace match_space(std::string_view variant);
/// @param point  complete
MatchPoint match_point(std::string_view variant, const Point& point);

/// The entry of a policy's kernel, unique to the policy: "exact_match_global_plain_slots_l1_t128".
std::string kernel_name(const MatchPolicy& policy);
/// CUDA source with one extern "C" entry for each policy; its only parameter is a MatchArguments.
std::string kernel_text(std::span<const MatchPolicy> policies);
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();
/// The text of one kernel with the headers it includes, for NVRTC.
KernelSource kernel_source(const MatchPolicy& policy);
/// What nvcc compiles when the program is built: the variants' default points, and each memory.
std::vector<MatchPolicy> ahead_of_time_policies();
bool is_ahead_of_time(const MatchPolicy& policy);

/// Sources of the kernel of a point; none if nvcc has compiled it.
std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point);

}  // namespace gpuseq::exact_match
