// Maximal matches by a traversal of the suffix tree with suffix links.
//
// For every position of a strand, the traversal finds the longest string from there that occurs in the
// reference, as a place in the tree. It advances letter by letter while the strand continues in the tree, and
// by suffix links from a position to the next, so that the cost of a strand is about its length. A place is
// stored as (highest node at or below it, length). A leaf's suffix link is the next position of the text:
// along a piece that occurs once the traversal follows the text and reads no node.
//
// With k-mer tables, the first letters of a descent are looked up. Positions are skipped if a k-mer of every
// match there does not occur in the text; the next descent then begins at the root.
//
// Strands take turns at memory accesses (coroutines), or are searched one after the other.
//
// Bound by: memory latency (one strand), outstanding cache lines (many).
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007; suffix links: Chang and Lawler 1994.

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/exact_match/cpu/lane.hpp"
#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/data/strands.hpp"

namespace gpuseq::exact_match {
namespace {

/// Hands out the strands of a job.
class Strands {
 public:
  explicit Strands(const SearchJob& job)
      : strands_(job.search.strands()), next_(job.begin * strands_), end_(job.end * strands_) {}
  bool next(u64& strand) {
    strand = next_;
    return next_++ < end_;
  }

 private:
  u64 strands_, next_, end_;
};

u64 load(const u8* letters) {
  u64 word;
  std::memcpy(&word, letters, sizeof word);
  return word;
}

/// Length of the common prefix. Both sides end with a code that matches nothing and kTextPadding more bytes.
u32 common_letters(const u8* a, const u8* b) {
  for (u32 length = 0;; length += 8)
    if (const u64 difference = load(a + length) ^ load(b + length); difference != 0)
      return length + static_cast<u32>(std::countr_zero(difference)) / 8;
}

/// Packs eight letters into two bits each; false if one of the first `letters` is not a base.
bool pack(u64 codes, u32 letters, u64& packed) {
  if (letters < 8) codes &= (u64{1} << (8 * letters)) - 1;
  if ((codes & 0x0404040404040404) != 0) return false;
  codes = (codes | codes >> 6) & 0x000f000f000f000f;
  codes = (codes | codes >> 12) & 0x000000ff000000ff;
  packed = (codes | codes >> 24) & 0xffff;
  return true;
}

/// The number of a k-mer of up to 16 letters; false if one is not a base.
bool word_at(const u8* at, u32 letters, u64& word) {
  u64 high = 0;
  if (!pack(load(at), std::min(letters, 8u), word)) return false;
  if (letters > 8 && !pack(load(at + 8), letters - 8, high)) return false;
  word |= high << 16;
  return true;
}

/// The first position from `at` on at which a match may begin: all its tested k-mers occur. K-mers are tested
/// from right to left: one that does not occur rules out all positions up to its first letter.
u64 next_candidate(const SearchJob& job, const u8* letters, u64 at, u64 last) {
  const u32 word_letters = job.filter->letters;
  const u64* words = job.filter->words.data();
  const u64 furthest = job.search.min_length - word_letters;
  for (u64 begin = at, known = at; begin <= last;) {  // k-mers from begin to known occur
    u64 next = begin + furthest + 1;
    const u64 end = next;
    for (; next > known; --next) {
      u64 word;
      if (!word_at(letters + next - 1, word_letters, word)) break;
      if ((words[word / 64] >> (word % 64) & 1) == 0) break;
    }
    if (next == known) return begin;
    begin = next;
    known = end;
  }
  return last + 1;
}

/// The position of a traversal in a strand and the tree. Accesses to memory have two steps: one returns the
/// address, one reads it.
class Traversal {
 public:
  explicit Traversal(const SearchJob& job)
      : job_(job), tree_(job.tree), min_length_(job.search.min_length), buffer_(job.queries->longest) {}

  void begin(u64 strand) {
    const u32 strands = job_.search.strands();
    const auto codes = job_.queries->codes(strand / strands);
    letters_ = buffer_.take(codes, strand % strands == 1);
    positions_ = slots_of(codes.size(), min_length_);
    position_ = 0;
    fresh_ = true;
  }
  const u8* letters() const { return letters_; }
  Slot at() const { return at_; }
  u32 position() const { return static_cast<u32>(position_); }
  bool found() const { return at_.length >= min_length_; }

