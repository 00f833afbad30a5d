#include "kernels/exact_match/warp_steps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "kernels/exact_match/counting_memory.hpp"
#include "kernels/exact_match/cuda/match_kernel.cuh"
#include "kernels/exact_match/data/enumerate.hpp"
#include "kernels/exact_match/data/strands.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kWarps = 256;               // that are looked at, at most
constexpr double kMostBases = 1'000'000;  // of their strands, about

/// What a lane does in a step, one after the other, as far as other lanes wait for it.
enum Kind : u8 {
  kLink,
  kNode,
  kChild,
  kLetters,
  kWordLetters,
  kWord,
  kReport,
  kListed,
  kLoads,             // those before load something
  kCompare = kLoads,  // letters, however many
  kPack,              // a word, of however many letters
  kNone,
  kKinds
};

/// Instructions that a warp issues for one of each: as many as there are in what nvcc 13.0 makes of the
/// kernels for sm_90, about.
constexpr std::array<double, kKinds> kInstructions{0, 14, 15, 17, 25, 20, 22, 15, 33, 35, 5};
constexpr double kLineBytes = 128;
constexpr double kInstructionsOfTask = 100;
constexpr double kInstructionsOfTurn = 48;
constexpr double kInstructionsOfWait = 150;  // that a warp alone issues in the time that a block takes

struct Step {
  std::array<double, kKinds> done{};
  double blocks = 0;  // of memory, and of the query's letters

  double loads() const { return std::accumulate(done.begin(), done.begin() + kLoads, 0.0); }
  /// Loads within the block of the last one.
  double reads() const { return std::max(loads() - blocks, 0.0); }
  /// Another lane's beside: all do what the one with the most does.
  void join(const Step& lane) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) done[kind] = std::max(done[kind], lane.done[kind]);
    blocks += lane.blocks;
  }
};
/// From a position that is searched to the next. Lanes meet after each part (match_traversal.cuh).
struct Turn {
  std::vector<Step> begin{1};  // along a suffix link, or by words to where a descent begins
  std::vector<Step> down{1};   // a step for each node
  Step last;                   // a leaf is followed, and the position reported with those behind it

  void join(const Turn& lane) {
    join(begin, lane.begin);
    join(down, lane.down);
    last.join(lane.last);
  }

 private:
  static void join(std::vector<Step>& all, const std::vector<Step>& lane) {
    if (lane.size() > all.size()) all.resize(lane.size());
    for (std::size_t s = 0; s < lane.size(); ++s) all[s].join(lane[s]);
  }
};
/// What a lane does, in its order.
using Lane = std::vector<Turn>;

/// Of the lines that a thread reads in order, what it needs before others take their place: letters of its
/// strand and of the text, which lanes of a strand share, and what is kept about leaves.
double lines_of(const AccessCounts& counts, double letters) {
  const double line = std::min(kLineBytes, letters);
  return std::min(line, counts.query_letters) + std::min(line, counts.text_letters) +
         std::min(kLineBytes, counts.leaf_entries * sizeof(u32));
}

double reads_of(const Lane& lane) {
  double reads = 0;
  for (const Turn& turn : lane) {
    for (const Step& step : turn.begin) reads += step.reads();
    for (const Step& step : turn.down) reads += step.reads();
    reads += turn.last.reads();
  }
  return reads;
}

/// What a warp does.
struct WarpSum {
  double instructions = kInstructionsOfTask, waits = 0, reads = 0;

  void add(const Turn& turn) {
    instructions += kInstructionsOfTurn;
    for (const Step& step : turn.begin) add(step);
    for (const Step& step : turn.down) add(step);
    add(turn.last);
  }
  double length() const { return instructions + kInstructionsOfWait * waits; }

 private:
  void add(const Step& step) {
    instructions += std::inner_product(step.done.begin(), step.done.end(), kInstructions.begin(), 0.0);
    // It waits whenever one of its lanes comes to another block.
    waits += std::min(step.blocks, step.loads());
    reads += step.reads();
  }
};

