#include "bench/supervisor.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "bench/worker.hpp"
#include "bench/worker_process.hpp"
#include "results/journal.hpp"
#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

constexpr int kCrashesInARow = 5;

class Supervisor {
 public:
  Supervisor(const RunFolder& folder, double timeout_s, Progress& progress)
      : folder_(folder), timeout_s_(timeout_s), progress_(progress) {}

  RunOutcome run() {
    const InterruptGuard guard;
    while (true) {
      if (const auto end = run_one_worker()) {
        outcome_.end = *end;
        return outcome_;
      }
    }
  }

 private:
  /// nullopt: the worker died of a state and another one can go on.
  std::optional<RunEnd> run_one_worker() {
    in_flight_.reset();
    progress_.restart();
    WorkerProcess worker(folder_);
    const WorkerEnd end = worker.wait(timeout_s_, [this](const json& message) { hear(message); });
    if (end.interrupted) return RunEnd::interrupted;
    if (end.exit_code == static_cast<int>(WorkerExit::done)) return RunEnd::complete;
    if (end.exit_code == static_cast<int>(WorkerExit::usage)) return RunEnd::usage;
    if (end.exit_code == static_cast<int>(WorkerExit::resource)) return RunEnd::resource;
    return after_crash(end);
  }

  void hear(const json& message) {
    if (message.contains("planned")) progress_.plan(message["planned"].get<long>());
    if (message.contains("begin")) {
      in_flight_ = results::record_from_json(message["begin"]);
      progress_.begin(in_flight_->state.to_string());
    }
    if (message.contains("stage")) progress_.stage(message["stage"].get<std::string>());
    if (message.contains("end")) {
      in_flight_.reset();
      crashes_in_a_row_ = 0;
      progress_.end(message["end"]["status"].get<std::string>(), message["end"]["text"].get<std::string>());
    }
    if (message.contains("device"))
      outcome_.devices[message["device"].get<std::string>()] = message["description"];
  }

  static results::Failure failure_of(const WorkerEnd& end, double timeout_s) {
    if (end.timed_out)
      return {"timeout", fmt::format("no progress for {:g} s; the worker was killed", timeout_s)};
    if (end.signal != 0)
      return {"crash", fmt::format("the worker died of signal {} ({})", end.signal, strsignal(end.signal))};
    return {"crash", fmt::format("the worker ended with exit code {}", end.exit_code.value_or(-1))};
  }

  std::optional<RunEnd> after_crash(const WorkerEnd& end) {
    ++crashes_in_a_row_;
    const bool recorded = end.exit_code == static_cast<int>(WorkerExit::device_lost);
    const results::Failure failure = failure_of(end, timeout_s_);
    const std::string key = in_flight_ ? in_flight_->state.to_string() + in_flight_->phase : "";
    if (in_flight_ && !recorded) {
      in_flight_->status = results::Status::failed;
      in_flight_->failure = failure;
      results::Journal journal(folder_.records());
      journal.append(*in_flight_);
      journal.clear_in_flight();
      progress_.end("failed", failure.kind + ": " + failure.reason);
    }
    if (!recorded && key == last_crash_) return give_up("the same state failed twice: " + failure.reason);
    if (crashes_in_a_row_ >= kCrashesInARow) return give_up("too many crashes in a row: " + failure.reason);
    last_crash_ = recorded ? last_crash_ : key;
    progress_.say("starting another worker");
    return std::nullopt;
  }

  RunEnd give_up(const std::string& reason) {
    outcome_.reason = reason;
    return RunEnd::gave_up;
  }

  RunFolder folder_;
  double timeout_s_;
  Progress& progress_;
  RunOutcome outcome_;
  std::optional<Record> in_flight_;
  std::string last_crash_ = "none";
  int crashes_in_a_row_ = 0;
};

}  // namespace

RunOutcome supervise(const RunFolder& folder, double timeout_s, Progress& progress) {
  return Supervisor(folder, timeout_s, progress).run();
}

}  // namespace gpuseq::bench
