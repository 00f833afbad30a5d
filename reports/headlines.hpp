#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What a run found, in sentences that need no table: for the page, and for a terminal.
namespace gpuseq::reports {

/// An entry of run.json's `tuned`, what its device is called, and the run.json that it is of (may be null).
struct Reached {
  const nlohmann::json* winner = nullptr;
  std::string device_name = {};
  const nlohmann::json* summary = nullptr;
};

/// A sentence on a problem.
struct Headline {
  std::string family = {};
  std::string sentence = {};
  std::vector<std::string> remarks = {};  // sentences on what a user waits for, and on other sizes
  std::vector<std::string> caveats = {};  // sentences of their own, what a reader must know beside it
};

/// The words of a winner: its variant and what of its point a reader tells it by.
using WinnerWords = std::function<std::string(const nlohmann::json& winner)>;

/// "one_hot, k = 2, d = 224": the variant, and of its point the axes in which the runners-up differ, three at
/// most.
std::string winner_words(const nlohmann::json& winner);

/// A headline a problem and objective, in the order of the winners; of a device that has several winners of
/// one problem the best counts. "ecoli, 4.94 Mbases, queries of 100 bases: the GPU reaches 316 G query bases
/// a second (one_hot, k = 2), 89 % of what DRAM allows; the CPU 1.2 G (simd), 260 times less."
std::vector<Headline> headlines(const std::vector<Reached>& reached,
                                const WinnerWords& words_of = winner_words);

/// Those of one run, from its run.json.
std::vector<Headline> headlines(const nlohmann::json& summary, const WinnerWords& words_of = winner_words);

/// What of a whole run a reader must know: load from elsewhere, probes that no two passes agree on.
std::vector<std::string> run_caveats(const nlohmann::json& summary);

/// "NVIDIA H200" and "cuda:0" as a sentence has them: "the GPU" where `reached` knows no other GPU by another
/// name.
std::string device_words(const std::vector<Reached>& reached, const Reached& of);

/// A problem in its family's few words; where another problem of the family has the same, with the axes that
/// tell it from those.
std::string problem_words(const std::vector<Reached>& reached, const Reached& of);

}  // namespace gpuseq::reports
