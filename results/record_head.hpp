#pragma once

#include <string>
#include <string_view>

namespace gpuseq::results {

/// What a journal has once: "state, phase repetition".
std::string record_key(const std::string& state, std::string_view phase, int repetition);

/// What identifies a record and says how it went. It stands at the beginning of a line, most of which is
/// samples and provenance: so it is read in a small part of the time.
struct RecordHead {
  std::string state, kind, phase, status;
  int repetition = 0;
  std::string failure_kind;  // empty: no failure

  std::string key() const { return record_key(state, phase, repetition); }
  /// The supervisor wrote it, for a worker that could not.
  bool worker_died() const {
    return status == "failed" && (failure_kind == "crash" || failure_kind == "timeout");
  }
};

enum class ReadLine { head, whole };  // whole: a mistake behind the head is found as well

/// @throws UsageError for a line that is not JSON or lacks a part of the head
RecordHead read_head(std::string_view line, ReadLine how_far);

}  // namespace gpuseq::results