  /// Whether a position is left. A fresh position, after skipped ones, starts at the root.
  bool start() {
    if (fresh_ && position_ < positions_) {
      at_ = {kRoot, 0};
      open_ = true;
      if (passes_over()) position_ = next_candidate(job_, letters_, position_, positions_ - 1);
    }
    return position_ < positions_;
  }
  /// The entry of the prefix table at which a fresh descent starts; nullptr: it starts at the root.
  const Slot* entry() const {
    u64 word;
    const u32 letters = job_.prefixes->letters;
    if (!fresh_ || letters == 0 || !word_at(here(), letters, word)) return nullptr;
    return &job_.prefixes->slots[word];
  }
  void take(const Slot* entry) { at_ = *entry; }

  /// Whether the strand may continue in the tree; if so, ahead() is the address that go_on() reads.
  bool open() const { return open_; }
  const void* ahead() const {
    if (!is_leaf(at_.node) && !in_edge_) return &tree_.nodes[at_.node];
    return edge();
  }
  const void* leaf_ahead() const { return tree_.leaf_depth + leaf_position(at_.node); }
  void go_on() {
    if (is_leaf(at_.node)) {
      at_.length += common_letters(edge(), here() + at_.length);
      open_ = false;
      return;
    }
    const TreeNode& node = tree_.nodes[at_.node];
    if (in_edge_) at_.length = std::min(node.depth, at_.length + common_letters(edge(), here() + at_.length));
    open_ = !in_edge_ || node.depth == at_.length;
    in_edge_ = !in_edge_ && node.depth > at_.length;
    if (!open_ || in_edge_) return;
    const u8 letter = here()[at_.length];
    open_ = letter < 4 && node.child[letter] != kNoNode;
    if (open_) at_ = {node.child[letter], at_.length + 1};
  }

  /// Follows the text while the match occurs once: the matches of the next positions end at the same letter.
  template <typename Output>
  void follow_text(Output& output) {
    if (!is_leaf(at_.node)) return;
    while (position_ + 1 < positions_ && at_.length > min_length_) {
      const u8 depth = tree_.leaf_depth[leaf_position(at_.node) + 1];
      if (at_.length - 1 <= depth || depth == 255) return;
      at_ = {at_.node + 1, at_.length - 1};
      output.slot(static_cast<u32>(++position_), at_);
    }
  }
  /// Moves to the next position. False if there is none, or if no suffix link leads to its place.
  bool advance() {
    ++position_;
    fresh_ = at_.length == 0 || (passes_over() && at_.length <= min_length_);
    return !fresh_ && position_ < positions_;
  }
  /// The address that node_above() reads; node_above() returns the deepest node at or above the place.
  const void* parent() const {
    return is_leaf(at_.node) ? static_cast<const void*>(&tree_.leaf_parent[leaf_position(at_.node)])
                             : &tree_.nodes[at_.node];
  }
  const void* node_above() {
    if (is_leaf(at_.node))
      at_.node = tree_.leaf_parent[leaf_position(at_.node)];
    else if (tree_.nodes[at_.node].depth > at_.length)
      at_.node = tree_.nodes[at_.node].parent;
    return &tree_.nodes[at_.node];
  }
  void link() { at_ = {tree_.nodes[at_.node].suffix_link, at_.length - 1}; }
  /// The address that descend() reads; descend() is called until it returns true, when the place is reached.
  const void* linked() const { return &tree_.nodes[at_.node]; }
  bool descend() {
    const TreeNode& node = tree_.nodes[at_.node];
    // The only next letter within an edge is the one before, which did not match the strand's letter.
    open_ = node.depth == at_.length;
    if (node.depth >= at_.length) return true;
    at_.node = node.child[here()[node.depth]];
    return is_leaf(at_.node);
  }

 private:
  const u8* here() const { return letters_ + position_; }
  bool passes_over() const { return job_.filter->letters > 0; }
  const u8* edge() const {
    const u32 place = is_leaf(at_.node) ? leaf_position(at_.node) : tree_.nodes[at_.node].position;
    return tree_.text + place + at_.length;
  }

