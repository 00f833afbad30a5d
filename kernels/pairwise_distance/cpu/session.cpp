#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Sums and numbers of attributes compared of a block that a thread computes.
u64 buffer_bytes(u64 count, u64 block, bool missing) {
  const u64 side = padded_instances(std::min(block, count));
  return std::max<u64>(side * side * (missing ? 2 : 1) * sizeof(u32), 1);
}

u64 block_of(u64 count, const BlockOptions& options, int threads) {
  return options.block == 0 ? usual_block(count, threads) : options.block;
}

class BlockedSession final : public DistanceSession {
 public:
  BlockedSession(DistanceProblem& problem, std::unique_ptr<BlockComparer> comparer,
                 const BlockOptions& options)
      : DistanceSession(problem),
        comparer_(std::move(comparer)),
        half_(options.half),
        pool_(options.threads),
        block_(block_of(count(), options, pool_.size())),
        places_(blocks_of(count(), block_, half_)) {
    const bool missing = problem.instances().has_missing();
    const u64 entries = count() * count();
    require_host_memory(matrix_bytes(known_data(problem.instances(), problem.metric())),
                        "the distances of all pairs");
    result_.count = count();
    result_.sum.resize(entries);
    if (missing) result_.compared.resize(entries);
    for (int i = 0; i < pool_.size(); ++i) buffers_.emplace_back(buffer_bytes(count(), block_, missing));
  }

  void launch() override {
    std::atomic<u64> next{0};
    pool_.run([&](int thread) {
      for (u64 i; (i = next.fetch_add(1, std::memory_order_relaxed)) < places_.size();)
        compute(places_[i], buffers_[static_cast<std::size_t>(thread)]);
    });
    launched_ = true;
  }

  const Distances& distances() override {
    if (!launched_) launch();
    return result_;
  }

  Cost cost() const override {
    Cost cost = comparer_->cost(pairs_of(count(), half_));
    cost.work = work();
    cost.held.add(kOutputPart, result_.bytes()).add(kWorkspacePart, places_.size() * sizeof(BlockPlace));
    for (const HugeBuffer& buffer : buffers_) cost.held.add(kWorkspacePart, buffer.size());
    return cost;
  }

  HeldMemory held() const override { return cost().held; }

  nlohmann::json facts() const override {
    nlohmann::json facts = DistanceSession::facts();
    facts.update(comparer_->facts());
    facts["threads"] = pool_.size();
    facts["block"] = block_;
    facts["blocks"] = places_.size();
    facts["pairs_computed"] = pairs_of(count(), half_);
    return facts;
  }

 private:
  u64 count() const { return problem_.instances().count; }
  u64 buffer_side() const { return padded_instances(std::min(block_, count())); }

  void compute(const BlockPlace& place, HugeBuffer& memory) {
    const u64 side = buffer_side();
    const bool missing = !result_.compared.empty();
    u32* const sums = reinterpret_cast<u32*>(memory.data());
    const BlockBuffer buffer{.sums = sums, .compared = missing ? sums + side * side : nullptr, .pitch = side};
    comparer_->compare(place, buffer);
    write(place, buffer.sums, result_.sum.data());
    if (missing) write(place, buffer.compared, result_.compared.data());
  }

  void write(const BlockPlace& place, const u32* from, u32* matrix) const {
    comparer_->writer()({.from = from,
                         .pitch = buffer_side(),
                         .place = place,
                         .matrix = matrix,
                         .count = count(),
                         .written = place.upper ? Written::upper
                                    : half_     ? Written::mirrored
                                                : Written::plain});
  }

  std::unique_ptr<BlockComparer> comparer_;
  const bool half_;
  ThreadPool pool_;
  const u64 block_;
  std::vector<BlockPlace> places_;
  std::vector<HugeBuffer> buffers_;  // of each thread
  Distances result_;
  bool launched_ = false;
};

}  // namespace

Cost blocked_cost(const KnownData& data, Cost compared, const BlockOptions& options) {
  compared.work = work_of(data);
  if (data.instances == 0) return compared;
  const int threads = options.threads == 0 ? available_cpus() : options.threads;
  const u64 block = block_of(data.instances, options, threads);
  compared.held.add(kOutputPart, matrix_bytes(data))
      .add(kWorkspacePart, block_count(data.instances, block, options.half) * sizeof(BlockPlace))
      .add(kWorkspacePart, static_cast<u64>(threads) * buffer_bytes(data.instances, block, data.missing));
  return compared;
}

std::unique_ptr<DistanceSession> make_blocked_session(DistanceProblem& problem,
                                                      std::unique_ptr<BlockComparer> comparer,
                                                      const BlockOptions& options) {
  if (problem.memory_limit() > 0) return make_block_band_session(problem, std::move(comparer), options);
  return std::make_unique<BlockedSession>(problem, std::move(comparer), options);
}

}  // namespace gpuseq::pairwise_distance
