#include "kernels/pairwise_distance/band_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "kernels/pairwise_distance/cpu/blocks.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Bands of blocks. Rows of a band have all columns, so that each pair is computed twice, once of each row.
class BlockBandSession final : public BandSession {
 public:
  BlockBandSession(DistanceProblem& problem, std::unique_ptr<BlockComparer> comparer,
                   const BlockOptions& options)
      : BandSession(problem, options.threads),
        comparer_(std::move(comparer)),
        block_(block_for(options.block == 0 ? usual_block(count(), pool_.size()) : options.block)),
        rows_(std::min(count(), std::max(most_rows() / block_, u64{1}) * block_)) {
    const u64 buffer_bytes = block_ * block_ * pair_bytes();
    require_host_memory(rows_ * count() * pair_bytes() + buffer_bytes * static_cast<u64>(pool_.size()),
                        "the distances of a band of rows");
    sum_.resize(rows_ * count());
    if (missing()) compared_.resize(rows_ * count());
    for (int i = 0; i < pool_.size(); ++i) buffers_.emplace_back(buffer_bytes);
  }

  void each_band(const TakeBand& take) override {
    for (u64 first = 0; first < count(); first += rows_) {
      const u64 rows = std::min(rows_, count() - first), entries = rows * count();
      compute(first, rows);
      take({.first = first,
            .rows = rows,
            .count = count(),
            .sum = {sum_.data(), entries},
            .compared = {compared_.data(), missing() ? entries : 0}});
    }
  }

  Cost cost() const override {
    Cost cost = comparer_->cost(pairs_of(count(), false));
    cost.work = work();
    cost.held.add(kOutputPart, result_bytes() + (sum_.size() + compared_.size()) * sizeof(u32));
    for (const HugeBuffer& buffer : buffers_) cost.held.add(kWorkspacePart, buffer.size());
    return cost;
  }

  HeldMemory held() const override { return cost().held; }

  nlohmann::json facts() const override {
    nlohmann::json facts = BandSession::facts();
    facts.update(comparer_->facts());
    facts["threads"] = pool_.size();
    facts["block"] = block_;
    facts["band_rows"] = rows_;
    facts["pairs_computed"] = pairs_of(count(), false);
    return facts;
  }

 private:
  u64 most_rows() const { return problem_.memory_limit() / (count() * pair_bytes()); }
  /// So that a band is a block high, at least.
  u64 block_for(u64 wanted) const {
    if (most_rows() < std::min(count(), kInstancePadding))
      throw DoesNotFit(fmt::format("{} rows of distances to {} instances take {} bytes, allowed: {}",
                                   kInstancePadding, count(), kInstancePadding * count() * pair_bytes(),
                                   problem_.memory_limit()));
    return most_rows() >= wanted ? wanted : kInstancePadding;
  }

  bool missing() const { return problem_.instances().has_missing(); }

  void compute(u64 first, u64 rows) {
    const u64 columns = (count() + block_ - 1) / block_, blocks = (rows + block_ - 1) / block_ * columns;
    std::atomic<u64> next{0};
    pool_.run([&](int thread) {
      for (u64 i; (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
        const u64 row = first + i / columns * block_, column = i % columns * block_;
        compute({.row = row,
                 .rows = std::min(block_, first + rows - row),
                 .column = column,
                 .columns = std::min(block_, count() - column),
                 .upper = false},
                first, buffers_[static_cast<std::size_t>(thread)]);
      }
    });
  }

  void compute(const BlockPlace& place, u64 first, HugeBuffer& memory) {
    u32* const sums = reinterpret_cast<u32*>(memory.data());
    const BlockBuffer buffer{
        .sums = sums, .compared = missing() ? sums + block_ * block_ : nullptr, .pitch = block_};
    comparer_->compare(place, buffer);
    BlockPlace in_band = place;
    in_band.row -= first;
    BlockWrite write{.from = buffer.sums,
                     .pitch = block_,
                     .place = in_band,
                     .matrix = sum_.data(),
                     .count = count(),
                     .written = Written::plain};
    comparer_->writer()(write);
    if (!missing()) return;
    write.from = buffer.compared;
    write.matrix = compared_.data();
    comparer_->writer()(write);
  }

  std::unique_ptr<BlockComparer> comparer_;
  const u64 block_, rows_;
  std::vector<u32> sum_, compared_;  // of a band
  std::vector<HugeBuffer> buffers_;  // of each thread
};

}  // namespace

std::unique_ptr<DistanceSession> make_block_band_session(DistanceProblem& problem,
                                                         std::unique_ptr<BlockComparer> comparer,
                                                         const BlockOptions& options) {
  return std::make_unique<BlockBandSession>(problem, std::move(comparer), options);
}

}  // namespace gpuseq::pairwise_distance
