#include "kernels/exact_match/library/cuda_engine.hpp"

#include <algorithm>
#include <vector>

#include "kernels/common/library/cuda_textures.hpp"
#include "kernels/exact_match/cuda/tree_arrays.hpp"
#include "kernels/exact_match/data/strands.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "kernels/exact_match/library/cuda_point.hpp"
#include "kernels/exact_match/library/point.hpp"

namespace gpuseq::exact_match {
namespace {

using library::DeviceMemory;

/// Most tasks per launch: listing takes 52 bytes per task, even without matches.
constexpr u64 kMostTasks = u64{1} << 24;
/// Approximate query letters for which a host thread lists matches at a time.
constexpr u64 kListedLettersATime = 250'000;

TreeArrays<library::RuntimeMemory> on_device(const SuffixTree& tree, const MatchPolicy& policy, int device,
                                             ThreadPool& pool) {
  const library::OnDevice on(device);
  return {library::RuntimeMemory(), tree, tree_form(policy), pool};
}

class CudaEngine final : public Engine {
 public:
  CudaEngine(const SuffixTree& tree, const Search& search, const CudaEnginePoint& point, int device,
             ThreadPool& pool)
      : tree_(tree),
        search_(search),
        point_(point),
        device_(device),
        pool_(pool),
        arrays_(on_device(tree, point.policy, device, pool)) {
    arrays_.set(usual_);
    usual_.min_length = search.min_length;
    usual_.unique = search.mode == Mode::maxmatch ? 0 : 1;
    usual_.own_end = ~u32{0};
    if (point.policy.words) make_words();
  }

  u64 most_queries() const override {
    return std::max<u64>(1, kMostTasks / (u64{search_.strands()} * point_.policy.lanes));
  }

  MatchList find(const Queries& queries) override {
    const library::OnDevice on(device_);
    const StrandLayout layout = strand_layout(queries, search_, point_.policy.computed);
    MatchArguments arguments = usual_;
    upload_strands(queries, layout, arguments);
    return point_.policy.listed ? listed(layout, arguments) : listed_of_slots(queries, layout, arguments);
  }

 private:
  void make_words() {
    const library::OnDevice on(device_);
    const PrefixTable prefixes =
        make_prefix_table(tree_.view(), std::min(point_.letters.prefix, search_.min_length), pool_);
    const WordFilter filter = make_word_filter({tree_.text.data(), tree_.text.size()},
                                               std::min(point_.letters.filter, search_.min_length), pool_);
    prefixes_.assign(std::span(prefixes.slots.data(), prefixes.slots.size()));
    filter_.assign(std::span(filter.words.data(), filter.words.size()));
    usual_.prefixes = prefixes_.as<const Slot>();
    usual_.filter = filter_.as<const u64>();
    usual_.prefix_letters = prefixes.letters;
    usual_.filter_letters = filter.letters;
  }

  void upload_strands(const Queries& queries, const StrandLayout& layout, MatchArguments& arguments) {
    std::vector<u8> letters(layout.letters());
    write_strands(queries, layout, pool_, letters);
    letters_.assign<u8>(letters, kSpareLetterBytes);
    begin_.assign<u64>(layout.begin);
    if (point_.sorted) order_.assign<u32>(sorted_strands(letters, layout.begin, pool_));
    arguments.letters = letters_.as<const u8>();
    arguments.begin = begin_.as<const u64>();
    arguments.strand_at = point_.sorted ? order_.as<const u32>() : nullptr;
    arguments.strands = static_cast<u32>(layout.strands());
    arguments.strands_of_query = search_.strands();
  }

  void launch(const MatchArguments& arguments, u64 tasks) const {
    const u32 threads = point_.policy.threads;
    if (tasks > 0) library::run_kernel(point_.kernel, (tasks + threads - 1) / threads, threads, 0, arguments);
  }

  /// Matches listed by kernels: those kept of each task, and all of tasks with more.
  MatchList listed(const StrandLayout& layout, MatchArguments arguments) {
    const u32 lanes = point_.policy.lanes;
    std::vector<u32> counts(layout.strands() * lanes);
    std::vector<FoundMatch> first(counts.size() * kKeptMatches), second;
    matches_.reserve(first.size() * sizeof(FoundMatch));
    counts_.reserve(counts.size() * sizeof(u32));
    arguments.matches = matches_.as<FoundMatch>();
    arguments.counts = counts_.as<u32>();
    arguments.kept = kKeptMatches;
    launch(arguments, counts.size());
    counts_.download(std::span(counts));
    matches_.download(std::span(first));
    const LongTasks longer = long_tasks(counts, kKeptMatches);
    if (!longer.tasks.empty()) {
      second.resize(longer.begin.back());
      matches_.reserve(second.size() * sizeof(FoundMatch));
      tasks_.assign<u32>(longer.tasks);
      match_begin_.assign<u64>(longer.begin);
      arguments.matches = matches_.as<FoundMatch>();
      arguments.tasks = tasks_.as<const u32>();
      arguments.match_begin = match_begin_.as<const u64>();
      arguments.task_count = static_cast<u32>(longer.tasks.size());
      launch(arguments, longer.tasks.size());
      matches_.download(std::span(second));
    }
    return gather_matches({.first = first,
                           .second = second,
                           .counts = counts,
                           .longer = longer,
                           .kept = kKeptMatches,
                           .lanes = lanes},
                          search_, 0, pool_);
  }

  /// Matches that the host lists from the kernels' slots.
  MatchList listed_of_slots(const Queries& queries, const StrandLayout& layout, MatchArguments arguments) {
    std::vector<Slot> slots(layout.slots());
    slots_.reserve(slots.size() * sizeof(Slot));
    slot_begin_.assign<u64>(layout.slot_begin);
    arguments.slots = slots_.as<Slot>();
    arguments.slot_begin = slot_begin_.as<const u64>();
    launch(arguments, layout.strands() * point_.policy.lanes);
    slots_.download(std::span(slots));
    if (!arrays_.places().empty()) to_places(slots, arrays_.places(), pool_);
    return list_in_pieces(queries, kListedLettersATime, pool_, [&](u64 first, u64 count) {
      return list_all(tree_.view(), search_, queries, first, count, slots, layout.slot_begin);
    });
  }

  const SuffixTree& tree_;
  Search search_;
  CudaEnginePoint point_;
  int device_;
  ThreadPool& pool_;
  TreeArrays<library::RuntimeMemory> arrays_;
  MatchArguments usual_{};  // common to all launches
  DeviceMemory prefixes_, filter_, letters_, begin_, order_, slots_, slot_begin_, matches_, counts_, tasks_,
      match_begin_;
};

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(const SuffixTree& tree, const Search& search,
                                         const CudaEnginePoint& point, int device, ThreadPool& pool) {
  return std::make_unique<CudaEngine>(tree, search, point, device, pool);
}

std::unique_ptr<Engine> make_engine(const SuffixTree& tree, const Search& search, int device,
                                    ThreadPool& pool) {
  library::require_device(device);
  const CudaEnginePoint point{.policy = kExportedPolicy,
                              .letters = kExportedLetters,
                              .sorted = kExportedSorted,
                              .kernel = exported_kernel()};
  return make_cuda_engine(tree, search, point, device, pool);
}

}  // namespace gpuseq::exact_match
