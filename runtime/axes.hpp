#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/point.hpp"

// Axes that accept more values than they list.

namespace gpuseq {

/// Any integer from `low` to `high`; a sweep of all values takes the default.
Axis open_integer_axis(std::string name, std::int64_t low, std::int64_t high, std::int64_t default_value,
                       std::string meaning);

/// Any word that is not empty, such as the name of a data entry; the first of `values` is the default.
Axis open_word_axis(std::string name, std::vector<AxisValue> values, std::string meaning,
                    std::string allowed);

}  // namespace gpuseq
