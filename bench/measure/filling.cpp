#include "bench/measure/filling.hpp"

#include <fmt/format.h>

#include "results/size_curve.hpp"

namespace gpuseq::bench {
namespace {

using results::Filling;
using results::Record;

constexpr const char* kNoCurve = "its rate was not measured over size";

/// Judged by a single launch.
Filling filling_of_launch(const Record& record, const nlohmann::json& device) {
  constexpr double kShortS = 1e-4;  // start-up takes some microseconds, and blocks end at different times
  if (record.state.device == "cpu") return {std::nullopt, kNoCurve};
  if (record.statistics->median_s < kShortS)
    return {false, fmt::format("a launch takes {:.2g} us only", 1e6 * record.statistics->median_s)};
  const int multiprocessors = device.value("multiprocessors", 0);
  const int threads_each = device.value("threads_per_multiprocessor", 0);
  if (!record.resources || record.resources->blocks <= 0 || multiprocessors * threads_each == 0)
    return {std::nullopt, kNoCurve};
  const double threads = static_cast<double>(record.resources->blocks) * record.resources->threads_per_block;
  const double resident = record.resources->occupancy * multiprocessors * threads_each;
  const std::string counts =
      fmt::format("{:.0f} threads, of which {:.0f} can be resident", threads, resident);
  if (threads < resident) return {false, counts};
  return {std::nullopt, fmt::format("{}; {}", kNoCurve, counts)};
}

}  // namespace

std::optional<Filling> filling_of(const Record& record, std::span<const Record> on_the_way,
                                  const nlohmann::json& device, const std::string& ended_by) {
  if (record.kind != "kernel" || record.status != results::Status::ok || record.phase == "size" ||
      !record.statistics)
    return std::nullopt;
  if (record.size)
    for (const results::SizedProblem& problem : results::sized_problems(on_the_way)) {
      if (problem.family != record.state.family || problem.fixed != results::without_size(record)) continue;
      for (const results::SizeCurve& curve : problem.curves) {
        if (curve.device != record.state.device) continue;
        Filling filling = results::filling_at(curve, record.size->value, problem.noun);
        if (filling.fills != true && !ended_by.empty()) filling.reason += "; limited by " + ended_by;
        return filling;
      }
    }
  return filling_of_launch(record, device);
}

}  // namespace gpuseq::bench
