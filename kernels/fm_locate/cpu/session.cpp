#include "kernels/fm_locate/cpu/session.hpp"

namespace gpuseq::fm_locate {
namespace {

class CpuLocate final : public LocateSession {
 public:
  CpuLocate(LocateProblem& problem, std::shared_ptr<const Index> index, const DispatchedWalks& kernel,
            u32 in_flight, int threads)
      : LocateSession(problem, std::move(index), kCacheLineBytes),
        kernel_(kernel),
        pool_(threads),
        positions_(problem.occurrences().total() * sizeof(u32)),
        job_{.index = index_->view,
             .occurrences = problem.occurrences().view(),
             .positions = reinterpret_cast<u32*>(positions_.data()),
             .begin = 0,
             .end = 0,
             .in_flight = in_flight} {}

  void launch() override {
    launched_ = true;
    constexpr std::size_t kLeastAtATime = 512;  // large enough to hide the start and the end of a batch
    const std::size_t total = problem_.occurrences().total();
    pool_.parallel_for(total, piece_size(total, pool_.size(), kLeastAtATime),
                       [this](std::size_t begin, std::size_t end) {
                         WalkJob piece = job_;
                         piece.begin = static_cast<u32>(begin);
                         piece.end = static_cast<u32>(end);
                         kernel_.walk(piece);
                       });
  }

  std::vector<u32> positions() override {
    if (!launched_) launch();
    return {job_.positions, job_.positions + problem_.occurrences().total()};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = LocateSession::facts();
    facts["highway_target"] = kernel_.target;
    facts["threads"] = pool_.size();
    return facts;
  }

 private:
  DispatchedWalks kernel_;
  ThreadPool pool_;
  HugeBuffer positions_;
  WalkJob job_;
  bool launched_ = false;
};

}  // namespace

std::unique_ptr<LocateSession> make_cpu_session(LocateProblem& problem, const Layout& layout,
                                                const DispatchedWalks& kernel, u32 in_flight, int threads) {
  return std::make_unique<CpuLocate>(problem, problem.index(layout), kernel, in_flight, threads);
}

}  // namespace gpuseq::fm_locate
