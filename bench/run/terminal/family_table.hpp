#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/run/terminal/terminal.hpp"
#include "results/names/short_names.hpp"

namespace gpuseq::bench {

/// What a run found, a table a family: of each problem and device the winner with its size, rate, interval,
/// share of its bound, what binds it and the bytes that it holds, then external tools. Letters mark what must
/// be known of a row; they are explained under its table.
/// @param summary  run.json
std::string family_tables(const nlohmann::ordered_json& summary, std::span<const results::Record> records,
                          const results::ShortNames& names, const Terminal& terminal);

}  // namespace gpuseq::bench
