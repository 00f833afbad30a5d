#pragma once

#include <array>
#include <string_view>

/// Allowed words of a record's fields, as in record.schema.json.
namespace gpuseq::results {

/// In ascending rank: the record of the last phase represents its state. A winner's record is for its
/// counters and energy; it never represents a state that has another record.
inline constexpr std::array<std::string_view, 6> kPhaseWords{"probe",  "refine", "size",
                                                             "winner", "sweep",  "tune"};
inline constexpr std::array<std::string_view, 3> kRecordKinds{"probe", "kernel", "tool"};
inline constexpr std::array<std::string_view, 3> kStatusWords{"ok", "failed", "skipped"};  // by Status
inline constexpr std::array<std::string_view, 7> kFailureKinds{
    "wrong_result", "crash", "timeout", "does_not_fit", "unsupported", "clock", "error"};

}  // namespace gpuseq::results
