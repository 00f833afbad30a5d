#include <chrono>

#include "kernels/papara/cuda/scorer.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::papara {
namespace {

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
    scorer_.wait();
    const auto start = std::chrono::steady_clock::now();
    scorer_.download(all_pairs(problem_), scores_.data());
    download_s_.push_back(seconds_since(start));
    return scores_;
  }

  std::optional<Resources> resources() const override { return scorer_.resources(); }
  HeldMemory held() const override { return scorer_.held(); }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples{{"upload", {scorer_.upload_s()}}};
    if (!download_s_.empty()) samples["download"] = download_s_;
    return samples;
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

 protected:
  std::optional<Instructions> instructions() const override { return scorer_.instructions(); }

 private:
  GpuScorer scorer_;
  std::vector<i32> scores_;
  std::vector<double> download_s_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<ScoringSession> make_cuda_session(PaparaProblem& problem, const ScorePoint& at,
                                                  cuda::CudaDevice& device) {
  return std::make_unique<CudaScoring>(problem, at, device);
}

}  // namespace gpuseq::papara
