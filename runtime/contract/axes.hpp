#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/contract/point.hpp"

// Axes as families state them.

namespace gpuseq {

/// The listed values and no others.
Axis listed_axis(std::string name, std::vector<AxisValue> values, AxisValue default_value,
                 std::string meaning);

/// Any multiple of `step` from `low` to `high`; a sweep of all values takes those of `values`.
Axis integer_axis(std::string name, std::vector<AxisValue> values, std::int64_t default_value,
                  std::string meaning, std::int64_t low, std::int64_t high, std::int64_t step = 1);

/// Of CPU variants: pinned threads, and the instruction set.
Axis threads_axis();
Axis simd_target_axis();

/// Any integer from `low` to `high`; a sweep of all values takes the default.
Axis open_integer_axis(std::string name, std::int64_t low, std::int64_t high, std::int64_t default_value,
                       std::string meaning);

/// The axis, of a problem, about the data that another one names (Axis::about).
Axis about(std::string data_axis, Axis axis);

/// Any word that is not empty, such as the name of a data entry; the first of `values` is the default.
Axis open_word_axis(std::string name, std::vector<AxisValue> values, std::string meaning,
                    std::string allowed);

}  // namespace gpuseq
