#include <fmt/format.h>

#include "kernels/fm_index/index.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;

/// An axis of integers that also takes any multiple of `step` from `low` to `high`.
Axis integers(std::string name, std::vector<AxisValue> values, std::int64_t default_value,
              std::string meaning, std::int64_t low, std::int64_t high, std::int64_t step = 1) {
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

Axis words(std::string name, std::vector<AxisValue> values, AxisValue default_value, std::string meaning) {
  return {.name = std::move(name),
          .values = std::move(values),
          .default_value = std::move(default_value),
          .meaning = std::move(meaning),
          .accepts = {},
          .allowed = {}};
}

Axis steps() {
  return words("k", {1, 2, 3, 4}, 1, "bases a step");
}
Axis threads() {
  return integers("threads", {1, 0}, 0, "pinned threads; 0: one per processor", 0, 1024);
}
Axis prefix() {
  return integers("prefix_symbols", {0, 8, 10, 12}, 10, "symbols answered by the prefix table", 0,
                  kMaxPrefixSymbols);
}

std::vector<Axis> sampled_layout() {
  // 16-bit lanes hold the rows of an entry and of one chunk more; larger entries are no use on a CPU anyway.
  constexpr std::int64_t kLargestD = 4096;
  return {steps(), integers("d", {64, 128, 192, 256, 448}, 64, "rows between counters", 64, kLargestD, 64),
          words("counters", {"full"s, "alternate"s}, "full"s,
                "full: every counter in every entry; alternate: half of them in turn"),
          prefix()};
}

std::vector<Axis> one_hot_layout() {
  return {steps(), words("d", {224, 480}, 224, "rows of a block: of 32 or 64 bytes"), prefix()};
}

std::vector<Axis> interleaving() {
  return {
      integers("queries_in_flight", {8, 16, 32, 64, 96, 128}, 96, "queries that take turns on a thread", 1,
               4096),
      words("prefetch_to", {"l2"s, "l1"s}, "l2"s, "cache that the entries of coming steps are fetched into")};
}

Axis target() {
  return words("target", {"best"s, "sse4"s, "avx2"s, "avx512"s}, "best"s, "instruction set");
}

SearchSpace space(std::vector<Axis> layout, std::vector<Axis> more) {
  layout.insert(layout.end(), more.begin(), more.end());
  layout.push_back(threads());
  return SearchSpace(std::move(layout));
}

std::vector<Axis> interleaving_by_lanes() {
  std::vector<Axis> axes = interleaving();
  axes.push_back(target());
  return axes;
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {{"scalar", DeviceKind::cpu, "one query after the other", space(sampled_layout(), {})},
          {"prefetch", DeviceKind::cpu, "queries take turns, each prefetching its next entry",
           space(sampled_layout(), interleaving())},
          {"simd", DeviceKind::cpu, "one query a vector lane, vectors take turns, with prefetch",
           space(sampled_layout(), interleaving_by_lanes())},
          {"one_hot_simd", DeviceKind::cpu,
           "one bit a row for each word of k bases: one block a step, in vectors",
           space(one_hot_layout(), interleaving_by_lanes())}};
}

}  // namespace gpuseq::fm_index
