#pragma once

#include <string>

#include "bench/run/run_folder.hpp"
#include "bench/run/terminal/progress.hpp"

namespace gpuseq::bench {

/// How a supervised run ended.
enum class RunEnd {
  complete,
  interrupted,  // Ctrl-C or a termination signal
  usage,        // the worker found wrong usage or malformed data
  resource,     // the disk is full, or the like
  gave_up,      // it crashed too often
};

struct RunOutcome {
  RunEnd end = RunEnd::complete;
  nlohmann::json devices = nlohmann::json::object();             // id -> description
  std::string reason;                                            // for gave_up
  nlohmann::ordered_json cut = nlohmann::ordered_json::array();  // by the budget: {"what", "states"}
};

/// Runs the measuring in a worker process (this program again, with the hidden subcommand `worker`), so that
/// a variant that crashes or hangs costs one failed record and not the run: the supervisor writes that record
/// and starts another worker, which goes on behind it. Gives up when the same state fails twice or workers
/// die several times with no state finished in between.
RunOutcome supervise(const LockedFolder& run, double timeout_s, Progress& progress);

}  // namespace gpuseq::bench
