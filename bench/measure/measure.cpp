#include "bench/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "bench/config/problem_files.hpp"
#include "bench/config/provenance.hpp"
#include "bench/measure/nvtx.hpp"
#include "bench/measure/sampler.hpp"
#include "bench/plan/passes.hpp"
#include "results/obstacles.hpp"
#include "results/reading/readable_record.hpp"
#include "results/statistics/statistics.hpp"
#include "runtime/system/child_process.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using results::Record;
using results::Status;

constexpr double kEnergySeconds = 2.0;  // NVML's counter moves every 100 ms, and is read when it moves

void fail(Record& record, Status status, std::string kind, std::string reason) {
  record.status = status;
  if (reason.empty()) reason = "no reason was given";
  record.failure = results::Failure{std::move(kind), std::move(reason)};
}

/// Notes that a config was written for another device.
void note_unexpected_device(Record& record, const std::string& expected, const Device& device,
                            const nlohmann::json& description) {
  if (expected.empty() || device.kind() == DeviceKind::cpu) return;
  const std::string name = description.contains("name") && description["name"].is_string()
                               ? description["name"].get<std::string>()
                               : "";
  if (name.find(expected) == std::string::npos)
    record.notes.push_back(fmt::format("the config expects a device named {}; this is {}", expected, name));
}

/// Notes that there are too few samples for an interval of 95 %.
/// @param sampling  of the state
/// @param passes  over which the state's samples are distributed
/// @param in_budget  the state has a share of a budget
void note_few_samples(Record& record, const SamplingOptions& sampling, int passes, bool in_budget) {
  const std::size_t count = record.samples_s.size();
  if (count >= results::kFewestSamples) return;
  record.notes.push_back(
      fmt::format("{} {}: {}", count, count == 1 ? "sample" : "samples",
                  passes > 1 ? fmt::format("{} passes share the limits that the config gives a state", passes)
                  : record.statistics->stopped_by == "time limit"
                      ? fmt::format("six take more than the {:.3g} s that the {} gives them",
                                    sampling.six_samples_seconds, in_budget ? "budget" : "config")
                      : "the config allows no more"));
}

/// @throws DoesNotFit if a state needs more memory than the config allows the device
void require_held(const HeldMemory& held, const std::optional<std::uint64_t>& device_memory,
                  const std::string& device) {
  if (device_memory && held.bytes() > *device_memory)
    throw DoesNotFit(
        fmt::format("it holds {} bytes; {} acts as if it had {}", held.bytes(), device, *device_memory));
}

}  // namespace

Measurer::Measurer(const SuiteConfig& config, nlohmann::json run_provenance, OpenDevice open,
                   std::function<void(const std::string&)> alive)
    : config_(config),
      run_provenance_(std::move(run_provenance)),
      open_(std::move(open)),
      alive_(std::move(alive)),
      files_(config, {}) {}

void Measurer::hold_to(DataContents begun, results::ProblemHashes hashes) {
  files_ = DataWatch(config_, std::move(begun));
  hashes_ = std::move(hashes);
}

void Measurer::check_files(const State& state) {
  try {
    files_.check(state.key.problem);
  } catch (const UsageError& error) {
    throw DataError(error.what());
  }
}

Measurer::OpenedDevice& Measurer::opened(const std::string& id) {
  OpenedDevice& entry = devices_[id];
  if (!entry.device) {
    entry.device = open_(id);
    if (config_.device_memory) entry.device->limit_memory(*config_.device_memory);
    entry.description = entry.device->describe();
    entry.identity = device_identity(entry.description);
  }
  return entry;
}

const nlohmann::json& Measurer::describe(const std::string& device) {
  return opened(device).description;
}

