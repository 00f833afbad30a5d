#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "kernels/exact_match/cuda/policy.hpp"
#include "kernels/exact_match/cuda/tree.hpp"
#include "kernels/exact_match/data/strands.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "runtime/cuda/pinned_buffer.hpp"
#include "runtime/system/huge_buffer.hpp"

namespace gpuseq::exact_match {

/// Host memory that a device copies from and to: pinned if available.
class Staging {
 public:
  /// Memory for `count` values with undefined content.
  template <typename T>
  std::span<T> take(cuda::CudaDevice& device, u64 count) {
    grow(device, count * sizeof(T));
    return {static_cast<T*>(data_), count};
  }

 private:
  void grow(cuda::CudaDevice& device, u64 bytes);

  cuda::PinnedBuffer pinned_;
  HugeBuffer pageable_;
  void* data_ = nullptr;
  u64 bytes_ = 0;
};

/// Searches blocks of queries in one tree after another on a device. Its device memory for queries and
/// results grows to the largest block and is kept.
class CudaSearch {
 public:
  /// Loads the kernel.
  CudaSearch(const MatchPoint& at, const Search& search, cuda::CudaDevice& device,
             const std::filesystem::path& cache_dir, ThreadPool& pool);

  /// Prepares and uploads the strands of the queries for the following launches.
  /// @param queries  must outlive the launches
  /// @throws DoesNotFit with the memory that queries and results need and the memory available
  void take(const Queries& queries);
  /// Sets the tree for the following launches, and uploads it if necessary. @throws DoesNotFit
  void use(const TreePart& part);

  /// Searches. Listing matches takes two launches, the second of which depends on the results of
  /// the first. Blocks.
  void run();
  /// Enqueues the last launches of run() again, with the same queries and tree; without a
  /// previous run() only slots.
  void enqueue();
  /// Copies the results of the last launches to the host, for slots() and list().
  void download();
  /// Only copies the slots of the last launch; their nodes may be those of a tree with leaves.
  void copy_slots();
  /// The downloaded slots. @returns [slots of all strands]; empty if matches are listed by the kernel
  std::span<const Slot> slots() const { return slots_found_; }
  /// The downloaded matches of the current part: all its own, at positions of Reference::text.
  MatchList list();
  /// Calls `work(first, count)` for pieces of the queries on all threads.
  void in_pieces(const std::function<MatchList(u64 first, u64 count)>& work, MatchList& list);

  const MatchPoint& point() const { return at_; }
  const StrandLayout& layout() const { return layout_; }
  /// Seconds of all calls: "load_kernel", "strands", "sort", "upload", "upload_tree", "words", "kernel",
  /// "download", "listing".
  const std::map<std::string, double>& phases() const { return phases_; }
  /// Seconds of uploading the current tree, also if another search uploaded it.
  double tree_upload_s() const;
  Resources resources() const;
  HeldMemory held() const;
  /// "kernel", "device_tree_bytes", "word_table_bytes", "query_bytes", "result_bytes", "second_launch_tasks".
  nlohmann::json facts() const;

 private:
  void allocate();
  void set_queries();
  u64 tasks() const { return layout_.strands() * at_.policy.lanes; }
  u64 result_bytes() const;
  void launch(MatchArguments& arguments, u64 tasks);
  void prepare_second();
  /// Adds the seconds of the work to a phase.
  template <typename Work>
  void timed(const char* phase, const Work& work);

  MatchPoint at_;
  Search search_;
  cuda::CudaDevice& device_;
  ThreadPool& pool_;
  std::shared_ptr<cuda::Kernel> kernel_;
  std::map<std::string, double> phases_;

  const Queries* queries_ = nullptr;
  StrandLayout layout_;
  cuda::DeviceBuffer letters_, begin_, slot_begin_, order_;

  TreePart part_;
  DeviceCopy tree_;

  MatchArguments arguments_{}, second_{};
  cuda::DeviceBuffer slots_, first_matches_, second_matches_, counts_, long_tasks_, match_begin_;
  LongTasks longer_{.tasks = {}, .begin = {0}};

  Staging letters_stage_, found_stage_, second_stage_, counts_stage_;
  std::span<const Slot> slots_found_;
  std::span<const FoundMatch> first_found_, second_found_;
  std::span<const u32> counts_found_;
};

}  // namespace gpuseq::exact_match
