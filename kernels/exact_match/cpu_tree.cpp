// Maximal matches by a traversal of the suffix tree with suffix links.
//
// For every position of a strand the traversal has the longest string from there on that occurs in the
// reference, as a place in the tree. It goes on letter by letter while the strand goes on in the tree, and
// from a position to the next by suffix links, so a strand costs about its length. A place is kept as
// (highest node at or below it, length): a leaf's suffix link is the next position of the text, so along a
// piece that occurs once the traversal follows the text and looks at no node.
//
// With tables of words: the first letters of a descent are looked up, and where no match can begin because a
// word that it would hold does not occur, positions are passed over and the next descent begins at the root.
//
// Strands take turns where memory would be waited for (coroutines), or are searched one after the other.
//
// Bound by: latency of memory (one strand), lines in flight (many).
//
// Source: Schatz, Trapnell, Delcher and Varshney 2007; suffix links: Chang and Lawler 1994.

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/exact_match/cpu_lane.hpp"
#include "kernels/exact_match/cpu_search.hpp"

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

/// A strand's letters with others around that match nothing.
class StrandLetters {
 public:
  explicit StrandLetters(u64 longest) : letters_(longest + 1 + kTextPadding, kNoBase) {}

  /// @returns its first letter
  const u8* take(const SearchJob& job, u64 strand) {
    const auto codes = job.queries->codes(strand / job.search.strands());
    length = codes.size();
    const auto to = std::span(letters_).subspan(1, length);
    if (strand % job.search.strands() == 0)
      std::copy(codes.begin(), codes.end(), to.begin());
    else
      reverse_complement(codes, to);
    std::fill_n(letters_.begin() + 1 + static_cast<std::ptrdiff_t>(length), kTextPadding, kNoBase);
    return to.data();
  }
  u64 length = 0;

 private:
  std::vector<u8> letters_;
};

u64 load(const u8* letters) {
  u64 word;
  std::memcpy(&word, letters, sizeof word);
  return word;
}

/// Letters in common; both sides have an end that matches nothing and kTextPadding bytes more.
u32 common_letters(const u8* a, const u8* b) {
  for (u32 length = 0;; length += 8)
    if (const u64 difference = load(a + length) ^ load(b + length); difference != 0)
      return length + static_cast<u32>(std::countr_zero(difference)) / 8;
}

/// Two bits of each of eight letters; false if one of the first `letters` is no base.
bool pack(u64 codes, u32 letters, u64& packed) {
  if (letters < 8) codes &= (u64{1} << (8 * letters)) - 1;
  if ((codes & 0x0404040404040404) != 0) return false;
  codes = (codes | codes >> 6) & 0x000f000f000f000f;
  codes = (codes | codes >> 12) & 0x000000ff000000ff;
  packed = (codes | codes >> 24) & 0xffff;
  return true;
}

/// The number of a word of up to 16 letters; false if one is no base.
bool word_at(const u8* at, u32 letters, u64& word) {
  u64 high = 0;
  if (!pack(load(at), std::min(letters, 8u), word)) return false;
  if (letters > 8 && !pack(load(at + 8), letters - 8, high)) return false;
  word |= high << 16;
  return true;
}

