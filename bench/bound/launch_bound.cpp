#include "bench/bound/launch_bound.hpp"

#include <fmt/format.h>

namespace gpuseq::bench {

using results::Bound;
using results::Record;

std::vector<LaunchTime> launch_times_of(std::span<const Record> records) {
  std::vector<LaunchTime> times;
  for (const Record& record : records)
    if (record.kind == "probe" && record.state.family == "launch" && record.status == results::Status::ok &&
        record.statistics)
      times.push_back({record.state.device, record.statistics->min_s});
  return times;
}

Maybe<Bound> launch_bound_of(const Record& record, std::span<const LaunchTime> launches) {
  double seconds = 0;
  for (const LaunchTime& launch : launches)
    if (launch.device == record.state.device && (seconds == 0 || launch.seconds < seconds))
      seconds = launch.seconds;
  if (!(seconds > 0) || !(record.work.amount > 0)) return {};
  const double rate = record.work.amount / seconds;
  return {Bound{.rate = rate,
                .bound_by = std::string(word(BindingResource::launch)),
                .explanation = fmt::format("an empty launch takes {:.3g} us, this one {:.3g} us",
                                           1e6 * seconds, 1e6 * record.statistics->median_s),
                .fraction = record.statistics->rate / rate},
          {}};
}

bool is_short(const Record& record, const Bound& launch) {
  constexpr double kFewLaunches = 4;
  return record.statistics->rate * kFewLaunches >= launch.rate;
}

Bound of_used_multiprocessors(Bound execution, const Record& record, const DeviceLimits& limits) {
  if (!record.resources || limits.multiprocessors == 0) return execution;
  const double used = static_cast<double>(record.resources->blocks) / limits.multiprocessors;
  if (!(used > 0) || used >= 1) return execution;
  execution.explanation =
      fmt::format("{} blocks on as many of {} multiprocessors, of all of which: {}", record.resources->blocks,
                  limits.multiprocessors, execution.explanation);
  execution.rate *= used;
  execution.fraction /= used;
  execution.bound_by = word(BindingResource::launch);
  return execution;
}

}  // namespace gpuseq::bench
