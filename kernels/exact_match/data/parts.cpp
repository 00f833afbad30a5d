#include "kernels/exact_match/data/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/exact_match/data/cache.hpp"
#include "kernels/exact_match/data/enumerate.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u32 kSeveral = ~u32{0};

/// The part whose own range contains a position of Reference::text.
const TreePart& owner(std::span<const TreePart> parts, u32 place) {
  const auto after = std::upper_bound(parts.begin(), parts.end(), place, [](u32 at, const TreePart& part) {
    return at < part.offset + part.own_begin;
  });
  return *std::prev(after);
}

}  // namespace

TreePart whole(std::shared_ptr<const SuffixTree> tree) {
  const u32 letters = tree->view().text_letters;
  return {.tree = std::move(tree), .offset = 0, .own_begin = 0, .own_end = letters};
}

std::vector<PartRange> split_text(u64 text_letters, u64 parts, u64 longest_query) {
  // No match begins at the text's first separator: a part with only that separator would be empty.
  parts = std::clamp<u64>(parts, 1, std::max<u64>(text_letters / 2, 1));
  std::vector<PartRange> ranges;
  for (u64 part = 0; part < parts; ++part) {
    const u64 own_begin = text_letters * part / parts, own_end = text_letters * (part + 1) / parts;
    const u64 end = part + 1 == parts ? text_letters : std::min(text_letters, own_end - 1 + longest_query);
    ranges.push_back({.begin = static_cast<u32>(part == 0 ? 0 : own_begin - 1),
                      .end = static_cast<u32>(end),
                      .own_begin = static_cast<u32>(own_begin),
                      .own_end = static_cast<u32>(own_end)});
  }
  return ranges;
}

std::vector<u8> part_text(std::span<const u8> text, const PartRange& range) {
  std::vector<u8> letters;
  letters.reserve(range.end - range.begin + 2);
  if (range.begin > 0) letters.push_back(kSeparator);
  letters.insert(letters.end(), text.begin() + range.begin, text.begin() + range.end);
  if (range.end < text.size()) letters.push_back(kSeparator);
  return letters;
}

TreePart part_of(const PartRange& range) {
  const u32 offset = range.begin > 0 ? range.begin - 1 : 0;  // accounts for the separator added before it
  return {.tree = nullptr,
          .offset = offset,
          .own_begin = range.own_begin - offset,
          .own_end = range.own_end - offset};
}

u64 parts_within(u64 text_letters, u64 longest_query, u64 tree_bytes) {
  const u64 letters = tree_bytes / kTreeBytesPerLetter;
  if (letters >= text_letters) return 1;
  const u64 around = longest_query + 2;  // letters of a part in addition to its own
  if (letters <= around)
    throw UsageError(
        fmt::format("a tree of {} bytes has about {} letters; allowed: more than the {} by which "
                    "parts of the reference overlap",
                    tree_bytes, letters, around));
  return (text_letters + letters - around - 1) / (letters - around);
}

LoadedParts load_parts(const std::filesystem::path& cache_dir, std::span<const u8> text,
                       std::span<const PartRange> ranges, NodeOrder order, ThreadPool& pool) {
  LoadedParts loaded{.parts = {}, .from_cache = true, .elapsed_s = 0, .notes = {}};
  for (const PartRange& range : ranges) {
    const bool all = range.begin == 0 && range.end == text.size();
    const std::vector<u8> piece = all ? std::vector<u8>{} : part_text(text, range);
    LoadedTree tree = load_tree(cache_dir, all ? text : std::span<const u8>(piece), order, pool);
    TreePart part = part_of(range);
    part.tree = std::make_shared<const SuffixTree>(std::move(tree.tree));
    loaded.parts.push_back(std::move(part));
    loaded.from_cache = loaded.from_cache && tree.from_cache;
    loaded.elapsed_s += tree.elapsed_s;
    if (!tree.note.empty()) loaded.notes.push_back(tree.note);
  }
  return loaded;
}

MatchList merge_parts(std::span<const MatchList> lists) {
  MatchList merged;
  if (lists.empty()) return merged;
  u64 matches = 0;
  for (const MatchList& list : lists) matches += list.matches.size();
  merged.matches.reserve(matches);
  merged.end.reserve(lists.front().end.size());
  for (u64 strand = 0; strand < lists.front().end.size(); ++strand) {
    const auto from = static_cast<std::ptrdiff_t>(merged.matches.size());
    for (const MatchList& list : lists) {
      const auto more = list.of(strand);
      const auto middle = static_cast<std::ptrdiff_t>(merged.matches.size());
      merged.matches.insert(merged.matches.end(), more.begin(), more.end());
      std::inplace_merge(merged.matches.begin() + from, merged.matches.begin() + middle,
                         merged.matches.end());
    }
    merged.end.push_back(merged.matches.size());
  }
  return merged;
}

void UniqueMatches::take(const TreePart& part, std::span<const Slot> slots, u64 first) {
  for (u64 i = 0; i < slots.size(); ++i) {
    const Slot slot = slots[i];
    Best& best = best_[first + i];
    if (slot.length == 0 || slot.length < best.length) continue;
    const u32 place = is_leaf(slot.node) ? leaf_position(slot.node) + part.offset : kSeveral;
    if (slot.length > best.length)
      best = {.place = place, .length = slot.length};
    else if (place != best.place)
      best.place = kSeveral;
  }
}

MatchList UniqueMatches::list(std::span<const TreePart> parts, const Search& search, const Queries& queries,
                              u64 first, u64 count, std::span<const u64> begins, u64 before) const {
  return list_strands(search, queries, first, count,
                      [&](u64 strand, const u8* letters, std::vector<Match>& matches) {
                        for (u64 slot = begins[strand]; slot < begins[strand + 1]; ++slot) {
                          const Best& best = best_[slot - before];
                          if (best.length < search.min_length || best.place == kSeveral) continue;
                          const auto position = static_cast<u32>(slot - begins[strand]);
                          const TreePart& part = owner(parts, best.place);
                          if (part.tree->text[best.place - part.offset - 1] == letters[i64{position} - 1])
                            continue;
                          matches.push_back({best.place, position, best.length});
                        }
                      });
}

}  // namespace gpuseq::exact_match
