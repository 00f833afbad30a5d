#include "bench/size/size_cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/contract/growth.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::Status;

double sampled_s(const Record& record) {
  return record.launches_per_sample * std::accumulate(record.samples_s.begin(), record.samples_s.end(), 0.0) +
         (record.single_launch ? std::accumulate(record.single_launch->samples_s.begin(),
                                                 record.single_launch->samples_s.end(), 0.0)
                               : 0);
}

double compiled_s(const Record& record) {
  return record.resources ? record.resources->compile_s : 0;
}

/// All but samples and compiling.
double beside_s(const Record& record) {
  return std::max(0.0, record.took_s - sampled_s(record) - compiled_s(record));
}

/// The launches of a state that takes so long for one: checked, warm-up, samples.
double launches_s(double launch_s, const SamplingOptions& sampling) {
  constexpr int kSix = 6;
  const double six_s = std::min(kSix, sampling.max_samples) * launch_s;
  return (1 + sampling.warmup) * launch_s +
         std::max(std::min(sampling.max_seconds, sampling.max_samples * launch_s),
                  std::min(six_s, std::max(sampling.six_samples_seconds, launch_s)));
}

}  // namespace

SizeCost::SizeCost(const SizedStates& problem, std::span<const Record* const> taken,
                   const SuiteConfig& config, const std::map<std::string, std::uint64_t>& data_bytes)
    : problem_(problem), taken_(taken), config_(config), data_bytes_(data_bytes) {
  for (const Record* record : taken) {
    if (record->status != Status::ok) continue;
    const std::int64_t size = record->size->value;
    last_size_ = std::max(last_size_, size);
    Own& own = own_[record->state.device];
    own.compile_s = std::max(own.compile_s, compiled_s(*record));
    // The first record of a size has the loading in it. Where there is one only, an earlier size says more.
    const double grown =
        own.size > 0 ? own.seconds * std::max(1.0, more_preparing(own.size, size)) : INFINITY;
    own.seconds = std::min(grown, beside_s(*record));
    own.size = size;
  }
}

std::optional<Effort> SizeCost::effort_at(std::int64_t size) const {
  const State& any = problem_.front();
  const auto* family = dynamic_cast<const EstimatedFamily*>(any.family);
  if (family == nullptr) return std::nullopt;
  Point problem = any.key.problem;
  problem.set(any.growth->axis, size);
  return family->effort({any.key.point, problem, data_bytes_});
}

double SizeCost::more_work(std::int64_t from, std::int64_t to) const {
  return std::pow(static_cast<double>(to) / static_cast<double>(from), problem_.front().growth->power);
}

double SizeCost::more_loading(std::int64_t from, std::int64_t to) const {
  const std::optional<Effort> before = effort_at(from), after = effort_at(to);
  return before && before->load_s > 0 ? after->load_s / before->load_s : more_work(from, to);
}

double SizeCost::more_preparing(std::int64_t from, std::int64_t to) const {
  const std::optional<Effort> before = effort_at(from), after = effort_at(to);
  const double was = before ? before->prepare_s + before->verify_s : 0;
  return was > 0 ? (after->prepare_s + after->verify_s) / was : more_work(from, to);
}

double SizeCost::spent_s() const {
  double seconds = 0;
  for (const Record* record : taken_) seconds += record->took_s;
  return seconds;
}

/// What the records of the last size took more than each its own, and as much more as loading grows.
double SizeCost::load_s(std::int64_t size) const {
  double seconds = 0;
  for (const Record* record : taken_)
    if (record->status == Status::ok && record->size->value == last_size_)
      seconds += beside_s(*record) - own_.at(record->state.device).seconds;
  return std::max(0.0, seconds) * more_loading(last_size_, size);
}

const Record* SizeCost::last_of(const State& state) const {
  const auto found = std::find_if(taken_.rbegin(), taken_.rend(), [&](const Record* record) {
    return record->state.device == state.key.device && record->state.variant == state.key.variant &&
           record->status == Status::ok && record->statistics;
  });
  return found == taken_.rend() ? nullptr : *found;
}

double SizeCost::own_compile_s(const std::string& device) const {
  const auto found = own_.find(device);
  return found == own_.end() ? 0 : found->second.compile_s;
}

bool SizeCost::is_compiled(const State& state) const {
  return std::ranges::any_of(taken_, [&](const Record* record) {
    return record->state.device == state.key.device && record->state.variant == state.key.variant &&
           record->state.point == state.key.point;
  });
}

double SizeCost::state_s(const State& state, std::int64_t size) const {
  const Record* last = last_of(state);
  if (last == nullptr) return 0;
  const Own& own = own_.at(state.key.device);
  return own.seconds * more_preparing(own.size, size) + (is_compiled(state) ? 0 : own.compile_s) +
         launches_s(last->statistics->median_s * more_work(last->size->value, size), config_.sampling);
}

double SizeCost::step_s(std::span<const State> states, std::int64_t size) const {
  if (last_size_ == 0) return 0;  // nothing ran
  double seconds = load_s(size);
  for (const State& state : states) seconds += state_s(state, size);
  return seconds;
}

double SizeCost::sweep_s(std::int64_t size) const {
  double seconds = step_s(problem_, size);
  std::map<std::string, double> best;  // by device
  for (const State& state : problem_) {
    const double state_seconds =
        state_s(state, size) - (is_compiled(state) ? 0 : own_compile_s(state.key.device));
    const auto [place, is_new] = best.emplace(state.key.device, state_seconds);
    if (!is_new && state_seconds > 0) place->second = std::min(place->second, state_seconds);
  }
  const int again = config_.tune.remeasure * config_.tune.rounds;
  for (const auto& [device, state_seconds] : best) seconds += again * state_seconds;
  return again > 0 && last_size_ > 0 ? seconds + load_s(size) : seconds;
}

}  // namespace gpuseq::bench