Problem& Measurer::problem_of(const State& state) {
  const std::string key = state.key.family + "/" + state.key.problem.to_string();
  if (problem_ && key == problem_key_) return *problem_;
  session_.reset();
  problem_.reset();
  session_key_.clear();
  alive_(kLoadStage);
  ProblemSpec spec{
      .point = state.key.problem, .files = {}, .seed = config_.seed, .cache_dir = config_.cache_dir};
  try {
    check_files(state);
    spec.files = files_for(state.key.problem, config_, unpacked_);
    std::unique_ptr<Problem> loaded = state.family->load(spec);
    check_files(state);  // they may have been written while they were read
    if (state.kind != "probe")
      hashes_.check(state.key, loaded->hash(), data_as_it_is(state.key.problem, config_));
    problem_ = std::move(loaded);
  } catch (const UsageError& error) {
    throw DataError(error.what());
  }
  problem_key_ = key;
  return *problem_;
}

Session& Measurer::session_of(const State& state, Device& device) {
  Problem& problem = problem_of(state);
  const std::string key = state.key.to_string();
  if (session_ && key == session_key_) return *session_;
  session_.reset();  // frees its memory first: two sessions may not fit
  alive_("prepare");
  session_ = state.variant->prepare(problem, state.key.point, device);
  session_key_ = key;
  return *session_;
}

Record Measurer::blank(const State& state) {
  Record record;
  record.state = state.key;
  record.kind = state.kind;
  record.phase = state.phase;
  record.repetition = state.repetition;
  if (state.growth != nullptr)
    record.size = results::ProblemSize{.axis = state.growth->axis,
                                       .noun = state.growth->noun,
                                       .value = state.key.problem.integer(state.growth->axis)};
  record.counters.reason = record.energy.reason = "not asked for";
  record.bound.reason = record.memory.reason = "not measured";
  record.provenance = nlohmann::json::object();
  return record;
}

nlohmann::json Measurer::provenance(const std::string& device) {
  return record_provenance(run_provenance_, opened(device).identity);
}

Record Measurer::measure(const State& state) {
  const NvtxRange range(state.key.to_string());
  Record record = blank(state);
  record.provenance = provenance(state.key.device);
  record.date = utc_now();
  try {
    fill(record, state);
    results::to_json(record);  // @throws if one of its numbers has no JSON form
  } catch (const DataError&) {
    throw;
  } catch (const DoesNotFit& error) {
    fail(record, Status::skipped, "does_not_fit", error.what());
  } catch (const std::bad_alloc&) {
    fail(record, Status::skipped, "does_not_fit", "the host has not enough memory");
  } catch (const ResourceError& error) {
    fail(record, Status::skipped, "unsupported", error.what());
  } catch (const ChildFailed& error) {
    fail(record, Status::failed, error.kind, error.what());
  } catch (const ClockError& error) {
    results::drop_numbers(record);
    fail(record, Status::failed, "clock", error.what());
  } catch (const std::exception& error) {
    results::drop_numbers(record);
    fail(record, Status::failed, "error", error.what());
  }
  if (record.status != Status::ok) {
    session_.reset();
    session_key_.clear();
  }
  return record;
}

void Measurer::fill(Record& record, const State& state) {
  OpenedDevice& on = opened(state.key.device);
  note_unexpected_device(record, config_.expects_device, *on.device, on.description);
  Session& session = session_of(state, *on.device);
  // External tools read the files themselves, each time.
  if (state.variant->whole_process) check_files(state);
  record.problem_hash = problem_->hash();
  record.synthetic = problem_->synthetic();
  record.problem_label = problem_->label(state.key.problem);
  alive_("verify");
  record.verification = session.verify();
  on.device->synchronize();
  const Cost cost = session.cost();
  record.work = cost.work;
  require_held(cost.held, config_.device_memory, state.key.device);
  if (!record.verification->passed)
    fail(record, Status::failed, "wrong_result", record.verification->reason);
  else
    take_numbers(record, state, *on.device, session, cost);
  if (state.variant->whole_process) check_files(state);
  record.facts = problem_->describe();
  record.facts.update(session.facts());
  for (std::string& note : session.notes()) record.notes.push_back(std::move(note));
}

