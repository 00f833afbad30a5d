#include "runtime/contract/axes.hpp"

#include <fmt/format.h>

namespace gpuseq {

Axis listed_axis(std::string name, std::vector<AxisValue> values, AxisValue default_value,
                 std::string meaning) {
  return {.name = std::move(name),
          .values = std::move(values),
          .default_value = std::move(default_value),
          .meaning = std::move(meaning),
          .accepts = {},
          .allowed = {}};
}

Axis integer_axis(std::string name, std::vector<AxisValue> values, std::int64_t default_value,
                  std::string meaning, std::int64_t low, std::int64_t high, std::int64_t step) {
  return {.name = std::move(name),
          .values = std::move(values),
          .default_value = default_value,
          .meaning = std::move(meaning),
          .accepts =
              [low, high, step](const AxisValue& value) {
                const auto* number = std::get_if<std::int64_t>(&value);
                return number != nullptr && *number >= low && *number <= high && *number % step == 0;
              },
          .allowed = step == 1 ? fmt::format("an integer from {} to {}", low, high)
                               : fmt::format("a multiple of {} from {} to {}", step, low, high)};
}

Axis threads_axis() {
  return integer_axis("threads", {1, 0}, 0, "pinned threads; 0: one per logical CPU", 0, 1024);
}

Axis simd_target_axis() {
  using namespace std::string_literals;
  return listed_axis("target", {"best"s, "sse4"s, "avx2"s, "avx512"s}, "best"s, "instruction set");
}

Axis open_integer_axis(std::string name, std::int64_t low, std::int64_t high, std::int64_t default_value,
                       std::string meaning) {
  return integer_axis(std::move(name), {default_value}, default_value, std::move(meaning), low, high);
}

Axis about(std::string data_axis, Axis axis) {
  axis.about = std::move(data_axis);
  return axis;
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
