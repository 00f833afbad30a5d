#include "kernels/fm_index/psi_traffic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/psi_walk.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr const char* kPsiAccess = "independent";
constexpr u64 kLeastBlockBytes = 32;

u64 block_bytes_of(const Layout& layout) {
  return std::max<u64>(layout.entry_bytes(), kLeastBlockBytes);
}

/// The data that a step touches: starts or lines, by its word, and entries (for lines: without a slot).
enum Kind : u8 { of_word, of_entries };
using Counts = std::array<double, 2>;

/// The distinct blocks of one step.
class PsiStepBlocks {
 public:
  explicit PsiStepBlocks(u64 block_bytes) : block_bytes_(block_bytes) {}

  void add(Kind kind, u64 at) {
    const u64 block = at / block_bytes_;
    const auto end = blocks_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(blocks_.begin(), end, block) != end) return;
    blocks_[count_++] = block;
    counts_[kind] += 1;
  }
  /// The entries that a search must have seen to know the place of `position`.
  void add_ends(std::span<const u32> entries, u64 at, u64 position) {
    const auto place = static_cast<u64>(std::ranges::lower_bound(entries, position) - entries.begin());
    if (place > 0) add(of_entries, at + 4 * (place - 1));
    if (place < entries.size()) add(of_entries, at + 4 * place);
  }
  const Counts& counts() const { return counts_; }

 private:
  u64 block_bytes_;
  std::array<u64, 8> blocks_{};
  std::size_t count_ = 0;
  Counts counts_{};
};

Counts blocks_of_step(const Layout& layout, const PsiWalker& walker, u32 word, u64 l, u64 h) {
  const PsiWalker::Entries entries = walker.entries(word);
  PsiStepBlocks blocks(block_bytes_of(layout));
  if (layout.kind == LayoutKind::psi) {
    blocks.add(of_word, u64{word} * 4);
    blocks.add(of_word, u64{word} * 4 + 4);
    for (const u64 position : {l, h}) blocks.add_ends(entries.first, entries.first_at, position);
    return blocks.counts();
  }
  blocks.add(of_word, u64{word} * layout.line_bytes);
  if (entries.rest.empty()) return blocks.counts();
  const u32 greatest = std::ranges::max(entries.first);
  for (const u64 position : {l, h}) {
    if (greatest >= position) continue;
    blocks.add(of_entries, entries.rest_at - 4);
    blocks.add_ends(entries.rest, entries.rest_at, position);
  }
  return blocks.counts();
}

/// How often blocks are touched, of a share of all.
class Census {
 public:
  void touch(u64 block) { ++times_[block]; }

  /// Classes of `blocks` touches in all. @param share  of the blocks that are counted
  void add_classes(double blocks, double share, u64 block_bytes, std::map<u64, double>& classes) const {
    std::map<u32, u64> blocks_by_times;
    u64 counted = 0;
    for (const auto& [block, times] : times_) {
      ++blocks_by_times[times];
      counted += times;
    }
    u64 distinct = 0;  // that are touched so often
    for (auto at = blocks_by_times.rbegin(); at != blocks_by_times.rend(); ++at) {
      distinct += at->second;
      const u32 less = std::next(at) == blocks_by_times.rend() ? 0 : std::next(at)->first;
      const double layer = static_cast<double>(distinct) * (at->first - less);
      const double bytes = static_cast<double>(distinct * block_bytes) / share;
      classes[static_cast<u64>(bytes)] += blocks * layer / static_cast<double>(counted);
    }
  }

 private:
  std::unordered_map<u64, u32> times_;
};

/// Words of a share of all, in groups whose blocks few other words touch.
class ChosenWords {
 public:
  ChosenWords(double touches, u64 most) {
    while (touches > static_cast<double>(most)) {
      touches /= 2;
      ++halvings_;
    }
  }
  bool has(u32 word) const {
    constexpr u32 kGroupBits = 6;
    return halvings_ == 0 || (u64{word >> kGroupBits} * 0x9E3779B97F4A7C15u) >> (64 - halvings_) == 0;
  }
  double share() const { return 1.0 / static_cast<double>(u64{1} << halvings_); }

 private:
  u32 halvings_ = 0;
};

