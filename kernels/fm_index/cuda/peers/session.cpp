#include "kernels/fm_index/cuda/peers/session.hpp"

#include <algorithm>
#include <array>

#include "kernels/fm_index/cuda/peers/on_peers.hpp"
#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// Each device has all of the index and searches a part of the queries. Peers wait for the device of the
/// state, which then waits for them.
class QueriesOnPeers final : public SearchOnPeers {
 public:
  QueriesOnPeers(FmProblem& problem, const SearchPoint& at, CudaDevice& device, const cuda::Peers& peers)
      : SearchOnPeers(problem, at, device, peers) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      ranges_.push_back(queries_of_device(problem.queries().begin.size(), i, parts_.size()));
      queries_.emplace_back(problem.queries(), ranges_[i], index_on_->device(i));
      prepare(i, queries_[i].view());
      parts_[i].query_bytes = queries_[i].bytes();
      parts_[i].upload_s = queries_[i].upload_s();
      if (i > 0) sides_.push_back(std::make_unique<cuda::SideStream>(device, index_on_->device(i)));
    }
  }

  void launch() override {
    launched_ = true;
    for (const auto& side : sides_) side->fork();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      if (ranges_[i].count == 0) continue;
      std::array<void*, 1> arguments{&part.arguments};
      part.kernel->launch(part.blocks, at_.policy.threads_per_block, at_.policy.shared_bytes(), arguments,
                          i == 0 ? nullptr : sides_[i - 1]->stream());
    }
    for (const auto& side : sides_) side->join();
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the launches of its peers are done
    std::vector<Interval<u64>> answers(problem_.queries().begin.size());
    double seconds = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      seconds += download_intervals(at_.policy, parts_[i].intervals, index_on_->device(i),
                                    std::span(answers).subspan(ranges_[i].first, ranges_[i].count));
    download_s_.push_back(seconds);
    return answers;
  }

 protected:
  std::string why_no_bound() const override {
    const std::string reason = SearchOnPeers::why_no_bound();
    return reason.empty() ? kNoBoundOfCopies : reason;
  }

 private:
  std::vector<std::unique_ptr<cuda::SideStream>> sides_;  // of the peers
  std::vector<QueryRange> ranges_;
  std::vector<DeviceQueries> queries_;
};

}  // namespace

QueryRange queries_of_device(std::size_t queries, std::size_t part, std::size_t devices) {
  const std::size_t rest = queries % devices, first = queries / devices * part + std::min(part, rest);
  return {first, queries / devices + (part < rest ? 1 : 0)};
}

std::unique_ptr<SearchSession> prepare_on_peers(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                                                const cuda::Peers& peers) {
  if (at.index_on == IndexOn::parts) return prepare_routed_on_peers(problem, at, device, peers);
  return std::make_unique<QueriesOnPeers>(problem, at, device, peers);
}

}  // namespace gpuseq::fm_index
