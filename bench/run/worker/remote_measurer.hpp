#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/plan/state.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/terminal/progress.hpp"
#include "bench/run/worker/worker_process.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// How a supervised run ended.
enum class RunEnd {
  complete,
  interrupted,  // Ctrl-C or a termination signal
  usage,        // wrong usage or malformed data
  resource,     // the disk is full, or the like
  gave_up,      // workers crashed too often
};

/// Ends a run before it is complete.
struct RunEnded {
  RunEnd end = RunEnd::complete;
  std::string reason = {};  // of gave_up
};

/// Seconds after which a state is stopped.
struct MostTime {
  double own_s = std::numeric_limits<double>::infinity();
  double with_loading_s = own_s;  // while the worker loads the problem, which other states share
};

/// Measures single states in a worker process (this program again, with the hidden subcommand `worker`), so
/// that a variant that crashes or hangs costs one failed record and not the run: another worker measures the
/// next state.
class RemoteMeasurer {
 public:
  /// @param timeout_s  without progress, after which a worker is killed
  /// @param alive  called whenever there is progress
  RemoteMeasurer(const LockedFolder& run, double timeout_s, Progress& progress, std::function<void()> alive);

  /// The description of a device as run.json has it.
  /// @throws RunEnded, as every function here that needs a worker
  const nlohmann::json& describe(const std::string& device);
  /// The record of a state, without its bound; a failed one if the worker crashed or made no progress, a
  /// skipped one if it was stopped.
  results::Record measure(const State& state, const MostTime& most);
  /// Ends the worker, whose sessions hold memory of devices; the next request starts another.
  void end_worker() { worker_.reset(); }
  /// Compiles the kernels that states of a GPU load into the cache.
  void compile_ahead(std::span<const State> states, const std::string& device, const MostTime& most);

 private:
  struct Described {
    nlohmann::json description, provenance;
  };
  const Described& described(const std::string& device);
  /// The worker's answer; one that ended before it began on the request is replaced.
  /// @returns how the worker ended if it ended without an answer
  std::optional<WorkerEnd> ask(const nlohmann::json& request, nlohmann::json& answer,
                               const MostTime& most = {});
  /// Counts a worker that died with no state in work. @throws RunEnded after the last that is allowed
  void count_death(const WorkerEnd& end);
  results::Failure failure_of(const WorkerEnd& end) const;

  const LockedFolder& run_;
  double timeout_s_;
  Progress& progress_;
  std::function<void()> alive_;
  std::unique_ptr<WorkerProcess> worker_;
  std::map<std::string, Described> devices_;
  int deaths_in_a_row_ = 0, failed_in_a_row_ = 0;
  std::string last_failure_;
};

}  // namespace gpuseq::bench
