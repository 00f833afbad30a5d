#include "bench/run/worker/remote_measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "bench/config/provenance.hpp"
#include "bench/measure/measure.hpp"
#include "bench/run/worker/worker.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

// With no state measured in between. A large search space may have many states that crash side by side.
constexpr int kMostDeaths = 5, kMostFailed = 20;

json request_of(const State& state) {
  return {{"record", results::to_json(Measurer::blank(state))}, {"most_seconds", state.most_seconds}};
}

}  // namespace

RemoteMeasurer::RemoteMeasurer(const LockedFolder& run, double timeout_s, Progress& progress,
                               std::function<void()> alive)
    : run_(run), timeout_s_(timeout_s), progress_(progress), alive_(std::move(alive)) {}

const json& RemoteMeasurer::describe(const std::string& device) {
  return described(device).description;
}

const RemoteMeasurer::Described& RemoteMeasurer::described(const std::string& device) {
  if (const auto found = devices_.find(device); found != devices_.end()) return found->second;
  json answer;
  while (const auto end = ask({{"describe", device}}, answer)) count_death(*end);
  return devices_.emplace(device, Described{answer.at("description"), answer.at("provenance")}).first->second;
}

Record RemoteMeasurer::measure(const State& state, const MostTime& most) {
  const auto begun = std::chrono::steady_clock::now();
  const std::string date = utc_now();
  const json& provenance = described(state.key.device).provenance;
  json answer;
  const std::optional<WorkerEnd> end = ask({{"measure", request_of(state)}}, answer, most);
  Record record = Measurer::blank(state);
  if (end) {
    record.date = date;
    record.status = end->cut ? results::Status::skipped : results::Status::failed;
    record.failure = failure_of(*end);
    record.took_s = seconds_since(begun);
    if (!end->cut) {
      ++failed_in_a_row_;
      last_failure_ = record.failure->reason;
    }
  } else {
    record = results::record_from_json(answer);
    deaths_in_a_row_ = failed_in_a_row_ = 0;
  }
  record.provenance = provenance;
  return record;
}

void RemoteMeasurer::compile_ahead(std::span<const State> states, const std::string& device,
                                   const MostTime& most) {
  json sent = json::array(), answer;
  for (const State& state : states) sent.push_back(request_of(state));
  // The states themselves are measured one by one, and fail one by one.
  const auto end = ask({{"compile", sent}, {"device", device}}, answer, most);
  if (end && !end->cut) count_death(*end);
}

std::optional<WorkerEnd> RemoteMeasurer::ask(const json& request, json& answer, const MostTime& most) {
  if (failed_in_a_row_ >= kMostFailed)
    throw RunEnded{RunEnd::gave_up, "too many crashes in a row: " + last_failure_};
  while (true) {
    bool begun = false;
    if (!worker_ && !last_failure_.empty()) progress_.say("starting another worker");
    if (!worker_) worker_ = std::make_unique<WorkerProcess>(run_);
    WorkerProcess::Limits limits{.timeout_s = timeout_s_, .end_s = most.own_s};
    bool loads = false;
    const auto asked = std::chrono::steady_clock::now();
    const auto enter = [&](const std::string& stage) {
      const bool did_load = std::exchange(loads, stage == kLoadStage);
      if (loads) limits.end_s = most.with_loading_s;
      if (did_load && !loads) limits.end_s = std::min(most.with_loading_s, seconds_since(asked) + most.own_s);
      progress_.stage(stage);
    };
    const std::optional<WorkerEnd> end = worker_->ask(request, limits, [&](const json& reply) {
      begun = begun || reply.contains("begun");
      alive_();
      if (reply.contains("stage")) enter(reply["stage"].get<std::string>());
      if (reply.contains("done")) answer = reply["done"];
      return reply.contains("done");
    });
    if (!end) return std::nullopt;
    worker_.reset();
    if (end->interrupted) throw RunEnded{RunEnd::interrupted};
    if (end->exit_code == static_cast<int>(WorkerExit::usage)) throw RunEnded{RunEnd::usage};
    if (end->exit_code == static_cast<int>(WorkerExit::resource)) throw RunEnded{RunEnd::resource};
    if (begun || end->cut) return end;
    count_death(*end);
  }
}

void RemoteMeasurer::count_death(const WorkerEnd& end) {
  if (++deaths_in_a_row_ >= kMostDeaths)
    throw RunEnded{RunEnd::gave_up, "too many crashes in a row: " + failure_of(end).reason};
  last_failure_ = failure_of(end).reason;
}

results::Failure RemoteMeasurer::failure_of(const WorkerEnd& end) const {
  if (end.cut) return {"timeout", "its share of the budget ended while it ran; the worker was killed"};
  if (end.timed_out)
    return {"timeout", fmt::format("no progress for {:g} s; the worker was killed", timeout_s_)};
  if (end.signal != 0)
    return {"crash", fmt::format("the worker died of signal {} ({})", end.signal, strsignal(end.signal))};
  return {"crash", fmt::format("the worker ended with exit code {}", end.exit_code.value_or(-1))};
}

}  // namespace gpuseq::bench