WarpSum warp_sum(std::span<const Lane> lanes) {
  WarpSum sum;
  std::size_t turns = 0;
  for (const Lane& lane : lanes) turns = std::max(turns, lane.size());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    Turn all;
    for (const Lane& lane : lanes)
      if (turn < lane.size()) all.join(lane[turn]);
    sum.add(all);
  }
  return sum;
}

/// Counts, and writes a lane's turns down.
class TracedMemory : public CountingMemory {
 public:
  TracedMemory(const TreeView& tree, const SearchWay& way, u32 min_length, AccessCounts& counts, u32 at_once)
      : CountingMemory(tree, way, min_length, counts), counts_(counts), at_once_(at_once) {}

  NodeLinks links(u32 node) {
    now().done[kNode] += 1;
    return CountingMemory::links(node);
  }
  u32 suffix_link(u32 node) {
    now().done[kLink] += 1;
    const u32 link = CountingMemory::suffix_link(node);
    go_down();
    return link;
  }
  u8 letter(const u8* at) {
    read(at);
    return CountingMemory::letter(at);
  }
  u32 child(u32 node, u32 letter) {
    go_down();
    now().done[kChild] += 1;
    const u32 found = CountingMemory::child(node, letter);
    next_step();
    return found;
  }
  u32 common(u32 position, const u8* letters, u32 most = kAnyNumber) {
    if (most == kAnyNumber) go_to(Part::last);
    const u32 length = CountingMemory::common(position, letters, most);
    for (u32 i = 0; i < std::min(length + 1, most); ++i) read(letters + i);
    now().done[kCompare] += 1;
    const u32 rounds = (std::min(length + 1, most) + at_once_ - 1) / at_once_;
    now().done[kLetters] += rounds;
    return length;
  }
  class Letters {
   public:
    Letters(TracedMemory& memory, const u8* at) : inner_(memory, at), memory_(memory), at_(at) {
      memory_.next_step();
      memory_.now().done[kPack] += 1;
    }
    u32 next() {
      memory_.now().done[kWordLetters] += 1;
      memory_.read(at_);
      at_ += 4;
      return inner_.next();
    }

   private:
    CountingMemory::Letters inner_;
    TracedMemory& memory_;
    const u8* at_;
  };
  Letters letters(const u8* at) { return {*this, at}; }
  Slot prefix(u32 word) {
    now().done[kWord] += 1;
    const Slot place = CountingMemory::prefix(word);
    go_down();
    return place;
  }
  bool occurs(u32 word) {
    now().done[kWord] += 1;
    return CountingMemory::occurs(word);
  }
  LeafRange range(u32 node) {
    now().done[kListed] += 1;
    return CountingMemory::range(node);
  }
  u32 leaf(u32 rank) {
    now().done[kListed] += 1;
    return CountingMemory::leaf(rank);
  }

  /// A position is reported; those behind it that are reported at once are of the same turn.
  void begin_report() {
    end_step();
    part_ = Part::last;
    done_ = false;
    now().done[kReport] += 1;
  }
  void end_report() { done_ = true; }
  /// Nothing is at a position, of which there may be several before a descent begins.
  void none() {
    now().done[kNone] += 1;
    done_ = part_ != Part::begin;
  }
  Lane ended() {
    end_step();
    return std::move(lane_);
  }

 private:
  enum class Part : u8 { begin, down, last };

  std::vector<Step>& steps() { return part_ == Part::begin ? lane_.back().begin : lane_.back().down; }
  Step& now() {
    if (done_) {
      end_step();
      lane_.emplace_back();
      part_ = Part::begin;
      done_ = false;
    }
    return current();
  }
  Step& current() { return part_ == Part::last ? lane_.back().last : steps().back(); }
  void next_step() {
    now();
    end_step();
    steps().emplace_back();
  }
  void go_down() {
    if (part_ == Part::begin || done_) go_to(Part::down);
  }
  void go_to(Part part) {
    now();
    end_step();
    part_ = part;
  }
  /// A letter of the query.
  void read(const u8* at) { now().blocks += letters_.moves_to(reinterpret_cast<std::uintptr_t>(at), 1); }
  void end_step() {
    current().blocks += counts_.blocks - blocks_;
    blocks_ = counts_.blocks;
  }

