#pragma once

#include <optional>
#include <vector>

#include "kernels/papara/cuda/policy.hpp"
#include "kernels/papara/scorers.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::papara {

/// Scores on a GPU. References that do not fit its memory are split into pieces, which every launch uploads
/// again; otherwise they stay on the device.
class GpuScorer final : public CudaScorer {
 public:
  GpuScorer(const PaparaProblem& problem, const ScorePoint& at, cuda::CudaDevice& device);

  void enqueue(const Rectangle& part) override;
  void wait() override { device_.synchronize(); }
  void download(const Rectangle& part, i32* scores) override;
  u64 resident_pairs() const override { return resident_threads() * at_.policy.lanes(); }
  u32 reference_unit() const override { return at_.policy.warp_references(); }
  std::string kernel() const override { return score_kernels().name(at_.policy); }
  HeldMemory held() const override;
  Instructions instructions() const override;

  const ScorePoint& point() const { return at_; }
  Resources resources() const;
  /// Uploads of references per launch: 0 if they stay on the device.
  std::size_t pieces() const { return pieces_.size(); }
  bool references_stay() const { return references_stay_; }
  u64 resident_threads() const { return u64{blocks_} * at_.policy.threads_per_block; }
  double upload_s() const { return upload_s_; }

 private:
  struct Piece {
    Range references;
    std::vector<u32> host;  // empty if the words stay on the device
    cuda::DeviceBuffer words;
  };

  void upload_queries();
  void place_references();
  void choose_grid();
  /// Uploads the entries of some queries, the longest first.
  void order(Range queries);
  /// @param references  a part of the piece's
  void launch(const Piece& piece, Range references, u32 first_entry, u32 entries);

  const PaparaProblem& problem_;
  ScorePoint at_;
  cuda::CudaDevice& device_;
  std::shared_ptr<cuda::Kernel> kernel_;
  cuda::DeviceBuffer bases_, entries_, scores_, scratch_, streamed_;
  std::vector<Piece> pieces_;
  bool references_stay_ = true;
  Range ordered_;  // the queries of entries_
  ScoreArguments arguments_{};
  u32 shared_bytes_ = 0;
  u32 blocks_ = 1;
  double upload_s_ = 0;
};

std::unique_ptr<ScoringSession> make_cuda_session(PaparaProblem& problem, const ScorePoint& at,
                                                  cuda::CudaDevice& device);

/// The least number of instructions for scoring by a policy.
Instructions score_instructions(const Policy& policy, double cells);
/// The estimated cost of scoring by a point on a GPU.
Cost score_cost(const ScorePoint& at, const OutlinedSizes& sizes);

}  // namespace gpuseq::papara
