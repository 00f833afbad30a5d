#pragma once

#include <nlohmann/json.hpp>

#include "bench/run/phases/probe_phase.hpp"

namespace gpuseq::bench {

/// Lets the recorder measure cases of several GPUs at the same time if a control case has the same rate alone
/// and while all GPUs measure it, and if the host has the memory for a problem in each worker. The control
/// case is the first kernel, or else probe, that all GPUs have.
/// @returns for run.json: the GPUs, the control case, its rates and the decision; null with fewer than two
/// GPUs
nlohmann::ordered_json measure_gpus_at_once(const RunInputs& inputs, const Sweep& sweep, Recorder& recorder);

}  // namespace gpuseq::bench
