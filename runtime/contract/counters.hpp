#pragma once

#include <array>
#include <string>
#include <string_view>

namespace gpuseq {

/// A state of an NVIDIA GPU's warp in a cycle, by the name of its counter.
struct WarpState {
  std::string_view counter;
  std::string_view words;
};

/// All states of all GPUs. Source: the warp states in Nsight Compute's documentation, with their causes.
inline constexpr std::array<WarpState, 19> kWarpStates{{
    {"selected", "issuing"},
    {"not_selected", "ready, another issues"},
    {"wait", "waiting for the last instruction"},
    {"long_scoreboard", "waiting for global or local memory"},
    {"lg_throttle", "waiting for global or local memory"},
    {"tex_throttle", "waiting for global or local memory"},
    {"drain", "waiting for global or local memory"},
    {"short_scoreboard", "waiting for shared memory or shuffles"},
    {"mio_throttle", "waiting for shared memory or shuffles"},
    {"imc_miss", "waiting for instructions or constants"},
    {"math_pipe_throttle", "waiting for a pipe"},
    {"dispatch_stall", "waiting for a pipe"},
    {"gmma", "waiting for a pipe"},
    {"no_instruction", "waiting for instructions or constants"},
    {"branch_resolving", "waiting for instructions or constants"},
    {"barrier", "waiting for other warps"},
    {"membar", "waiting for other warps"},
    {"sleeping", "waiting for other warps"},
    {"misc", "waiting for other reasons"},
}};

/// The counter of the cycles in which warps were in a state, summed over all warps.
inline std::string warp_state_metric(std::string_view counter) {
  return "smsp__warps_issue_stalled_" + std::string(counter) + ".sum";
}

// Further counters that explain the distance from a bound.
inline constexpr std::string_view kIssueActive = "smsp__issue_active.avg.pct_of_peak_sustained_active";
inline constexpr std::string_view kL1HitRate = "l1tex__t_sector_hit_rate.pct";
inline constexpr std::string_view kL2HitRate = "lts__t_sector_hit_rate.pct";
/// Loads of global memory in the L1, which also serves loads of read-only data.
inline constexpr std::string_view kGlobalLoadHitRate =
    "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct";
inline constexpr std::string_view kSectorsPerLoad =
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
inline constexpr std::string_view kBankConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
inline constexpr std::string_view kSharedWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";

}  // namespace gpuseq
