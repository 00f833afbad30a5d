#include "bench/run/supervisor.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <map>
#include <optional>

#include "bench/config/provenance.hpp"
#include "bench/run/worker.hpp"
#include "bench/run/worker_process.hpp"
#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using results::Record;

// With no state finished in between: of workers that were at no state, and of states, each of which has its
// record then. In a space that a search takes there may be many that crash beside each other.
constexpr int kCrashesInARow = 5, kFailedInARow = 20;

class Supervisor {
 public:
  Supervisor(const LockedFolder& run, double timeout_s, Progress& progress)
      : run_(run), timeout_s_(timeout_s), progress_(progress) {}

  RunOutcome run() {
    const InterruptGuard guard;
    while (true) {
      if (const auto end = run_one_worker()) {
        outcome_.end = *end;
        results::flush_file(run_.folder.records());
        return outcome_;
      }
    }
  }

 private:
  /// nullopt: the worker died of a state and another one can go on.
  std::optional<RunEnd> run_one_worker() {
    in_flight_.reset();
    outcome_.cut.clear();  // the worker cuts it again
    progress_.restart();
    WorkerProcess worker(run_);
    const WorkerEnd end = worker.wait(timeout_s_, [this](const json& message) { hear(message); });
    if (end.interrupted) return RunEnd::interrupted;
    if (end.exit_code == static_cast<int>(WorkerExit::done)) return RunEnd::complete;
    if (end.exit_code == static_cast<int>(WorkerExit::usage)) return RunEnd::usage;
    if (end.exit_code == static_cast<int>(WorkerExit::resource)) return RunEnd::resource;
    return after_crash(end);
  }

  void hear(const json& message) {
    if (message.contains("planned"))
      for (const json& some : message["planned"])
        progress_.plan(some["pace"].get<std::string>(), some["states"].get<long>(),
                       some["typical_s"].get<double>());
    if (message.contains("begin")) {
      in_flight_ = message["begin"];
      begun_ = std::chrono::steady_clock::now();
      const Record record = results::record_from_json(*in_flight_);
      progress_.begin(message["name"].get<std::string>(), pace_of(record.state, record.kind), record.phase);
    }
    if (message.contains("say")) progress_.say(message["say"].get<std::string>());
    if (message.contains("stage")) progress_.stage(message["stage"].get<std::string>());
    if (message.contains("end")) {
      in_flight_.reset();
      crashes_in_a_row_ = failed_in_a_row_ = 0;
      progress_.end(message["end"]["status"].get<std::string>(), message["end"]["text"].get<std::string>());
    }
    if (message.contains("cut")) outcome_.cut.push_back(nlohmann::ordered_json(message["cut"]));
    if (message.contains("device")) {
      const auto device = message["device"].get<std::string>();
      outcome_.devices[device] = message["description"];
      provenance_[device] = message["provenance"];
    }
  }

  static results::Failure failure_of(const WorkerEnd& end, double timeout_s) {
    if (end.timed_out)
      return {"timeout", fmt::format("no progress for {:g} s; the worker was killed", timeout_s)};
    if (end.signal != 0)
      return {"crash", fmt::format("the worker died of signal {} ({})", end.signal, strsignal(end.signal))};
    return {"crash", fmt::format("the worker ended with exit code {}", end.exit_code.value_or(-1))};
  }

  std::optional<RunEnd> after_crash(const WorkerEnd& end) {
    const results::Failure failure = failure_of(end, timeout_s_);
    const std::string key = in_flight_ ? failed_state(failure) : "";
    ++(key.empty() ? crashes_in_a_row_ : failed_in_a_row_);
    if (!key.empty() && key == last_crash_) return give_up("the same state failed twice: " + failure.reason);
    if (crashes_in_a_row_ >= kCrashesInARow || failed_in_a_row_ >= kFailedInARow)
      return give_up("too many crashes in a row: " + failure.reason);
    if (!key.empty()) last_crash_ = key;
    progress_.say("starting another worker");
    return std::nullopt;
  }

  /// Records that the state in flight failed, unless it is finished and only the message of that was lost.
  /// @returns what was recorded; empty: nothing
  std::string failed_state(const results::Failure& failure) {
    Record record = results::record_from_json(*in_flight_);
    std::string key = results::record_key(record);
    results::Journal journal(run_.folder.records());  // which drops the line that the worker was writing
    const std::optional<Record> last = results::Journal::last(journal.path());
    if (last && results::record_key(*last) == key) {
      hear(end_message(*last));
      return {};
    }
    record.provenance = provenance_[record.state.device];
    record.date = utc_now();
    record.status = results::Status::failed;
    record.failure = failure;
    record.took_s = seconds_since(begun_);
    journal.append(record);
    progress_.end("failed", failure.kind + ": " + failure.reason);
    return key;
  }

  RunEnd give_up(const std::string& reason) {
    outcome_.reason = reason;
    return RunEnd::gave_up;
  }

  const LockedFolder& run_;
  double timeout_s_;
  Progress& progress_;
  RunOutcome outcome_;
  std::map<std::string, json> provenance_;  // by device
  std::optional<json> in_flight_;           // the record of a state that was begun
  std::chrono::steady_clock::time_point begun_;
  std::string last_crash_;
  int crashes_in_a_row_ = 0, failed_in_a_row_ = 0;
};

}  // namespace

RunOutcome supervise(const LockedFolder& run, double timeout_s, Progress& progress) {
  return Supervisor(run, timeout_s, progress).run();
}

}  // namespace gpuseq::bench
