#include "kernels/fm_mismatch/cpu/session.hpp"

namespace gpuseq::fm_mismatch {
namespace {

class CpuMismatch final : public MismatchSession {
 public:
  CpuMismatch(MismatchProblem& problem, SearchKernel kernel, u32 prefix_symbols, u32 in_flight, int threads)
      : MismatchSession(problem, prefix_symbols),
        kernel_(kernel),
        pool_(threads),
        answers_(problem.places() * sizeof(Answer)),
        job_{.index = view(),
             .queries = problem.queries_view(),
             .strands = problem.strands(),
             .answers = reinterpret_cast<Answer*>(answers_.data()),
             .hits = {nullptr, nullptr},
             .begin = 0,
             .end = 0,
             .in_flight = in_flight} {}

  void launch() override {
    launched_ = true;
    search(nullptr, nullptr);
  }

  std::vector<Answer> answers() override {
    if (!launched_) launch();
    return {job_.answers, job_.answers + problem_.places()};
  }

  std::vector<Hit> hits() override {
    const std::vector<u64> begins = begins_of_hits(answers());
    std::vector<Hit> hits(begins.back());
    search(hits.data(), begins.data());
    return hits;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MismatchSession::facts();
    facts["threads"] = pool_.size();
    return facts;
  }

 private:
  void search(Hit* hits, const u64* begins) {
    constexpr std::size_t kLeastAtATime = 64;  // large enough to hide the start and the end of a batch
    const std::size_t places = problem_.places();
    pool_.parallel_for(places, piece_size(places, pool_.size(), kLeastAtATime),
                       [&](std::size_t begin, std::size_t end) {
                         SearchJob piece = job_;
                         piece.hits = {hits, begins};
                         piece.begin = begin;
                         piece.end = end;
                         kernel_(piece);
                       });
  }

  SearchKernel kernel_;
  ThreadPool pool_;
  HugeBuffer answers_;
  SearchJob job_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<MismatchSession> make_cpu_session(MismatchProblem& problem, SearchKernel kernel,
                                                  u32 prefix_symbols, u32 in_flight, int threads) {
  return std::make_unique<CpuMismatch>(problem, kernel, prefix_symbols, in_flight, threads);
}

}  // namespace gpuseq::fm_mismatch
