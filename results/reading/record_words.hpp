#pragma once

#include <array>
#include <string_view>

/// The words that fields of a record may have, as record.schema.json lists them.
namespace gpuseq::results {

/// What a later phase measured of a state stands for the state. A winner's record is for its counters and
/// energy: it stands for no state that was measured otherwise.
inline constexpr std::array<std::string_view, 6> kPhaseWords{"probe",  "refine", "size",
                                                             "winner", "sweep",  "tune"};
inline constexpr std::array<std::string_view, 3> kRecordKinds{"probe", "kernel", "tool"};
inline constexpr std::array<std::string_view, 3> kStatusWords{"ok", "failed", "skipped"};  // by Status
inline constexpr std::array<std::string_view, 7> kFailureKinds{
    "wrong_result", "crash", "timeout", "does_not_fit", "unsupported", "clock", "error"};

}  // namespace gpuseq::results
