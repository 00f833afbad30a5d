#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/profile_hmm/cuda/filter_policy.cuh"

namespace gpuseq::profile_hmm {

/// CUDA variants. video_warp is of the paper's design: a warp a sequence, video instructions; what else of
/// its kernel is as published is told by axes (README.md, "The published kernel").
enum class Mapping : u32 { video_warp, lane_groups };

/// A point of a CUDA variant before model and filter are known.
struct FilterPoint {
  Mapping mapping = Mapping::lane_groups;
  Point point;  // complete
  bool constant_words = true;
  bool sorted = true;
  bool ahead_of_time = false;
};

/// Axes and constraints of a variant.
SearchSpace filter_space(Mapping mapping);
/// The axes of video_warp by which its kernel is as published or better, as published.
Point published_parts();
/// Takes them from a complete point.
void take_parts(Policy& policy, const Point& point);
/// @param point  complete
FilterPoint filter_point(Mapping mapping, const Point& point);

/// What a policy is chosen for.
struct FilterShape {
  Filter filter = Filter::ssv;
  u32 model_length = 0;
  bool words_exact = true;               // whether s16x2 holds what Viterbi needs
  std::size_t shared_bytes = 227 << 10;  // a block's at most
};
/// The policy of a point for a filter and model, with `auto` decided.
/// @throws ResourceError if the point cannot do this filter or model, with the reason
Policy choose_policy(const FilterPoint& at, const FilterShape& shape);
/// Words of a lane for a policy: constant or not.
u32 words_of(const Policy& policy, u32 model_length);
/// What scores the sequences that a policy leaves: with J where MSV did not follow it, in words that saturate
/// where Viterbi's sums may leave 16 bits; nullopt: it leaves none.
std::optional<Policy> second_policy(const Policy& first, const FilterShape& shape);

/// Lane operations for a word of cells at least, by the names of the probe instruction_throughput.
std::map<std::string, double> instructions_per_word(const Policy& policy);
/// The same for a row, by every lane.
std::map<std::string, double> instructions_per_row(const Policy& policy);
/// The same of a launch. @param words  of a lane's row
Instructions instructions_of(const Policy& policy, u32 words, double residues);

/// What names and makes the kernel of a policy.
const TunedKernel<Policy>& filter_kernels();
/// The text of the kernels that are compiled ahead of time: those that learn the number of words when they
/// run.
std::string ahead_of_time_text();
/// The device sources by the names that they are included by; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::profile_hmm
