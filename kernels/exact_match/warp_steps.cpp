#include "kernels/exact_match/warp_steps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
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
  kNode,
  kChild,
  kLetters,
  kEdgeLetters,
  kWordLetters,
  kWord,
  kReport,
  kNone,
  kListed,
  kKinds
};

/// Instructions that a warp issues for one of each, such as are near what counters counted of committed runs
/// (sm__inst_executed; README.md, "What is expected before a search is prepared").
constexpr std::array<double, kKinds> kInstructions{40, 20, 22, 22, 8, 12, 8, 4, 15};
constexpr double kInstructionsOfTask = 100;
constexpr double kInstructionsOfWait = 150;  // that a warp alone issues in the time that a block takes

struct Step {
  std::array<double, kKinds> done{};
  double blocks = 0;  // of memory, and of the query's letters
};
/// From a position that is searched to the next: a step for each node on the way, first along a suffix link
/// to where the last position ended, then on.
struct Turn {
  std::vector<Step> link{1}, on{1};

  /// Another lane's beside: all do what the one with the most does.
  void join(const Turn& lane) {
    join(link, lane.link);
    join(on, lane.on);
  }
  /// The loops of lanes with the same end together.
  std::pair<std::size_t, std::size_t> way() const { return {link.size(), on.size()}; }

 private:
  static void join(std::vector<Step>& all, const std::vector<Step>& lane) {
    if (lane.size() > all.size()) all.resize(lane.size());
    for (std::size_t s = 0; s < lane.size(); ++s) {
      for (std::size_t kind = 0; kind < kKinds; ++kind)
        all[s].done[kind] = std::max(all[s].done[kind], lane[s].done[kind]);
      all[s].blocks += lane[s].blocks;
    }
  }
};
/// What a lane does, in its order.
using Lane = std::vector<Turn>;

/// What a warp does.
struct WarpSum {
  double instructions = 0, waits = 0, reads = 0;

  void add(const Turn& turn) {
    for (const std::vector<Step>* steps : {&turn.link, &turn.on})
      for (const Step& step : *steps) {
        instructions += std::inner_product(step.done.begin(), step.done.end(), kInstructions.begin(), 0.0);
        // It waits whenever one of its lanes comes to another block.
        const double loads = std::accumulate(step.done.begin(), step.done.end(), 0.0) - step.done[kNone];
        waits += std::min(step.blocks, loads);
        reads += std::max(loads - step.blocks, 0.0);
      }
  }
  double length() const { return instructions + kInstructionsOfWait * waits; }
};

/// @param part  lanes that will not come together again, once their ways part
WarpSum warp_sum(std::span<const Lane> lanes, bool part) {
  struct Group {
    std::vector<const Lane*> lanes;
    std::size_t turn = 0;
  };
  constexpr std::pair<std::size_t, std::size_t> kOneWay{};
  WarpSum sum{.instructions = kInstructionsOfTask};
  std::vector<Group> groups(1);
  for (const Lane& lane : lanes) groups.front().lanes.push_back(&lane);
  while (!groups.empty()) {
    Group group = std::move(groups.back());
    groups.pop_back();
    std::map<std::pair<std::size_t, std::size_t>, std::vector<const Lane*>> next;
    Turn all;
    for (const Lane* lane : group.lanes) {
      const Turn& own = (*lane)[group.turn];
      all.join(own);
      if (lane->size() > group.turn + 1) next[part ? own.way() : kOneWay].push_back(lane);
    }
    sum.add(all);
    for (auto& [way, some] : next) groups.push_back({std::move(some), group.turn + 1});
  }
  return sum;
}

/// Counts, and writes a lane's turns down.
class TracedMemory : public CountingMemory {
 public:
  TracedMemory(const TreeView& tree, const SearchWay& way, u32 min_length, AccessCounts& counts, u32 at_once)
      : CountingMemory(tree, way, min_length, counts), counts_(counts), at_once_(at_once) {}

