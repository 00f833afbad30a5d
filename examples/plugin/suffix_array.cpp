// A plugin for fm_index on the CPU: counts patterns by binary search in a suffix array.
//
//   g++ -O3 -std=c++20 -shared -fPIC -I runtime/plugin examples/plugin/suffix_array.cpp -o libsuffix_array.so

#include <algorithm>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "gpuseq_plugin.h"

namespace {

constexpr uint32_t kBlockBytes = 64;

struct Search {
  gpuseq_fm_index problem;
  int threads;
  std::vector<uint32_t> suffixes;
  std::vector<uint64_t> counts;
  std::vector<gpuseq_traffic_class> levels;

  // Compares the first letters of a suffix with a pattern.
  bool before(uint32_t suffix, std::span<const uint8_t> pattern, bool or_equal) const {
    const uint64_t letters = std::min<uint64_t>(pattern.size(), problem.bases - suffix);
    const int order = std::memcmp(problem.text + suffix, pattern.data(), letters);
    return order < 0 || (order == 0 && (letters < pattern.size() || or_equal));
  }
  uint64_t bound(std::span<const uint8_t> pattern, bool upper) const {
    const auto less = [&](uint32_t suffix) { return before(suffix, pattern, upper); };
    return std::ranges::partition_point(suffixes, less) - suffixes.begin();
  }
  void search(uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; ++i) {
      const std::span pattern(problem.letters + problem.begin[i], problem.letters + problem.begin[i + 1]);
      counts[i] = bound(pattern, true) - bound(pattern, false);
    }
  }
};

const char* prepare(const gpuseq_input* input, void** state) {
  const auto& problem = *static_cast<const gpuseq_fm_index*>(input->problem);
  if (problem.bases > UINT32_MAX) return GPUSEQ_UNSUPPORTED "positions have 32 bits";
  auto* search = new Search{problem, input->device.threads, {}, {}, {}};
  search->counts.resize(problem.patterns);
  search->suffixes.resize(problem.bases);
  for (uint32_t i = 0; i < problem.bases; ++i) search->suffixes[i] = i;
  const std::span text(problem.text, problem.bases);
  std::ranges::sort(search->suffixes, [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(text.subspan(a), text.subspan(b));
  });
  *state = search;
  return nullptr;
}

const char* launch(void* state) {
  auto& search = *static_cast<Search*>(state);
  const uint64_t share = search.problem.patterns / search.threads + 1;
  std::vector<std::jthread> threads;
  for (uint64_t first = 0; first < search.problem.patterns; first += share)
    threads.emplace_back(
        [&, first] { search.search(first, std::min(first + share, search.problem.patterns)); });
  return nullptr;
}

const char* answers(void* state, void* to) {
  std::ranges::copy(static_cast<Search*>(state)->counts, static_cast<uint64_t*>(to));
  return nullptr;
}

// Step i of a binary search reads one of 2^i entries and its suffix: a block each, for both ends of the
// interval.
const char* cost(void* state, gpuseq_cost* cost) {
  auto& search = *static_cast<Search*>(state);
  cost->index_bytes = search.suffixes.size() * sizeof(uint32_t) + search.problem.bases;
  search.levels.clear();
  for (uint64_t places = 1; places < search.problem.bases; places *= 2) {
    search.levels.push_back(
        {std::min(2 * places * kBlockBytes, cost->index_bytes), 4.0 * search.problem.patterns});
    cost->blocks += search.levels.back().blocks;
  }
  cost->footprint_bytes = cost->index_bytes;
  cost->classes = search.levels.data();
  cost->class_count = search.levels.size();
  return nullptr;
}

void release(void* state) {
  delete static_cast<Search*>(state);
}

const gpuseq_plugin kPlugin{.abi = GPUSEQ_PLUGIN_ABI,
                            .family = "fm_index",
                            .name = "suffix_array",
                            .summary = "binary search in a suffix array",
                            .device = "cpu",
                            .block_bytes = kBlockBytes,
                            .dependent = 1,
                            .footprint_per_letter = 5,
                            .prepare = prepare,
                            .launch = launch,
                            .answers = answers,
                            .cost = cost,
                            .release = release};

}  // namespace

extern "C" const gpuseq_plugin* gpuseq_plugin_at(uint32_t index) {
  return index == 0 ? &kPlugin : nullptr;
}
