#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "runtime/plugin/gpuseq_plugin.h"

// Plugins that are right, and one for each fault.

namespace {

enum class Fault { none, wrong_answer, crash, hang, says_so };

template <class Problem>
struct Case {
  Problem problem;
};

template <class Problem>
const char* prepare(const gpuseq_input* input, void** state) {
  *state = new Case<Problem>{*static_cast<const Problem*>(input->problem)};
  return nullptr;
}

template <class Problem>
void release(void* state) {
  delete static_cast<Case<Problem>*>(state);
}

template <Fault fault>
const char* launch(void*) {
  if (const char* file = std::getenv("GPUSEQ_TEST_LAUNCHES"))
    std::ofstream(file, std::ios::app) << "launch\n";
  if (fault == Fault::crash) std::raise(SIGSEGV);
  while (fault == Fault::hang) std::this_thread::sleep_for(std::chrono::seconds(1));
  return fault == Fault::says_so ? "it is out of order" : nullptr;
}

template <Fault fault>
const char* distances(void* state, void* to) {
  const auto& problem = static_cast<Case<gpuseq_pairwise_distance>*>(state)->problem;
  uint32_t* sum = static_cast<gpuseq_distances*>(to)->sum;
  const uint64_t attributes = problem.attributes;
  for (uint64_t a = 0; a < problem.instances; ++a)
    for (uint64_t b = 0; b < problem.instances; ++b) {
      uint32_t differing = fault == Fault::wrong_answer && a + b == 3 ? 1 : 0;
      for (uint64_t i = 0; i < attributes; ++i)
        differing += problem.codes[a * attributes + i] != problem.codes[b * attributes + i];
      sum[a * problem.instances + b] = differing;
    }
  return nullptr;
}

const char* only_euclidean(const gpuseq_input*, void**) {
  return GPUSEQ_UNSUPPORTED "it has Euclidean distances only";
}

const char* ssv(void* state, void* to) {
  const auto& problem = static_cast<Case<gpuseq_profile_hmm>*>(state)->problem;
  for (uint64_t i = 0; i < problem.sequences; ++i) {
    int best = 128;
    std::vector<int> cells(problem.states + 1, best);
    for (uint64_t at = problem.begin[i]; at < problem.begin[i + 1]; ++at) {
      const uint8_t* costs = problem.match_costs + std::size_t{problem.states} * problem.residues[at];
      for (uint32_t k = problem.states; k-- > 0;) {
        cells[k + 1] = std::max(128, cells[k] + problem.bias - costs[k]);
        best = std::max(best, cells[k + 1]);
      }
    }
    const bool overflow = best >= 255 - problem.bias, empty = problem.begin[i] == problem.begin[i + 1];
    static_cast<int16_t*>(to)[i] = empty      ? int16_t{-32767}
                                   : overflow ? int16_t{32767}
                                              : static_cast<int16_t>(best);
  }
  return nullptr;
}

const char* const kOperations[] = {"add_u8"};

const char* cost_of_cells(void* state, gpuseq_cost* cost) {
  const auto& problem = static_cast<Case<gpuseq_profile_hmm>*>(state)->problem;
  static double additions;
  additions = static_cast<double>(problem.begin[problem.sequences]) * problem.states / 64;
  cost->other_bytes = problem.begin[problem.sequences];
  cost->operations = &additions;
  return nullptr;
}

const int64_t kBlocks[] = {16, 32};
const gpuseq_parameter kParameters[] = {{"block", "rows of a block", kBlocks, 2, 16}};

template <Fault fault>
gpuseq_plugin distances_of(const char* name) {
  gpuseq_plugin plugin{};
  plugin.abi = GPUSEQ_PLUGIN_ABI;
  plugin.family = "pairwise_distance";
  plugin.name = name;
  plugin.summary = "all pairs";
  plugin.device = "cpu";
  plugin.prepare = prepare<gpuseq_pairwise_distance>;
  plugin.launch = launch<fault>;
  plugin.answers = distances<fault>;
  plugin.release = release<gpuseq_pairwise_distance>;
  return plugin;
}

std::vector<gpuseq_plugin> all_plugins() {
  std::vector<gpuseq_plugin> plugins;
  plugins.push_back(distances_of<Fault::none>("right"));
  plugins.back().parameters = kParameters;
  plugins.back().parameter_count = 1;
  gpuseq_plugin scores = distances_of<Fault::none>("scores");
  scores.family = "profile_hmm";
  scores.operations = kOperations;
  scores.operation_count = 1;
  scores.target = "avx2";
  scores.prepare = prepare<gpuseq_profile_hmm>;
  scores.answers = ssv;
  scores.cost = cost_of_cells;
  scores.release = release<gpuseq_profile_hmm>;
  plugins.push_back(scores);
  if (std::getenv("GPUSEQ_TEST_FAULTS") == nullptr) return plugins;
  plugins.push_back(distances_of<Fault::wrong_answer>("wrong_answer"));
  plugins.push_back(distances_of<Fault::crash>("crash"));
  plugins.push_back(distances_of<Fault::hang>("hang"));
  plugins.push_back(distances_of<Fault::says_so>("says_so"));
  plugins.push_back(distances_of<Fault::none>("unsupported"));
  plugins.back().prepare = only_euclidean;
  plugins.push_back(distances_of<Fault::none>("wrong_abi"));
  plugins.back().abi = GPUSEQ_PLUGIN_ABI + 1;
  plugins.back().parameters = reinterpret_cast<const gpuseq_parameter*>(1);  // which no function may read
  plugins.back().parameter_count = 7;
  return plugins;
}

}  // namespace

extern "C" const gpuseq_plugin* gpuseq_plugin_at(uint32_t index) {
  static const std::vector<gpuseq_plugin> plugins = all_plugins();
  return index < plugins.size() ? &plugins[index] : nullptr;
}