  NodeLinks links(u32 node) {
    at_work().done[kNode] += 1;
    return CountingMemory::links(node);
  }
  u32 suffix_link(u32 node) {
    at_work();
    at_link_ = true;
    return links(node).suffix_link;
  }
  u8 letter(const u8* at) {
    // What is known to match is read again on the way along a link only.
    if (at >= furthest_) at_link_ = false;
    furthest_ = std::max(furthest_, at);
    read(at);
    return CountingMemory::letter(at);
  }
  u32 child(u32 node, u32 letter) {
    at_work().done[kChild] += 1;
    const u32 found = CountingMemory::child(node, letter);
    end_step();
    next_step();
    return found;
  }
  u32 common(u32 position, const u8* letters) {
    const u32 length = CountingMemory::common(position, letters);
    for (u32 i = 0; i <= length; ++i) read(letters + i);
    furthest_ = letters + length;
    // Of an edge after its node; of a leaf there is none.
    const u32 rounds = length / at_once_ + 1;
    now().done[at_work().done[kNode] > 0 ? kEdgeLetters : kLetters] += rounds;
    return length;
  }
  class Letters {
   public:
    Letters(TracedMemory& memory, const u8* at) : inner_(memory, at), memory_(memory), at_(at) {
      memory_.at_work();
      memory_.furthest_ = nullptr;  // the next descent is from the root
      memory_.end_step();
      memory_.next_step();
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
    return CountingMemory::prefix(word);
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

  /// A position is done; those behind it that are done at once are of the same turn.
  void done(Kind kind) {
    now().done[kind] += 1;
    done_ = true;
  }
  Lane ended() {
    end_step();
    return std::move(lane_);
  }

 private:
  std::vector<Step>& steps() { return at_link_ ? lane_.back().link : lane_.back().on; }
  Step& now() { return steps().back(); }
  void next_step() { steps().emplace_back(); }
  /// A letter of the query.
  void read(const u8* at) { now().blocks += letters_.moves_to(reinterpret_cast<std::uintptr_t>(at), 1); }
  Step& at_work() {
    if (done_) {
      end_step();
      lane_.emplace_back();
      at_link_ = done_ = false;
    }
    return now();
  }
  void end_step() {
    now().blocks += counts_.blocks - blocks_;
    blocks_ = counts_.blocks;
  }

  const AccessCounts& counts_;
  const u32 at_once_;             // letters that are compared
  const u8* furthest_ = nullptr;  // of the letters that were looked at
  LastBlock letters_;
  Lane lane_{1};
  bool at_link_ = false;
  double blocks_ = 0;  // up to the last step
  bool done_ = false;
};

/// An output that says when positions are done.
template <class Output>
class TracedOutput {
 public:
  TracedOutput(Output output, TracedMemory& memory) : output_(std::move(output)), memory_(memory) {}
  void slot(u32 position, Slot slot) {
    output_.slot(position, slot);
    memory_.done(kReport);
  }
  void none(u32) { memory_.done(kNone); }
  bool wants(u32 depth) const { return output_.wants(depth); }

 private:
  Output output_;
  TracedMemory& memory_;
};

}  // namespace

WarpSteps warp_steps(const TreePart& part, const Search& search, const Queries& queries, const SearchWay& way,
                     const WarpWay& warps_of) {
  const u32 lanes = warps_of.lanes;
  const TreeView tree = part.tree->view();
  const MatchArguments arguments = arguments_of(part, search);
  const u32 strands = search.strands();
  const u64 tasks = queries.count() * strands * lanes;
  const u64 warps = (tasks + kThreadsOfWarp - 1) / kThreadsOfWarp;
  const double bases_of_warp =
      static_cast<double>(queries.bases()) * strands / static_cast<double>(std::max<u64>(warps, 1));
  const u64 sample =
      std::min({warps, kWarps, 1 + static_cast<u64>(kMostBases / std::max(bases_of_warp, 1.))});
  PaddedStrand buffer(queries.longest);
  double bases = 0, instructions = 0, waits = 0, reads = 0, longest = 0, all = 0;
  for (u64 i = 0; i < sample; ++i) {
    const u64 begin = warps * i / sample * kThreadsOfWarp;
    const u64 end = std::min<u64>(begin + kThreadsOfWarp, tasks);
    std::vector<Lane> lanes_of_warp;
    for (u64 task = begin; task < end; ++task) {
      const u64 strand = task / lanes, lane = task % lanes;
      const u64 length = queries.length(strand / strands), slots = slots_of(length, search.min_length);
      const u8* const letters = buffer.take(queries.codes(strand / strands), strand % strands == 1);
      AccessCounts counts;
      TracedMemory memory(tree, way, search.min_length, counts, warps_of.letters_at_once);
      const auto run = [&](auto output) {
        TracedOutput traced(std::move(output), memory);
        Traversal(memory, traced, letters, search.min_length)
            .run(static_cast<u32>(slots * lane / lanes), static_cast<u32>(slots * (lane + 1) / lanes));
      };
      if (way.listed)
        run(MatchOutput<TracedMemory>(arguments, memory, letters, nullptr, 0));
      else
        run(NoOutput());
      lanes_of_warp.push_back(memory.ended());
      bases += static_cast<double>(length) / lanes;
    }
    const WarpSum sum = warp_sum(lanes_of_warp, warps_of.part);
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
          .longest = longest * static_cast<double>(sample) / all};
}

}  // namespace gpuseq::exact_match