void Measurer::take_numbers(Record& record, const State& state, Device& device, Session& session,
                            const Cost& cost) {
  // The operating system places external tools on any core.
  const bool on_our_threads = device.kind() == DeviceKind::cpu && !state.variant->whole_process;
  Samples samples = take_samples(
      device, session, sampling_of(state, config_.sampling), [this] { alive_("sample"); },
      on_our_threads ? &reference_loop_ : nullptr);
  record.samples_s = std::move(samples.seconds);
  record.discarded_throttled = samples.discarded_throttled;
  record.discarded_interference = samples.discarded_interference;
  record.reference_loop = samples.reference_loop;
  record.notes.insert(record.notes.end(), samples.notes.begin(), samples.notes.end());
  record.launches_per_sample = samples.launches_per_sample;
  record.statistics =
      results::summarise(record.samples_s, record.work, results::kConfidence, samples.stopped_by);
  if (!samples.single_launch_s.empty()) {
    const double median_s = results::median(samples.single_launch_s);
    record.single_launch = {std::move(samples.single_launch_s), median_s, record.work.amount / median_s};
  }
  note_few_samples(record, sampling_of(state, config_.sampling), passes_of(state, config_.sampling),
                   state.kind == "kernel" && state.most_seconds > 0);
  record.resources = session.resources();
  if (cost.held.parts.empty())
    record.memory.reason = record.kind == "kernel"  ? "the variant does not state it"
                           : record.kind == "probe" ? "the point of a probe states its memory"
                                                    : "an external tool does not state it";
  else
    record.memory = {cost.held, {}};
  record.side_samples_s = session.side_samples_s();
  for (auto& [name, seconds] : record.side_samples_s)  // if the clock went back
    for (double& one : seconds) one = std::max(one, 0.0);
  record.traffic = cost.traffic;
  record.instructions = cost.instructions;
  if (record.kind == "probe")
    record.bound.reason = "bounds are derived from probes";
  else if (record.phase == "size")
    record.bound.reason = "measured for its rate over size";
  else if (record.kind == "tool")
    record.bound.reason = "a whole process: start-up, reading and writing are in its time";
  else
    record.bound.reason = cost.why_no_bound;
  extra_passes(record, device, session);
}

void Measurer::extra_passes(Record& record, Device& device, Session& session) {
  if (record.kind == "probe" || record.phase == "size") return;
  if (record.phase == "tune") {  // races by energy need measured energy; counters rank no case
    if (std::ranges::any_of(config_.tune.objectives,
                            [](const Objective& one) { return one.metric == "work_per_joule"; }))
      record.energy = energy_.measure(device, session, record.work, record.statistics->median_s,
                                      kEnergySeconds, [this] { alive_("energy"); });
    return;
  }
  const auto has = [&](ExtraPass pass) {
    return pass == (record.phase == "winner" ? ExtraPass::winners : ExtraPass::all);
  };
  if (has(config_.counters)) {
    alive_("count");
    const std::vector<std::string> metrics =
        config_.metrics.empty() ? device.default_metrics() : config_.metrics;
    record.counters = device.count(metrics, [&] { session.launch(); });
    device.synchronize();
    if (record.counters.value)
      if (const std::string said = results::obstacles(*record.counters.value); !said.empty())
        record.notes.push_back("counters: " + said);
  }
  if (has(config_.energy))
    record.energy = energy_.measure(device, session, record.work, record.statistics->median_s, kEnergySeconds,
                                    [this] { alive_("energy"); });
}

void Measurer::check_device(const State& state) {
  if (state.variant->device == DeviceKind::cpu) return;
  try {
    opened(state.key.device).device->synchronize();
  } catch (const std::exception& error) {
    throw DeviceLost(fmt::format("{} no longer works: {}", state.key.device, error.what()));
  }
}

}  // namespace gpuseq::bench