struct Censuses {
  Census words, entries;
  std::map<u32, u64> lookups;  // of the prefix table: symbols -> queries that it answers the first so many of
};

/// Symbols of a packed query as Walker::symbols() has them, up to 16 of them, but not one by one.
u32 word_at(const u32* packed, u32 first, u32 symbols) {
  const u32* at = packed + first / 16;
  const u32 skipped = 2 * (first % 16), bits = 2 * symbols;
  u64 word = *at >> skipped;
  if (skipped + bits > 32) word |= u64{at[1]} << (32 - skipped);
  return static_cast<u32>(word & ((u64{1} << bits) - 1));
}

/// The first k bases of a query, which its last step takes.
u32 leading_word(const u32* packed, u32 bases, u32 k) {
  return word_at(packed, bases - k, k);
}

/// Counts the entries of chosen words that the steps of all queries touch.
Censuses count_touches(const Index& index, const Queries& queries, const ChosenWords& chosen) {
  const Layout& layout = index.layout;
  const PsiWalker walker(index);
  const u64 block = block_bytes_of(layout);
  Censuses censuses;
  Random random(1);
  for (std::size_t query = 0; query < queries.begin.size(); ++query) {
    const u32* packed = queries.packed.data() + u64{queries.begin[query]} * 4;
    const u32 bases = queries.bases[query];
    const u32 opening = prefix_length(bases, index.view.prefix_symbols, layout.k);
    if (opening < bases) {
      const u32 leading = leading_word(packed, bases, layout.k);
      if (!walker.occurs(leading)) {
        if (chosen.has(leading)) censuses.words.touch(u64{leading} * layout.entry_bytes() / block);
        continue;
      }
    }
    if (opening > 0 && opening <= index.view.prefix_symbols) ++censuses.lookups[opening];
    for (u32 at = opening; at < bases; at += layout.k) {
      const u32 word = word_at(packed, at, layout.k);
      if (!chosen.has(word)) continue;
      censuses.words.touch(u64{word} * layout.entry_bytes() / block);
      const PsiWalker::Entries entries = walker.entries(word);
      const u64 all = entries.first.size() + entries.rest.size();
      if (all == 0) continue;
      const u64 place = random.below(all);
      if (layout.kind == LayoutKind::psi)
        censuses.entries.touch((entries.first_at + 4 * place) / block);
      else if (place >= entries.first.size())
        censuses.entries.touch((entries.rest_at + 4 * (place - entries.first.size())) / block);
    }
  }
  return censuses;
}

/// At most about three classes an octave, each of the least of those that it joins.
std::vector<TrafficClass> joined(const std::map<u64, double>& all) {
  std::vector<TrafficClass> classes;
  for (const auto& [bytes, blocks] : all) {
    if (!classes.empty() &&
        static_cast<double>(bytes) < 1.26 * static_cast<double>(classes.back().footprint_bytes))
      classes.back().blocks += blocks;
    else
      classes.push_back({std::max<std::size_t>(bytes, kLeastBlockBytes), blocks});
  }
  return classes;
}

/// Blocks by the bytes that they touch.
using Touches = std::map<u64, double>;

/// So many look-ups of words of so many symbols in the prefix table.
void add_lookups(Touches& touches, u32 symbols, u64 lookups) {
  const u64 table = sizeof(Interval<u32>) << (2 * symbols);
  touches[std::min(table, lookups * kLeastBlockBytes)] += static_cast<double>(lookups);
}

Traffic traffic_of(const Touches& touches, u64 block_bytes, std::size_t footprint_bytes) {
  std::vector<TrafficClass> classes = joined(touches);
  double sum = 0;
  for (const TrafficClass& at : classes) sum += at.blocks;
  return {.blocks = sum,
          .block_bytes = static_cast<std::size_t>(block_bytes),
          .footprint_bytes = footprint_bytes,
          .access = kPsiAccess,
          .classes = std::move(classes)};
}

/// Starts or a line with the place of its rest, and the entries before and behind l and h.
constexpr double kMostStepBlocks = 6;

