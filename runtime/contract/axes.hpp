#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/contract/point.hpp"

// Axes of families.

namespace gpuseq {

/// Exactly the listed values.
Axis listed_axis(std::string name, std::vector<AxisValue> values, AxisValue default_value,
                 std::string meaning);

/// Any multiple of `step` from `low` to `high`; a sweep of all values takes `values`.
Axis integer_axis(std::string name, std::vector<AxisValue> values, std::int64_t default_value,
                  std::string meaning, std::int64_t low, std::int64_t high, std::int64_t step = 1);

/// For CPU variants: pinned threads, and the instruction set.
Axis threads_axis();
Axis simd_target_axis();

/// Any integer from `low` to `high`; a sweep of all values takes the default.
Axis open_integer_axis(std::string name, std::int64_t low, std::int64_t high, std::int64_t default_value,
                       std::string meaning);

/// A problem's axis about the data of another axis (Axis::about).
Axis about(std::string data_axis, Axis axis);

/// Any word that is not empty, such as the name of a data entry; the first of `values` is the default.
Axis open_word_axis(std::string name, std::vector<AxisValue> values, std::string meaning,
                    std::string allowed);

}  // namespace gpuseq
