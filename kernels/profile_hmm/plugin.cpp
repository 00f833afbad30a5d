#include "kernels/profile_hmm/family.hpp"
#include "kernels/profile_hmm/outline.hpp"
#include "kernels/profile_hmm/problem.hpp"
#include "runtime/plugin/gpuseq_plugin.h"

namespace gpuseq::profile_hmm {
namespace {

/// The scores that a plugin writes, checked as those of a session.
class PluginScores final : public FilterSession {
 public:
  explicit PluginScores(FilterProblem& problem)
      : FilterSession(problem), answers(problem.sequences().count(), kNoScore) {
    const Profile& profile = problem.profile();
    const Sequences& sequences = problem.sequences();
    begin_.assign(sequences.begin.begin(), sequences.begin.end());
    for (u64 i = 0; i < sequences.count(); ++i) {
      const LengthModel lengths = length_model(sequences.length(i));
      jump_.push_back(lengths.jump);
      move_.push_back(lengths.move);
    }
    given = {.filter = kFilterNames[problem.filter()].data(),
             .states = profile.length,
             .residue_codes = kResidueCodes,
             .base = profile.base,
             .bias = profile.bias,
             .begin_match = profile.begin_match,
             .end = profile.end,
             .match_costs = profile.match_costs.data(),
             .word_base = profile.word_base,
             .end_loop = profile.end_loop,
             .end_move = profile.end_move,
             .delete_bound = profile.delete_bound,
             .match_scores = profile.match_scores.data(),
             .steps = {},
             .sequences = sequences.count(),
             .begin = begin_.data(),
             .residues = sequences.codes.data(),
             .jump = jump_.data(),
             .move = move_.data()};
    static_assert(kSteps == std::size(decltype(given.steps){}));
    for (u32 step = 0; step < kSteps; ++step) given.steps[step] = profile.steps[step].data();
  }
  HeldMemory held() const override { return {}; }
  void launch() override {}
  std::vector<RawScore> scores() override { return answers; }

  gpuseq_profile_hmm given{};
  std::vector<RawScore> answers;

 protected:
  std::optional<Instructions> instructions() const override { return std::nullopt; }

 private:
  std::vector<std::uint64_t> begin_;
  std::vector<u8> jump_;
  std::vector<i16> move_;
};

PluginProblem encode(Problem& any) {
  const auto own = std::make_shared<PluginScores>(dynamic_cast<FilterProblem&>(any));
  return {.owner = own,
          .problem = &own->given,
          .answers = own->answers.data(),
          .work = own->work(),
          .check = [own = own.get()] { return own->verify(); },
          .facts = own->facts()};
}

std::uint64_t letters(const StateOutline& state) {
  return outlined_sizes(state).residues;
}

}  // namespace

PluginSupport plugin_support() {
  return {.family = "profile_hmm", .encode = encode, .letters = letters};
}

}  // namespace gpuseq::profile_hmm