/// The first position from `at` on at which a match may begin: every word of it that is looked at occurs.
/// Words are looked at from right to left: one that does not occur rules out all positions up to its first
/// letter.
u64 next_candidate(const SearchJob& job, const u8* letters, u64 at, u64 last) {
  const u32 word_letters = job.filter->letters;
  const u64* words = job.filter->words.data();
  const u64 furthest = job.search.min_length - word_letters;
  for (u64 begin = at, known = at; begin <= last;) {  // words from begin to known occur
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

/// Searches strands until there are no more. `output` takes begin(strand, letters, length), slot(position,
/// slot) of those with a slot of at least min_length, ascending, and end().
template <bool yields, typename Output>
Lane search_strands(const SearchJob& job, Strands& strands, Output output) {
  const TreeView tree = job.tree;
  const u32 min_length = job.search.min_length, prefix_letters = job.prefixes->letters;
  const bool passes_over = job.filter->letters > 0;
  StrandLetters buffer(job.queries->longest);
  for (u64 strand; strands.next(strand);) {
    const u8* letters = buffer.take(job, strand);
    output.begin(strand, letters, buffer.length);
    const u64 positions = slots_of(buffer.length, min_length);
    Slot at{kRoot, 0};
    bool fresh = true;  // to be started at the root
    bool open = true;   // may go on
    for (u64 i = 0; i < positions; ++i) {
      const u8* here = letters + i;
      if (fresh) {
        at = {kRoot, 0};
        open = true;
        if (passes_over) {
          i = next_candidate(job, letters, i, positions - 1);
          if (i == positions) break;
          here = letters + i;
        }
        u64 word;
        if (prefix_letters > 0 && word_at(here, prefix_letters, word)) {
          co_await Fetch<yields>{&job.prefixes->slots[word]};
          at = job.prefixes->slots[word];
        }
      }
      while (open) {
        if (is_leaf(at.node)) {
          const u8* text = tree.text + leaf_position(at.node) + at.length;
          if constexpr (yields) __builtin_prefetch(tree.leaf_depth + leaf_position(at.node));
          co_await Fetch<yields>{text};
          at.length += common_letters(text, here + at.length);
          break;
        }
        co_await Fetch<yields>{&tree.nodes[at.node]};
        const TreeNode* node = &tree.nodes[at.node];
        if (node->depth > at.length) {
          const u8* text = tree.text + node->position + at.length;
          co_await Fetch<yields>{text};
          at.length = std::min(node->depth, at.length + common_letters(text, here + at.length));
          if (node->depth > at.length) break;
        }
        const u8 letter = here[at.length];
        if (letter > 3 || node->child[letter] == kNoNode) break;
        at = {node->child[letter], at.length + 1};
      }
      if (at.length >= min_length) output.slot(static_cast<u32>(i), at);
      fresh = passes_over && at.length <= min_length;
      if (fresh) continue;
      // On along the text for as long as what is matched occurs once: it ends where it did.
      if (is_leaf(at.node)) {
        while (i + 1 < positions && at.length > min_length &&
               at.length - 1 > tree.leaf_depth[leaf_position(at.node) + 1] &&
               tree.leaf_depth[leaf_position(at.node) + 1] < 255) {
          at = {at.node + 1, at.length - 1};
          output.slot(static_cast<u32>(++i), at);
        }
        fresh = passes_over && at.length <= min_length;
        if (fresh) continue;
      }
      fresh = at.length == 0;
      if (fresh) continue;
      // To the next position: the link of the deepest node above, and down again to where that ended.
      const u32 length = at.length - 1;
      u32 node;
      if (is_leaf(at.node)) {
        co_await Fetch<yields>{&tree.leaf_parent[leaf_position(at.node)]};
        node = tree.leaf_parent[leaf_position(at.node)];
      } else if (tree.nodes[at.node].depth == at.length) {
        node = at.node;
      } else {
        node = tree.nodes[at.node].parent;
      }
      co_await Fetch<yields>{&tree.nodes[node]};
      node = tree.nodes[node].suffix_link;
      for (;;) {
        co_await Fetch<yields>{&tree.nodes[node]};
        if (tree.nodes[node].depth >= length) break;
        node = tree.nodes[node].child[letters[i + 1 + tree.nodes[node].depth]];
        if (is_leaf(node)) break;
      }
      at = {node, length};
      // Within an edge one letter follows, the same as before; and that was not the strand's.
      open = !is_leaf(node) && tree.nodes[node].depth == length;
    }
    output.end();
  }
}

/// Lets as many lanes as the job says take turns until all have ended.
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
  Slot* mine = nullptr;

  void begin(u64 strand, const u8*, u64) {
    mine = slots + begins[strand];
    std::fill(mine, slots + begins[strand + 1], Slot{kNoNode, 0});
  }
  void slot(u32 position, Slot slot) const { mine[position] = slot; }
  void end() const {}
};

/// Matches in the order in which strands end, and which are whose.
struct FoundMatches {
  std::vector<Match> matches;
  std::vector<std::pair<u64, u64>> pieces;  // of each strand: begin and end in matches
};

struct MatchOutput {
  const SearchJob& job;
  FoundMatches& found;
  std::vector<Match> mine = {};
  const u8* letters = nullptr;
  u64 strand = 0;

  void begin(u64 which, const u8* strand_letters, u64) {
    strand = which - job.begin * job.search.strands();
    letters = strand_letters;
    mine.clear();
  }
  void slot(u32 position, Slot slot) { list_matches(job.tree, job.search, letters, position, slot, mine); }
  void end() {
    if (job.search.mode == Mode::mum) keep_unique_in_query(mine, 0);
    found.pieces[strand] = {found.matches.size(), found.matches.size() + mine.size()};
    found.matches.insert(found.matches.end(), mine.begin(), mine.end());
  }
};

}  // namespace

void find_slots(const SearchJob& job, std::span<const u64> begins, Slot* slots) {
  run_lanes(job, [&] { return SlotOutput{begins, slots}; });
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
