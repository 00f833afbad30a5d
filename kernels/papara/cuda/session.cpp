#include "kernels/papara/cuda/scorer.hpp"

namespace gpuseq::papara {
namespace {

/// Instructions of a word of cells at least: those of the recurrence.
std::map<std::string, double> instructions_per_word(const Policy& policy) {
  const bool halves = policy.arithmetic == Arithmetic::f16x2;
  const std::string of = halves ? "_f16x2" : policy.arithmetic == Arithmetic::s32 ? "_s32" : "_s16x2";
  if (!policy.blocked()) {
    // Equation 1 as it stands: four sums, three of which may be joined with a minimum, and four minima.
    if (halves) return {{"add" + of, 4}, {"min" + of, 4}};
    return {{"add" + of, 1}, {"viaddmin" + of, 3}, {"min" + of, 1}};
  }
  std::map<std::string, double> counts;
  if (halves)
    counts = {{"add" + of, 2}, {"min" + of, 3}};
  else if (policy.multiplies())
    counts = {{"viaddmin" + of, 1.5}, {"min" + of, 0.5}, {"vimin3" + of, 0.5}, {"imad", 0.5}};
  else
    counts = {{"viaddmin" + of, 2}, {"min" + of, 1}};
  if (!policy.branched) {
    counts["prmt"] = 1;
    if (halves) counts["lop3"] = 1;
  }
  return counts;
}

Rectangle all_pairs(const PaparaProblem& problem) {
  return {{0, problem.queries().count()}, {0, problem.references().count}};
}

class CudaScoring final : public ScoringSession {
 public:
  CudaScoring(PaparaProblem& problem, const ScorePoint& at, cuda::CudaDevice& device)
      : ScoringSession(problem), scorer_(problem, at, device) {}

  void launch() override {
    launched_ = true;
    scorer_.enqueue(all_pairs(problem_));
  }

  const std::vector<i32>& scores() override {
    if (!launched_) launch();
    scores_.resize(u64{problem_.queries().count()} * problem_.references().count);
    scorer_.download(all_pairs(problem_), scores_.data());
    return scores_;
  }

  std::optional<Instructions> instructions() const override {
    const Policy& policy = scorer_.point().policy;
    Instructions instructions;
    for (const auto& [operation, count] : instructions_per_word(policy))
      instructions.operations[operation] = count * problem_.cells() / policy.lanes();
    return instructions;
  }

  std::optional<Resources> resources() const override { return scorer_.resources(); }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    return {{"upload", {scorer_.upload_s()}}};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = ScoringSession::facts();
    facts["resident_threads"] = scorer_.resident_threads();
    if (scorer_.point().policy.blocked())
      facts["border"] = scorer_.point().policy.boundary_in_shared ? "shared" : "global";
    facts["reference_pieces"] = scorer_.pieces();
    facts["references_stay_on_device"] = scorer_.references_stay();
    return facts;
  }

 private:
  GpuScorer scorer_;
  std::vector<i32> scores_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<ScoringSession> make_cuda_session(PaparaProblem& problem, const ScorePoint& at,
                                                  cuda::CudaDevice& device) {
  return std::make_unique<CudaScoring>(problem, at, device);
}

Needs score_needs(const Policy& policy) {
  return {.operations = names_of(instructions_per_word(policy))};
}

}  // namespace gpuseq::papara
