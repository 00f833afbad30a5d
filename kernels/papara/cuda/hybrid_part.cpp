#include <algorithm>
#include <optional>

#include "kernels/common/raised_cost.hpp"
#include "kernels/papara/cuda/scorer.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"

// The GPU part of `hybrid`: the axes of the CUDA variants with a prefix, and the scorer of such a point.

namespace gpuseq::papara {
namespace {

const std::string kPrefix = "gpu_", kVariant = "gpu_variant", kAuto = "auto";

struct Choice {
  Scheme scheme;
  SearchSpace space;
};

/// CUDA variants in order of preference, used unless the point or the problem selects another.
const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = [] {
    std::vector<Choice> made;
    for (const Scheme scheme : {Scheme::blocked_registers, Scheme::blocked_shared, Scheme::row_wise_global})
      made.push_back({scheme, score_space(scheme)});
    return made;
  }();
  return all;
}

bool is_auto(const AxisValue& value) {
  return value == AxisValue(kAuto);
}

/// `hybrid` itself sets the axes of launch sizes.
bool is_of_launches(const Axis& axis) {
  return static_cast<bool>(axis.accepts);
}

void add_values(std::vector<AxisValue>& values, const std::vector<AxisValue>& more) {
  for (const AxisValue& value : more)
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<Axis> prefixed_axes() {
  std::vector<Axis> axes{
      listed_axis(kVariant, {kAuto}, kAuto,
                  "CUDA variant on the GPUs; auto: chosen by the longest query and the L2 size")};
  for (const Choice& choice : choices()) {
    axes.front().values.emplace_back(std::string(scheme_word(choice.scheme)));
    for (const Axis& axis : choice.space.axes()) {
      if (is_of_launches(axis)) continue;
      auto found = std::find_if(axes.begin(), axes.end(),
                                [&](const Axis& other) { return other.name == kPrefix + axis.name; });
      if (found == axes.end())
        found = axes.insert(axes.end(), listed_axis(kPrefix + axis.name, {kAuto}, kAuto,
                                                    axis.meaning + "; auto: the variant's default"));
      add_values(found->values, axis.values);
    }
  }
  return axes;
}

/// The complete point of a CUDA variant; nullopt if the variant lacks these values.
std::optional<Point> point_of(const Choice& choice, const Point& hybrid) {
  const std::string& variant = hybrid.word(kVariant);
  if (variant != kAuto && variant != scheme_word(choice.scheme)) return std::nullopt;
  for (const auto& [axis, value] : hybrid.values())
    if (axis.starts_with(kPrefix) && axis != kVariant && !is_auto(value) &&
        choice.space.find(axis.substr(kPrefix.size())) == nullptr)
      return std::nullopt;
  Point point;
  for (const Axis& axis : choice.space.axes())
    if (!is_of_launches(axis) && !is_auto(hybrid.at(kPrefix + axis.name)))
      point.set(axis.name, hybrid.at(kPrefix + axis.name));
  try {
    return choice.space.complete(point);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

bool has_point(const Point& hybrid) {
  return std::ranges::any_of(choices(),
                             [&](const Choice& choice) { return point_of(choice, hybrid).has_value(); });
}

/// A row in shared memory leaves registers for more threads, which hide the latency of columns between blocks
/// that are not in the L2. On an H200, queries of 150 bases are faster in registers, those of 483 bases
/// slower.
Scheme usual_scheme(const PaparaProblem& problem, cuda::CudaDevice& device) {
  const auto shared =
      static_cast<std::size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  const u32 longest = problem.queries().longest;
  const bool near =
      borders_fit(shared, longest) ||
      borders_fit(device.l2_bytes() / static_cast<std::size_t>(device.multiprocessors()), longest);
  return near ? Scheme::blocked_registers : Scheme::blocked_shared;
}

/// @param usual  the preferred scheme
std::pair<Scheme, Point> chosen(const Point& hybrid, Scheme usual) {
  std::optional<std::pair<Scheme, Point>> found;
  for (const Choice& choice : choices())
    if (!found || choice.scheme == usual)
      if (auto point = point_of(choice, hybrid)) found = {choice.scheme, std::move(*point)};
  if (!found) throw ResourceError("no CUDA variant has this point");
  return *found;
}

/// Exact for scores that do not fit the default arithmetic.
const AxisValue kWide = std::string("s32");

std::unique_ptr<CudaScorer> make_scorer(const PaparaProblem& problem, const Point& hybrid, Device& device) {
  cuda::CudaDevice& gpu = cuda::cuda_device(device);
  const Alphabet alphabet = problem.references().alphabet;
  auto [scheme, point] = chosen(hybrid, usual_scheme(problem, gpu));
  try {
    return std::make_unique<GpuScorer>(problem, score_point(scheme, point, alphabet), gpu);
  } catch (const DoesNotFit&) {
    throw;
  } catch (const ResourceError&) {
    if (!is_auto(hybrid.at(kPrefix + "arithmetic"))) throw;
  }
  point.set("arithmetic", kWide);
  return std::make_unique<GpuScorer>(problem, score_point(scheme, point, alphabet), gpu);
}

/// The maximum over all schemes and arithmetics that a problem may use.
Cost most_cost(const Point& hybrid, const OutlinedSizes& sizes) {
  Cost most{.work = {.amount = sizes.cells, .unit = "cells"},
            .held = {},
            .traffic = std::nullopt,
            .instructions = Instructions(),
            .why_no_bound = {}};
  for (const Choice& choice : choices()) {
    std::optional<Point> point = point_of(choice, hybrid);
    if (!point) continue;
    raise_to(most, score_cost(score_point(choice.scheme, *point, sizes.alphabet), sizes));
    if (!is_auto(hybrid.at(kPrefix + "arithmetic"))) continue;
    point->set("arithmetic", kWide);
    raise_to(most, score_cost(score_point(choice.scheme, *point, sizes.alphabet), sizes));
  }
  return most;
}

}  // namespace

CudaPart cuda_part() {
  return {
      .axes = prefixed_axes(),
      .constraints = {{"gpu_point",
                       "no CUDA variant, or not the one of gpu_variant, has these values of the gpu_ axes",
                       has_point}},
      .make_scorer = make_scorer,
      .cost = most_cost};
}

}  // namespace gpuseq::papara