  const AccessCounts& counts_;
  const u32 at_once_;  // letters that are compared
  LastBlock letters_;
  Lane lane_{1};
  Part part_ = Part::begin;
  double blocks_ = 0;  // up to the last step
  bool done_ = false;
};

/// An output that says when positions are done.
template <class Output>
class TracedOutput {
 public:
  TracedOutput(Output output, TracedMemory& memory) : output_(std::move(output)), memory_(memory) {}
  void slot(u32 position, Slot slot) {
    memory_.begin_report();
    output_.slot(position, slot);
    memory_.end_report();
  }
  void none(u32) { memory_.none(); }
  bool wants(u32 depth) const { return output_.wants(depth); }

 private:
  Output output_;
  TracedMemory& memory_;
};

}  // namespace

WarpSteps warp_steps(const TreePart& part, const Search& search, const Queries& queries, const SearchWay& way,
                     const WarpWay& warps_of) {
  const u32 lanes = warps_of.lanes;
  const SearchedTree searched(*part.tree, way);
  const TreeView tree = searched.view();
  const MatchArguments arguments = arguments_of(part, search);
  const u32 strands = search.strands();
  const u64 tasks = queries.count() * strands * lanes;
  const u64 warps = (tasks + kThreadsOfWarp - 1) / kThreadsOfWarp;
  const double bases_of_warp =
      static_cast<double>(queries.bases()) * strands / static_cast<double>(std::max<u64>(warps, 1));
  const u64 sample =
      std::min({warps, kWarps, 1 + static_cast<u64>(kMostBases / std::max(bases_of_warp, 1.))});
  PaddedStrand buffer(queries.longest);
  double bases = 0, instructions = 0, waits = 0, reads = 0, thread_reads = 0, slots = 0, longest = 0, all = 0;
  double lines_read = 0, lines_written = 0, counted_tasks = 0;
  for (u64 i = 0; i < sample; ++i) {
    const u64 begin = warps * i / sample * kThreadsOfWarp;
    const u64 end = std::min<u64>(begin + kThreadsOfWarp, tasks);
    std::vector<Lane> lanes_of_warp;
    for (u64 task = begin; task < end; ++task) {
      const u64 strand = task / lanes, lane = task % lanes;
      const u64 length = queries.length(strand / strands), positions = slots_of(length, search.min_length);
      const u64 begin_at = positions * lane / lanes, end_at = positions * (lane + 1) / lanes;
      const u8* const letters = buffer.take(queries.codes(strand / strands), strand % strands == 1);
      AccessCounts counts;
      TracedMemory memory(tree, way, search.min_length, counts, warps_of.letters_at_once);
      const auto run = [&](auto output) {
        TracedOutput traced(std::move(output), memory);
        Traversal(memory, traced, letters, search.min_length)
            .run(static_cast<u32>(begin_at), static_cast<u32>(end_at));
      };
      if (way.listed)
        run(MatchOutput<TracedMemory>(arguments, memory, letters, nullptr, 0));
      else
        run(NoOutput());
      lanes_of_warp.push_back(memory.ended());
      thread_reads += reads_of(lanes_of_warp.back());
      const double letters_of_task = static_cast<double>(length) / lanes;
      lines_read += lines_of(counts, letters_of_task);
      ++counted_tasks;
      if (!way.listed) {
        const auto written = static_cast<double>(end_at - begin_at);
        slots += written;
        lines_written += std::min(kLineBytes, written * sizeof(Slot));
      }
      bases += static_cast<double>(length) / lanes;
    }
    const WarpSum sum = warp_sum(lanes_of_warp);
    instructions += sum.instructions;
    waits += sum.waits;
    reads += sum.reads;
    longest = std::max(longest, sum.length());
    all += sum.length();
  }
  if (!(bases > 0)) return {};
  return {.instructions = instructions / bases,
          .waits = waits / bases,
          .reads = reads / bases,
          .thread_reads = thread_reads / bases,
          .slots = slots / bases,
          .lines_read = lines_read / counted_tasks,
          .lines_written = lines_written / counted_tasks,
          .longest = longest * static_cast<double>(sample) / all};
}

}  // namespace gpuseq::exact_match
