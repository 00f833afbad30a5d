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

/// Host memory that a device copies from and to: pinned where that can be had.
class Staging {
 public:
  /// Memory for so many values, what was in it before or anything else.
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

/// Searches blocks of queries in one tree after another on a device. What it takes there for queries and
/// results grows to the largest block and stays.
class CudaSearch {
 public:
  /// Loads the kernel.
  CudaSearch(const MatchPoint& at, const Search& search, cuda::CudaDevice& device,
             const std::filesystem::path& cache_dir, ThreadPool& pool);

  /// The queries of the launches that follow: their strands are made and uploaded.
  /// @param queries  must outlive the launches
  /// @throws DoesNotFit with what they and what is found need and what there is
  void take(const Queries& queries);
  /// The tree of the launches that follow, uploaded if need be. @throws DoesNotFit
  void use(const TreePart& part);

  /// Searches, with matches listed at once in two launches: what the second does comes out of the first.
  /// Blocks.
  void run();
  /// Enqueues what run() has done last, of the same queries in the same tree; without a run() before it slots
  /// only.
  void enqueue();
  /// Copies what the last launches found to the host, for slots() and list().
  void download();
  /// Only that: the slots as the last launch left them, whose nodes may be of a tree with leaves.
  void copy_slots();
  /// As downloaded. @returns [slots of all strands]; empty where matches are listed at once
  std::span<const Slot> slots() const { return slots_found_; }
  /// The matches of the part that is in use, as downloaded: all its own, at positions of Reference::text.
  MatchList list();
  /// Calls `work(begin, end)` for pieces of the queries on all threads.
  void in_pieces(const std::function<MatchList(u64 first, u64 count)>& work, MatchList& list);

  const MatchPoint& point() const { return at_; }
  const StrandLayout& layout() const { return layout_; }
  /// Seconds of all calls: "load_kernel", "strands", "sort", "upload", "upload_tree", "words", "kernel",
  /// "download", "listing".
  const std::map<std::string, double>& phases() const { return phases_; }
  /// Seconds that uploading the tree that is in use took, whoever did it.
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
  /// Adds the seconds that work takes to a phase.
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
