#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/run/terminal/terminal.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The summary of a run for people: levels of memory, one table per family, failures and skipped states by
/// reason, counts.
/// @param summary  run.json
std::string summary_text(const nlohmann::ordered_json& summary, std::span<const results::Record> records,
                         const Terminal& terminal);

}  // namespace gpuseq::bench
