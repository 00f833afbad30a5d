#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/config/registry.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// An external tool on the same queries.
struct ToolResult {
  std::string name;
  std::string why_not;                         // not empty: why it was not measured
  std::optional<results::Record> record = {};  // of a measured tool
};

struct Choice {
  std::string reference;  // as on the command line
  std::uint64_t bases = 0, read_length = 0;
  std::optional<std::uint64_t> index_bytes = {};  // the limit
  std::string folder = {};                        // of the run, with that of the tools in it
  nlohmann::ordered_json tuned = {};              // `tuned` of its run.json, a winner per device; not empty
  std::vector<results::Record> records = {};      // of the run
  std::size_t layouts = 0, measured_layouts = 0;  // within the limit; at their usual points
  std::size_t lacking_probes = 0;                 // of those that bounds need, for want of time
  std::vector<ToolResult> tools = {};
};

/// The reason of a choice without a winner, for standard error.
std::string no_choice_text(const Choice& choice);

/// The choice on one screen of 80 columns, with the command lines of `export` and `exec`.
std::string choice_text(const Choice& choice, const Family& family);

}  // namespace gpuseq::bench
