#include "bench/bound/instruction_bound.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/bound/curves.hpp"
#include "probes/instruction_operations.hpp"
#include "runtime/contract/binding_resource.hpp"

namespace gpuseq::bench {
namespace {

using Rates = std::map<std::string, double>;  // by operation or pair, the best of its probes

/// The rates for a state. On the CPU an operation needs a probe with as many threads; those with fewer
/// threads count, too, as more threads are at least as fast.
Rates rates_for(const results::StateKey& state, const std::string& target,
                std::span<const Throughput> throughputs, int all_threads) {
  const bool cpu = kind_of_device(state.device) == DeviceKind::cpu;
  const std::int64_t threads = threads_of(state.point, all_threads);
  Rates rates;
  std::set<std::string> as_many;
  for (const Throughput& found : throughputs) {
    if (found.device != state.device || (cpu && found.target != target)) continue;
    const std::int64_t probed = found.threads == 0 ? all_threads : found.threads;
    if (!cpu || probed == threads) as_many.insert(found.operation);
    if (!cpu || probed <= threads) rates[found.operation] = std::max(rates[found.operation], found.rate);
  }
  std::erase_if(rates, [&](const auto& rate) { return !as_many.contains(rate.first); });
  return rates;
}

/// An operation of a state, its executions per launch and its highest rate.
struct Demand {
  std::string operation;
  double count = 0, rate = 0;
};
using Demands = std::vector<Demand>;

/// Demands on the same resource, and the time to serve them.
struct InstructionBound {
  BindingResource binding = BindingResource::issue;
  std::string of;  // "alu pipe"
  Demands demands;
  double rate = 0, seconds = 0;
};

InstructionBound bound_of(BindingResource binding, std::string of, Demands demands, double rate) {
  double count = 0;
  for (const Demand& demand : demands) count += demand.count;
  return {binding, std::move(of), std::move(demands), rate, count / rate};
}

/// The slowest of a pipe's bounds: by its slowest operation, its two slowest and so on.
InstructionBound bound_of_pipe(const std::string& pipe, Demands demands, const Rates& rates) {
  std::sort(demands.begin(), demands.end(), [](const Demand& a, const Demand& b) { return a.rate < b.rate; });
  InstructionBound slowest;
  for (std::size_t n = 1; n <= demands.size(); ++n) {
    const Demands some(demands.begin(), demands.begin() + static_cast<std::ptrdiff_t>(n));
    double rate = some.back().rate;
    for (const Demand& a : some)
      for (const Demand& b : some)
        if (const auto pair = rates.find(a.operation + "+" + b.operation); pair != rates.end())
          rate = std::max(rate, pair->second);
    InstructionBound bound = bound_of(gpuseq::bound_of_pipe(pipe), pipe + " pipe", some, rate);
    if (bound.seconds > slowest.seconds) slowest = std::move(bound);
  }
  return slowest;
}

/// All instructions over the highest issue rate; no time if that rate was not probed.
InstructionBound bound_of_issue(const Demands& demands, const Rates& rates, DeviceKind kind) {
  const std::vector<std::string> filling = probes::operations_that_fill_issue_slots(kind);
  const auto probed = [&](const std::string& name) { return rates.contains(name); };
  if (filling.empty() || !std::ranges::all_of(filling, probed)) return {};
  double highest = 0;
  for (const auto& [name, rate] : rates) highest = std::max(highest, rate);
  return bound_of(BindingResource::issue, "issue slots", demands, highest);
}

std::string explanation_of(const InstructionBound& bound, const Work& work, DeviceKind kind) {
  std::vector<std::string> counts;
  for (const Demand& demand : bound.demands)
    counts.push_back(fmt::format("{:.4g} {}", 100 * demand.count / work.amount, demand.operation));
  return fmt::format("{} per 100 {} over {:.3g} {}/s of the {}", fmt::join(counts, " + "), work.unit,
                     bound.rate, kind == DeviceKind::cpu ? "vector instructions" : "lane operations",
                     bound.of);
}

/// The state on one of the devices that share its work.
results::StateKey state_on(const std::string& device, results::StateKey state) {
  state.device = device;
  if (device == "cpu") state.point.set("threads", std::int64_t{0});
  return state;
}

Maybe<results::Bound> shared_bound_of(const results::StateKey& state, const Work& work,
                                      const Instructions& instructions, double rate,
                                      std::span<const Throughput> throughputs, int all_threads) {
  results::Bound together;
  double fastest = 0;
  std::vector<std::string> explanations;
  for (const auto& [device, operations, target] : instructions.by_device) {
    Maybe<results::Bound> alone = instruction_bound_of(state_on(device, state), work, {operations, target},
                                                       rate, throughputs, all_threads);
    if (!alone.value) return alone;
    together.rate += alone.value->rate;
    if (alone.value->rate > fastest) together.bound_by = alone.value->bound_by;
    fastest = std::max(fastest, alone.value->rate);
    explanations.push_back(
        fmt::format("{} {:.3g} {}/s: {}", device, alone.value->rate, work.unit, alone.value->explanation));
  }
  together.fraction = rate / together.rate;
  together.explanation = fmt::format("together {}", fmt::join(explanations, ", and "));
  return {together, {}};
}

}  // namespace

std::vector<Throughput> throughputs_of(std::span<const results::Record> records) {
  std::vector<Throughput> all;
  for (const results::Record& record : records) {
    const Point& point = record.state.point;
    if (record.kind != "probe" || record.state.family != "instruction_throughput" || !point.has("operation"))
      continue;
    if (record.status != results::Status::ok || !record.statistics || !(record.work.amount > 0)) continue;
    all.push_back({.device = record.state.device,
                   .operation = point.word("operation"),
                   .target = point.has("target") ? point.word("target") : "",
                   .threads = point.has("threads") ? point.integer("threads") : 1,
                   .rate = record.work.amount / record.statistics->min_s});
  }
  return all;
}

Maybe<results::Bound> instruction_bound_of(const results::StateKey& state, const Work& work,
                                           const Instructions& instructions, double rate,
                                           std::span<const Throughput> throughputs, int all_threads) {
  if (!instructions.by_device.empty())
    return shared_bound_of(state, work, instructions, rate, throughputs, all_threads);
  const DeviceKind kind = kind_of_device(state.device);
  const bool cpu = kind == DeviceKind::cpu;
  const Rates rates = rates_for(state, instructions.target, throughputs, all_threads);
  if (rates.empty())
    return {std::nullopt, fmt::format("no instruction_throughput probe{} ran on {}",
                                      cpu ? fmt::format(" of {} on {} threads", instructions.target,
                                                        threads_of(state.point, all_threads))
                                          : "",
                                      state.device)};
  std::map<std::string, Demands> pipes;
  Demands all;
  for (const auto& [name, count] : instructions.operations) {
    if (!(count > 0)) continue;
    const probes::Operation* operation = probes::find_operation(kind, name);
    const auto probed = rates.find(name);
    if (operation == nullptr || probed == rates.end())
      return {std::nullopt, fmt::format("the probe instruction_throughput did not measure {}", name)};
    all.push_back({name, count, probed->second});
    pipes[operation->pipe].push_back(all.back());
  }
  if (all.empty() || !(work.amount > 0)) return {std::nullopt, "the state counts no instructions"};
  InstructionBound slowest = bound_of_issue(all, rates, kind);
  for (const auto& [pipe, demands] : pipes)
    if (InstructionBound bound = bound_of_pipe(pipe, demands, rates); bound.seconds >= slowest.seconds)
      slowest = std::move(bound);
  results::Bound bound;
  bound.rate = work.amount / slowest.seconds;
  bound.bound_by = word(slowest.binding);
  bound.explanation = explanation_of(slowest, work, kind);
  bound.fraction = rate / bound.rate;
  return {bound, {}};
}

}  // namespace gpuseq::bench
