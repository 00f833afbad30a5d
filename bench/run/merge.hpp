#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/run/run_folder.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// A run folder that is to be merged, read whole.
struct MergeInput {
  RunFolder folder;
  BegunRun run;
  std::vector<results::Record> records;
  nlohmann::ordered_json profiles;               // by device, as profiles_of_run()
  std::vector<results::Record> profile_records;  // of profiles that its bounds use besides `records`
};

struct MergeOptions {
  bool allow_gaps = false;        // states that no shard has measured
  bool on_other_program = false;  // shards of different builds of the program
};

/// The records of all shards in the order of the plan, and the remarks for a reader.
struct Merged {
  std::vector<results::Record> records;
  std::vector<results::Record> profile_records;  // of all shards, each once
  std::vector<std::string> remarks;              // gaps that were allowed, records without a bound ...
  bool complete = true;                          // no gap
};

/// @throws UsageError for a folder without run.json or with a damaged journal
MergeInput read_merge_input(const std::filesystem::path& dir);

/// Puts shards together. Every record keeps the node that made it (provenance.host). Bounds are computed
/// again, because a shard has only a part of the probes: from the probes of the record's own node and of its
/// profile, else from those of a node with the same device, which the record's notes then say.
/// @throws UsageError naming the mismatch: another config, filter or kind of device, the program's commit
/// (unless allowed), data that differs from shard to shard, a shard that is missing, given twice or
/// incomplete, a state that two shards have, a gap (unless allowed), a control case whose rates differ
Merged merge(const std::vector<MergeInput>& inputs, const Registry& registry, const MergeOptions& options);

}  // namespace gpuseq::bench
