#include "kernels/fm_index/index.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/axes.hpp"

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;

Axis steps() {
  return listed_axis("k", {1, 2, 3, 4}, 1, "bases a step");
}
Axis prefix() {
  return integer_axis("prefix_symbols", {0, 8, 10, 12}, 10, "symbols answered by the prefix table", 0,
                      kMaxPrefixSymbols);
}

std::vector<Axis> sampled_layout() {
  // 16-bit lanes hold the rows of an entry and of one chunk more; larger entries are no use on a CPU anyway.
  constexpr std::int64_t kLargestD = 4096;
  return {steps(),
          integer_axis("d", {64, 128, 192, 256, 448}, 64, "rows between counters", 64, kLargestD, 64),
          listed_axis("counters", {"full"s, "alternate"s}, "full"s,
                      "full: every counter in every entry; alternate: half of them in turn"),
          prefix()};
}

std::vector<Axis> one_hot_layout() {
  return {steps(), listed_axis("d", {224, 480}, 224, "rows of a block: of 32 or 64 bytes"), prefix()};
}

std::vector<Axis> interleaving() {
  return {integer_axis("queries_in_flight", {8, 16, 32, 64, 96, 128}, 96,
                       "queries that take turns on a thread", 1, 4096),
          listed_axis("prefetch_to", {"l2"s, "l1"s}, "l2"s,
                      "cache that the entries of coming steps are fetched into")};
}

SearchSpace space(std::vector<Axis> layout, std::vector<Axis> more) {
  layout.insert(layout.end(), more.begin(), more.end());
  layout.push_back(threads_axis());
  return SearchSpace(std::move(layout));
}

std::vector<Axis> interleaving_by_lanes() {
  std::vector<Axis> axes = interleaving();
  axes.push_back(simd_target_axis());
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
