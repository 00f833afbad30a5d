#include "kernels/fm_index/cuda/peers/session.hpp"

#include <algorithm>
#include <array>

#include "kernels/fm_index/cuda/peers/on_two.hpp"
#include "kernels/fm_index/cuda/peers/routed_session.hpp"
#include "kernels/fm_index/data/verify.cuh"
#include "runtime/cuda/side_stream.hpp"

namespace gpuseq::fm_index {
namespace {

using cuda::CudaDevice;

/// Half of the queries is searched by each device: the peer waits for the first and is waited for.
class QueriesOnTwo final : public SearchOnTwo {
 public:
  QueriesOnTwo(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
               const std::shared_ptr<CudaDevice>& peer)
      : SearchOnTwo(problem, at, device, peer), side_(device, *index_on_->peer()) {
    for (std::size_t i = 0; i < kDevices; ++i) {
      ranges_[i] = queries_of_device(problem.queries().begin.size(), i);
      queries_[i] = DeviceQueries(problem.queries(), ranges_[i], device_of(i));
      prepare(i, queries_[i].view());
      parts_[i].query_bytes = queries_[i].bytes();
      parts_[i].upload_s = queries_[i].upload_s();
    }
  }

  void launch() override {
    launched_ = true;
    side_.fork();
    for (std::size_t i = 0; i < kDevices; ++i) {
      Part& part = parts_[i];
      if (ranges_[i].count == 0) continue;
      std::array<void*, 1> arguments{&part.arguments};
      part.kernel->launch(part.blocks, at_.policy.threads_per_block, at_.policy.shared_bytes(), arguments,
                          i == 0 ? nullptr : side_.stream());
    }
    side_.join();
  }

  std::vector<Interval<u64>> answers() override {
    if (!launched_) launch();
    device_.synchronize();  // with it the peer's launch is done
    std::vector<Interval<u64>> answers(problem_.queries().begin.size());
    double seconds = 0;
    for (std::size_t i = 0; i < kDevices; ++i)
      seconds += download_intervals(at_.policy, parts_[i].intervals, *parts_[i].device,
                                    std::span(answers).subspan(ranges_[i].first, ranges_[i].count));
    download_s_.push_back(seconds);
    return answers;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = SearchOnTwo::facts();
    facts["remote_share"] = at_.index_on == IndexOn::halves
                                ? remote_share(problem_.queries(), *index_, index_on_->entries_on_first())
                                : 0.0;
    return facts;
  }

 protected:
  std::string why_no_bound() const override {
    const std::string reason = SearchOnTwo::why_no_bound();
    return reason.empty() ? no_bound_on_two(at_.index_on) : reason;
  }

 private:
  cuda::SideStream side_;
  std::array<QueryRange, kDevices> ranges_;
  std::array<DeviceQueries, kDevices> queries_;
};

}  // namespace

QueryRange queries_of_device(std::size_t queries, std::size_t part) {
  const std::size_t first = (queries + 1) / 2;
  return part == 0 ? QueryRange{0, first} : QueryRange{first, queries - first};
}

double remote_share(const Queries& queries, const Index& index, u64 entries_on_first) {
  constexpr std::size_t kMost = 2000;
  const std::size_t count = queries.begin.size(), counted = std::min(count, kMost);
  const u32 k = index.layout.k;
  const u64 word_bytes = index.view.blocks_per_word * index.layout.entry_bytes();
  const std::size_t first_of_second = queries_of_device(count, 1).first;
  u64 steps = 0, remote = 0;
  for (std::size_t i = 0; i < counted; ++i) {
    const std::size_t query = i * count / counted;
    const u32* packed = queries.packed.data() + u64{queries.begin[query]} * 4;
    const auto word_at = [packed](u32 number) { return packed[number]; };
    for (u32 at = prefix_length(queries.bases[query], index.view.prefix_symbols, k);
         at < queries.bases[query]; at += k, ++steps) {
      // Blocks of a word lie one behind the other; where they lie on both devices, by their middle.
      const u64 middle = query_symbols(at, k, word_at) * word_bytes + word_bytes / 2;
      remote += (middle < entries_on_first) == (query < first_of_second) ? 0 : 1;
    }
  }
  return steps == 0 ? 0 : static_cast<double>(remote) / static_cast<double>(steps);
}

std::string no_bound_on_two(IndexOn on) {
  return on == IndexOn::halves
             ? "half of what each device reads comes over the link, and the rest from its own "
               "memory: no probe reads both at a time"
             : "two devices search, probes measure what one can do";
}

std::unique_ptr<SearchSession> prepare_on_two(FmProblem& problem, const SearchPoint& at, CudaDevice& device,
                                              const std::shared_ptr<CudaDevice>& peer) {
  if (at.policy.scheme == Scheme::one_hot_routed) return prepare_routed_on_two(problem, at, device, peer);
  return std::make_unique<QueriesOnTwo>(problem, at, device, peer);
}

}  // namespace gpuseq::fm_index
