#include "bench/plan/sizes/size_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpuseq::bench {
namespace {

using results::SizeCurve;
using results::SizedProblem;

/// A sentence may begin with it.
std::string device_text(const SizeCurve& curve, bool first = false) {
  return curve.device == "cpu" ? (first ? "The CPU" : "the CPU") : curve.device;
}

/// Empty where it is not known.
std::string half_size_sentence(const SizeCurve& curve, const std::string& noun) {
  const std::string name = device_text(curve);
  const Maybe<results::HalfSize> half = results::half_size(curve);
  if (!half.value) return "";
  if (half.value->below)
    return fmt::format("n_1/2 of {} is below {} {}: so few already reach {:.0f} % of its rate.", name,
                       size_text(half.value->high), noun,
                       100 * std::min(1.0, curve.points.front().rate / half.value->rate));
  return fmt::format("n_1/2 of {} is {} {} (between {} and {}): so many reach half of its rate.", name,
                     size_text(half.value->size), noun, size_text(half.value->low),
                     size_text(half.value->high));
}

/// The sizes that both have, or whose rate is known.
std::string comparison_sentence(const SizeCurve& gpu, const SizeCurve& cpu, const std::string& noun) {
  if (const auto at = results::crossing(gpu, cpu))
    return fmt::format("Below {} {} per launch {} is faster than {}, above {} is (measured at {} and {}).",
                       size_text(at->size), noun, device_text(cpu), device_text(gpu), device_text(gpu),
                       size_text(static_cast<double>(at->low)), size_text(static_cast<double>(at->high)));
  const bool gpu_ahead = gpu.points.back().rate > cpu.points.back().rate;
  const SizeCurve &ahead = gpu_ahead ? gpu : cpu, &behind = gpu_ahead ? cpu : gpu;
  return fmt::format("{} is faster than {} {}.", device_text(ahead, true), device_text(behind),
                     gpu_ahead ? fmt::format("from {} {} per launch on",
                                             size_text(static_cast<double>(gpu.points.front().size)), noun)
                               : fmt::format("up to {} {} per launch, the largest measured size",
                                             size_text(static_cast<double>(gpu.points.back().size)), noun));
}

}  // namespace

std::string size_text(double size) {
  if (size < 1) return fmt::format("{:.2g}", size);
  const double digit = std::pow(10, std::max(0.0, std::floor(std::log10(size)) - 1));
  std::string digits = fmt::format("{:.0f}", std::round(size / digit) * digit);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

std::vector<std::string> size_sentences(const SizedProblem& problem) {
  std::vector<std::string> sentences;
  for (const auto& [gpu, cpu] : results::rivals(problem))
    sentences.push_back(comparison_sentence(*gpu, *cpu, problem.noun));
  for (const SizeCurve& curve : problem.curves)
    if (std::string sentence = half_size_sentence(curve, problem.noun); !sentence.empty())
      sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace gpuseq::bench
