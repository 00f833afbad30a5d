#include "runtime/axes.hpp"

#include <fmt/format.h>

namespace gpuseq {

Axis open_integer_axis(std::string name, std::int64_t low, std::int64_t high, std::int64_t default_value,
                       std::string meaning) {
  return {.name = std::move(name),
          .values = {default_value},
          .default_value = default_value,
          .meaning = std::move(meaning),
          .accepts =
              [low, high](const AxisValue& value) {
                const auto* number = std::get_if<std::int64_t>(&value);
                return number != nullptr && *number >= low && *number <= high;
              },
          .allowed = fmt::format("an integer from {} to {}", low, high)};
}

Axis open_word_axis(std::string name, std::vector<AxisValue> values, std::string meaning,
                    std::string allowed) {
  return {.name = std::move(name),
          .values = values,
          .default_value = values.front(),
          .meaning = std::move(meaning),
          .accepts =
              [](const AxisValue& value) {
                const auto* word = std::get_if<std::string>(&value);
                return word != nullptr && !word->empty();
              },
          .allowed = std::move(allowed)};
}

}  // namespace gpuseq