/// The share of rows of an even text that have no slot, or whose predecessor has none. The number of entries
/// of a word is a Poisson variable.
double share_without_slot(double mean, u32 slots) {
  double few = 0, probability = std::exp(-mean);  // of fewer than `slots`, of exactly `slots` entries
  for (u32 entries = 0; entries < slots; ++entries) {
    few += probability;
    probability *= mean / (entries + 1);
  }
  return std::max(0.0, 1 - few - (slots - 2) / mean * (1 - few - probability));
}

/// The expectation in an even text, rounded up. Neighbouring starts or entries lie in two blocks of 32 bytes
/// or more in at most one of four cases.
struct BlocksPerStep {
  double narrow, wide;
};
BlocksPerStep blocks_per_step(const Layout& layout, const SearchSizes& sizes) {
  if (layout.kind == LayoutKind::psi) return {.narrow = 1.25 + 2, .wide = 1.25 + 4};
  const double mean = static_cast<double>(sizes.rows()) / static_cast<double>(psi_words(layout.k));
  const double rest = share_without_slot(mean, psi_slots(layout.line_bytes));
  return {.narrow = 1 + 3 * std::min(1.0, 1.25 * rest), .wide = 1 + 5 * std::min(1.0, 2 * rest)};
}

}  // namespace

Traffic count_psi_traffic(const Index& index, const Queries& queries, u32 most_walked, u64 most_counted) {
  const Layout& layout = index.layout;
  const PsiWalker walker(index);
  u64 bases = 0;
  Counts blocks{};
  for (const u32 query : checked_queries(queries.begin.size(), most_walked)) {
    bases += queries.bases[query];
    const u32* packed = queries.packed.data() + u64{queries.begin[query]} * 4;
    const auto add = [&](u32 word, u64 l, u64 h) {
      const Counts step = blocks_of_step(layout, walker, word, l, h);
      for (const Kind kind : {of_word, of_entries}) blocks[kind] += step[kind];
    };
    const u32 opening = prefix_length(queries.bases[query], index.view.prefix_symbols, layout.k);
    const bool steps = opening < queries.bases[query];
    const u32 leading = steps ? leading_word(packed, queries.bases[query], layout.k) : 0;
    if (steps && !walker.occurs(leading))
      add(leading, 0, 0);
    else
      walker.search(packed, queries.bases[query], add);
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  for (double& count : blocks) count *= scale;
  const ChosenWords chosen(static_cast<double>(queries.total_bases) / layout.k, most_counted);
  const Censuses censuses = count_touches(index, queries, chosen);
  Touches classes;
  const u64 block = block_bytes_of(layout);
  censuses.words.add_classes(blocks[of_word], chosen.share(), block, classes);
  censuses.entries.add_classes(blocks[of_entries], chosen.share(), block, classes);
  for (const auto& [symbols, lookups] : censuses.lookups) add_lookups(classes, symbols, lookups);
  return traffic_of(classes, block, index.entries.size());
}

Traffic estimated_psi_traffic(const Layout& layout, u32 prefix_symbols, const SearchSizes& sizes) {
  const u64 most_rows = (u64{1} << 32) - 1;  // whether it is longer is not known before it is read
  if (sizes.bases != 0) require_psi(layout, std::min(sizes.rows(), most_rows));
  // An interval is narrow among the entries of a word where it is once it has taken the word.
  const u32 deep = sizes.deep_bases();
  const StepSizes steps = step_sizes(sizes, prefix_symbols, layout.k, deep > layout.k ? deep - layout.k : 0);
  const BlocksPerStep blocks = blocks_per_step(layout, sizes);
  const double narrow = steps.all - steps.wide, most = kMostStepBlocks * steps.all;
  const double counted =
      sizes.even ? blocks.narrow * narrow + blocks.wide * steps.wide + kMostStepBlocks * steps.slack : most;
  const auto block = static_cast<std::size_t>(block_bytes_of(layout));
  return {.blocks = std::min(counted, most) + lookups_at_most(sizes, prefix_symbols),
          .block_bytes = block,
          .least_block_bytes = block,
          .footprint_bytes = sizes.bases == 0 ? 0 : entries_bytes_at_most(layout, sizes.rows(), sizes.even),
          .access = kPsiAccess};
}

}  // namespace gpuseq::fm_index