  const SearchJob& job_;
  const TreeView tree_;
  const u32 min_length_;
  PaddedStrand buffer_;
  const u8* letters_ = nullptr;
  u64 positions_ = 0, position_ = 0;
  Slot at_{kRoot, 0};
  bool fresh_ = true;  // the search of the position starts at the root
  bool open_ = true;
  bool in_edge_ = false;  // the letters of the node's edge are read next
};

/// Searches all remaining strands. `output` has begin(strand, letters), slot(position, slot) for positions
/// with a slot of at least min_length, ascending, and end().
template <bool yields, typename Output>
Lane search_strands(const SearchJob& job, Strands& strands, Output output) {
  Traversal on(job);
  for (u64 strand; strands.next(strand);) {
    on.begin(strand);
    output.begin(strand, on.letters());
    while (on.start()) {
      if (const Slot* entry = on.entry()) {
        co_await Fetch<yields>{entry};
        on.take(entry);
      }
      while (on.open()) {
        if (yields && is_leaf(on.at().node)) __builtin_prefetch(on.leaf_ahead());
        co_await Fetch<yields>{on.ahead()};
        on.go_on();
      }
      if (on.found()) {
        output.slot(on.position(), on.at());
        on.follow_text(output);
      }
      if (!on.advance()) continue;
      co_await Fetch<yields>{on.parent()};
      co_await Fetch<yields>{on.node_above()};
      on.link();
      do {
        co_await Fetch<yields>{on.linked()};
      } while (!on.descend());
    }
    output.end();
  }
}

/// Runs the job's number of lanes in turns until all have ended.
template <typename MakeOutput>
void run_lanes(const SearchJob& job, const MakeOutput& make_output) {
  Strands strands(job);
  if (job.in_flight <= 1) {
    Lane lane = search_strands<false>(job, strands, make_output());
    lane.resume();
    return;
  }
  std::vector<Lane> lanes;
  const u64 all = (job.end - job.begin) * job.search.strands();
  for (u64 i = 0; i < std::min<u64>(job.in_flight, all); ++i)
    lanes.push_back(search_strands<true>(job, strands, make_output()));
  while (!lanes.empty())
    for (std::size_t i = 0; i < lanes.size();) {
      if (lanes[i].resume()) {
        ++i;
      } else {
        lanes[i] = std::move(lanes.back());
        lanes.pop_back();
      }
    }
}

struct SlotOutput {
  std::span<const u64> begins;
  Slot* slots;
  u64 before;
  Slot* mine = nullptr;

  void begin(u64 strand, const u8*) {
    mine = slots + (begins[strand] - before);
    std::fill(mine, slots + (begins[strand + 1] - before), Slot{kNoNode, 0});
  }
  void slot(u32 position, Slot slot) const { mine[position] = slot; }
  void end() const {}
};

/// Matches in the order in which strands end, and the range of each strand.
struct FoundMatches {
  std::vector<Match> matches;
  std::vector<std::pair<u64, u64>> pieces;  // for each strand: begin and end in matches
};

struct MatchOutput {
  const SearchJob& job;
  FoundMatches& found;
  std::vector<Match> mine = {};
  const u8* letters = nullptr;
  u64 strand = 0;

  void begin(u64 which, const u8* strand_letters) {
    strand = which - job.begin * job.search.strands();
    letters = strand_letters;
    mine.clear();
  }
  void slot(u32 position, Slot slot) {
    list_matches(job.tree, job.search, letters, position, slot, mine, job.own);
  }
  void end() {
    if (job.search.mode == Mode::mum) keep_unique_in_query(mine, 0);
    found.pieces[strand] = {found.matches.size(), found.matches.size() + mine.size()};
    found.matches.insert(found.matches.end(), mine.begin(), mine.end());
  }
};

}  // namespace

void find_slots(const SearchJob& job, std::span<const u64> begins, Slot* slots, u64 before) {
  run_lanes(job, [&] { return SlotOutput{begins, slots, before}; });
}

MatchList find_matches(const SearchJob& job) {
  FoundMatches found;
  found.pieces.resize((job.end - job.begin) * job.search.strands());
  run_lanes(job, [&] { return MatchOutput{job, found}; });
  MatchList list;
  list.matches.reserve(found.matches.size());
  list.end.reserve(found.pieces.size());
  for (const auto& [begin, end] : found.pieces) {
    list.matches.insert(list.matches.end(), found.matches.begin() + static_cast<std::ptrdiff_t>(begin),
                        found.matches.begin() + static_cast<std::ptrdiff_t>(end));
    list.end.push_back(list.matches.size());
  }
  return list;
}

}  // namespace gpuseq::exact_match
