#pragma once

#include <nlohmann/json.hpp>

#include "bench/config/json_file.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// Adds a record's rate and the ends of its interval, or null if there is none.
inline void add_rate(nlohmann::ordered_json& row, const results::Record& record) {
  row["rate"] = record.statistics->rate;
  row["rate_low"] = or_null(record.statistics->rate_low);
  row["rate_high"] = or_null(record.statistics->rate_high);
}

}  // namespace gpuseq::bench
