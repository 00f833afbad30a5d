#pragma once

#include <string>
#include <string_view>

namespace gpuseq::results {

/// The unique key of a record in a journal: "state, phase repetition".
std::string record_key(const std::string& state, std::string_view phase, int repetition);

/// Identity and outcome of a record. They are at the beginning of a line, which consists mostly of samples
/// and provenance, so they are read in a fraction of the time.
struct RecordHead {
  std::string state, kind, phase, status;
  int repetition = 0;
  std::string failure_kind;  // empty: no failure

  std::string key() const { return record_key(state, phase, repetition); }
  /// The supervisor wrote the record for a worker that died.
  bool worker_died() const {
    return status == "failed" && (failure_kind == "crash" || failure_kind == "timeout");
  }
};

enum class ReadLine { head, whole };  // whole: errors behind the head are found too

/// @throws UsageError for a line that is not JSON or lacks a part of the head
RecordHead read_head(std::string_view line, ReadLine how_far);

}  // namespace gpuseq::results
