#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/profile_hmm/cuda/filter_policy.cuh"

namespace gpuseq::profile_hmm {

/// CUDA variants. video_warp has the paper's design: a warp per sequence and video instructions. Its axes
/// select which other parts of the kernel are as published (README.md, "The published kernel").
enum class Mapping : u32 { video_warp, lane_groups };

/// A point of a CUDA variant before model and filter are known.
struct FilterPoint {
  Mapping mapping = Mapping::lane_groups;
  Point point;  // complete
  bool constant_words = true;
  bool sorted = true;
  bool ahead_of_time = false;
};

/// Axes and constraints of a variant. @param more  axes, after the others
SearchSpace filter_space(Mapping mapping, std::vector<Axis> more = {});
/// The axes of video_warp that select published or improved parts, with the published values.
Point published_parts();
/// Sets these parts from a complete point.
void take_parts(Policy& policy, const Point& point);
/// @param point  complete
FilterPoint filter_point(Mapping mapping, const Point& point);

/// Input of choose_policy().
struct FilterShape {
  Filter filter = Filter::ssv;
  u32 model_length = 0;
  bool words_exact = true;               // whether Viterbi's values fit s16x2
  std::size_t shared_bytes = 227 << 10;  // most per block
};
/// The policy of a point for a filter and model, with `auto` resolved.
/// @throws ResourceError with the reason if the point does not support this filter or model
Policy choose_policy(const FilterPoint& at, const FilterShape& shape);
/// Words per lane for a policy, constant or not.
u32 words_of(const Policy& policy, u32 model_length);
/// The policy that scores the sequences that `first` leaves unscored: with J if MSV did not follow J, in
/// saturating words if Viterbi's sums may leave 16 bits; nullopt if it leaves none.
std::optional<Policy> second_policy(const Policy& first, const FilterShape& shape);

/// The least number of lane operations per word of cells, by the names of the probe instruction_throughput.
std::map<std::string, double> instructions_per_word(const Policy& policy);
/// The least number per row, in every lane.
std::map<std::string, double> instructions_per_row(const Policy& policy);
/// The least number per launch. @param words  of a lane's row
Instructions instructions_of(const Policy& policy, u32 words, double residues);

/// Names and compiles the kernels of policies.
const TunedKernel<Policy>& filter_kernels();
/// The source of the kernels that are compiled ahead of time, which read the number of words at run time.
std::string ahead_of_time_text();
/// The device sources by include path; cmake/device_sources.cmake defines it.
std::map<std::string, std::string> device_headers();

}  // namespace gpuseq::profile_hmm
