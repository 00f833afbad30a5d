#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/run/terminal/terminal.hpp"
#include "results/names/short_names.hpp"

namespace gpuseq::bench {

/// The results of a run, one table per family: for each problem and device the winner with its size, rate,
/// interval, share of its bound, binding resource and memory footprint, then external tools. Letters refer to
/// footnotes under the table.
/// @param summary  run.json
std::string family_tables(const nlohmann::ordered_json& summary, std::span<const results::Record> records,
                          const results::ShortNames& names, const Terminal& terminal);

}  // namespace gpuseq::bench
