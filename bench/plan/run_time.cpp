#include "bench/plan/run_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bench/plan/estimate.hpp"
#include "bench/plan/passes.hpp"
#include "bench/plan/problem_data.hpp"

namespace gpuseq::bench {
namespace {

// Seconds of one core, or of waiting for something else.
constexpr double kSlowestMachine = 2;  // an old processor compared with a usual one
constexpr double kStartS = 0.5;        // of a worker
constexpr double kPageS = 4;           // plots and page
constexpr double kUsualSetUpS = 0.02;  // of a state, whatever it is
constexpr double kCompileS = 0.5;      // of a GPU's kernel, where no cache has it
constexpr double kUsualEnergyS = 3, kCountS = 1;

constexpr double kGpuLaunchS = 0.002, kGpuCores = 300;  // a launch at least; cores as fast as a GPU
constexpr double kUsualShareOfLimit = 0.5;              // that finding a size and measuring at it take

}  // namespace

double sampling_s(double launch_s, const SamplingOptions& sampling) {
  const double all = launch_s * std::max(sampling.max_samples, sampling.fewest_samples);
  const double longest = std::max({sampling.max_seconds, sampling.min_seconds});
  const double fewest = std::min(launch_s * sampling.fewest_samples, sampling.six_samples_seconds);
  return std::max(std::min(all, longest), fewest) + launch_s * (1 + sampling.warmup);  // and the last one
}

/// Kernels of one problem on one device.
struct RunTime::Entered {
  Expected sum = {};
  std::size_t states = 0;
};

RunTime::RunTime(const SuiteConfig& config, double busy, int cpus)
    : config_(config), busy_(busy), cpus_(cpus), data_bytes_(data_bytes(config)) {}

Expected RunTime::core_seconds(double seconds) const {
  return {seconds, kSlowestMachine * busy_ * seconds};
}

/// Loading, preparing and checking, whose estimates are of a machine with two cores.
Expected RunTime::parallel_seconds(double seconds) const {
  constexpr int kOfEstimates = 2, kMost = 16;
  return core_seconds(seconds * kOfEstimates / std::clamp(cpus_, kOfEstimates, kMost));
}

/// The cost of a state by its family; nothing where it cannot tell.
std::optional<ProblemCost> RunTime::cost_of(const State& state) const {
  if (state.family == nullptr || state.kind == "tool") return std::nullopt;
  return state.family->problem_cost({state.key.point, state.key.problem, data_bytes_});
}

/// Limits for probes, and for states of unknown cost: a launch takes as long as the limits allow.
Expected RunTime::by_limits(const State& state) const {
  const SamplingOptions limits = sampling_of(state, config_.sampling);
  constexpr double kUsualShare = 0.3;  // of the limit, after which the interval is narrow
  const double usual = std::max(kUsualShare * limits.max_seconds, limits.min_seconds);
  if (state.kind == "probe") return {usual, busy_ * (std::max(limits.max_seconds, limits.min_seconds))};
  return {usual, std::max({limits.max_seconds, limits.min_seconds, limits.six_samples_seconds})};
}

Expected RunTime::sampling(const State& state, const std::optional<ProblemCost>& cost) const {
  if (state.kind == "probe" || !cost) return by_limits(state);
  const SamplingOptions limits = sampling_of(state, config_.sampling);
  const Point& point = state.key.point;
  const bool one_thread = point.has("threads") && point.at("threads") == AxisValue(std::int64_t{1});
  const double cores = one_thread ? 1 : cpus_;
  const bool gpu = state.variant->device == DeviceKind::cuda;
  const double launch = gpu ? std::max(kGpuLaunchS, cost->launch_s / kGpuCores) : cost->launch_s / cores;
  // The slowest variant on a busy machine, or a usual one on one that is old besides.
  const double longest =
      std::max(busy_ * cost->slowest_launch_s, core_seconds(cost->launch_s).most_s) / cores;
  return {sampling_s(launch, limits), sampling_s(longest, limits)};
}

/// Probes fill memory once for the footprints of a device.
Expected RunTime::filling(std::span<const State> probes) const {
  double seconds = 0;
  for (const State& state : probes)
    seconds += passes_of(state, config_.sampling) * sampling_of(state, config_.sampling).max_seconds;
  const double filling = std::max(0.0, estimated_s(probes, config_, cpus_) - seconds);
  constexpr double kUsual = 0.5;
  return {kUsual * filling, kSlowestMachine * busy_ * filling};
}

/// Time of all passes; at most all points are disturbed and measured again as often as possible, and every
/// curve that is refined has as many ranges as machines have levels.
Expected RunTime::of_probes(std::span<const State> probes, int repetitions) const {
  constexpr double kMorePasses = 2 + 2;               // where passes disagree; behind violated bounds
  constexpr double kUsuallyDisturbed = 0.2;           // of the points in each of the former
  constexpr double kRefined = 0.3, kMostRefined = 2;  // points where levels end, of the planned ones
  Expected time = filling(probes);
  for (const State& state : probes) {
    const double passes = passes_of(state, config_.sampling);
    const bool again = passes > 1;
    const bool refined = wants_refinement(config_, state.key.family);
    const Expected once = repetitions * of_state(state);
    const double usual = (passes + (again ? 2 * kUsuallyDisturbed : 0)) * (refined ? 1 + kRefined : 1);
    const double most = (passes + (again ? kMorePasses : 0)) * (refined ? 1 + kMostRefined : 1);
    time += {usual * once.typical_s, most * once.most_s};
  }
  return time;
}

/// The states measured again of one contest: the best, in the rounds of a race, and those that may be better.
Expected RunTime::again(const Entered& contest, int repetitions) const {
  const double objectives = static_cast<double>(config_.tune.objectives.size());
  const double all = static_cast<double>(contest.states);
  const double best = std::min(all, config_.tune.remeasure * objectives);
  const int rounds = config_.tune.remeasure > 0 ? config_.tune.rounds : 0;
  const double usual = std::min(rounds, kFewestRounds) * repetitions;
  const double winners = std::min(all, objectives);
  const Expected mean = (1 / all) * contest.sum;
  // At worst no candidate is dropped, the best of the sweep fall back one after the other, and
  // half of the others follow, whose rounds begin when those of the first are at their end.
  const double racers = std::max(best, static_cast<double>(kMostRacers) * objectives);
  const double most = std::min(all, racers + all / 2) * 2 * rounds * repetitions;
  Expected time{best * usual * mean.typical_s, most * mean.most_s};
  if (config_.counters == ExtraPass::winners) time += winners * (core_seconds(kCountS) + mean);
  if (config_.energy == ExtraPass::winners) time += winners * (core_seconds(kUsualEnergyS) + mean);
  return time;
}

/// The number of states that a search measures of a contest; all where there is none.
RunTime::Entered RunTime::tried_of(const Entered& contest) const {
  if (config_.tune.evaluations == 0) return contest;
  const std::size_t tried = std::min(contest.states, static_cast<std::size_t>(config_.tune.evaluations));
  return {(static_cast<double>(tried) / static_cast<double>(contest.states)) * contest.sum, tried};
}

/// The problem of a state, once.
Expected RunTime::loading(const State& state) const {
  if (state.kind == "probe") return {};
  const std::optional<ProblemCost> cost = cost_of(state);
  return cost ? parallel_seconds(cost->load_s) : Expected{1, config_.timeout_s};
}

Expected RunTime::of_kernels(std::span<const State> kernels, int repetitions) const {
  // The sweep loads each problem, measuring again and the winners once more: then from the cache.
  constexpr double kLoads = 1.5, kMostLoads = 3;
  Expected time;
  std::map<std::string, Entered> contests;
  std::set<std::string> loaded;
  for (const State& state : kernels) {
    const std::string problem = problem_key(state.key);
    const Expected once = repetitions * of_state(state);
    Entered& contest = contests[problem + state.key.device];
    contest.sum += once;
    ++contest.states;
    if (!loaded.insert(problem).second) continue;
    const Expected load = loading(state);
    time += {kLoads * load.typical_s, kMostLoads * load.most_s};
  }
  for (const auto& [name, contest] : contests) {
    const Entered tried = tried_of(contest);
    time += tried.sum;
    time += again(tried, repetitions);
  }
  return time;
}

Expected RunTime::of_state(const State& state) const {
  const std::optional<ProblemCost> cost = cost_of(state);
  Expected time = sampling(state, cost);
  time += core_seconds(kUsualSetUpS);
  if (cost) time += parallel_seconds(cost->prepare_s + cost->verify_s);
  if (state.kind == "probe") return time;
  if (state.variant->sources) time += core_seconds(kCompileS);
  if (config_.energy == ExtraPass::all) time += core_seconds(kUsualEnergyS);
  if (config_.counters == ExtraPass::all) time += core_seconds(kCountS);
  return time;
}

Expected RunTime::of_run(const Sweep& sweep, int repetitions) const {
  Expected time = core_seconds(kStartS + kPageS);
  time += of_probes(sweep.probes, repetitions);
  time += of_probes(sweep.needed.states, repetitions);
  time += of_kernels(sweep.kernels, repetitions);
  for (const State& control : sweep.controls) time += loading(control) + repetitions * of_state(control);
  // Problems whose size the run finds end at their limit.
  const double sized_s = static_cast<double>(sweep.sized.size()) * kSecondsOfASize;
  time += {kUsualShareOfLimit * sized_s, busy_ * sized_s};
  return time;
}

double busy_now() {
  double waiting = 0;  // and running, in the last minute
  if (getloadavg(&waiting, 1) != 1) return RunTime::kBusy;
  return std::max(RunTime::kBusy, 1 + waiting / available_cpus());
}

}  // namespace gpuseq::bench
