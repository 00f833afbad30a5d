#include "kernels/fm_index/verify_traffic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "kernels/common/touched_bytes.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/verify_walk.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr const char* kVerifyAccess = "independent";
constexpr u64 kSector = 32, kLine = 128;

/// The parts of the layout, which lie one behind the other.
enum VerifyPart : u8 { of_starts, of_rows, of_text };
constexpr std::size_t kVerifyParts = 3;

/// The sectors of a line that a query touches.
struct LineTouch {
  VerifyPart part;
  u64 line;
  u32 sectors;  // bit i: sector i of the line
};

/// The distinct blocks of one query.
class QueryTouches {
 public:
  void clear() { lines_.clear(); }
  void add(VerifyPart part, u64 at, u64 bytes) {
    for (u64 sector = at / kSector; sector <= (at + bytes - 1) / kSector; ++sector) {
      const u64 line = sector * kSector / kLine;
      const auto same = std::ranges::find_if(
          lines_, [&](const LineTouch& one) { return one.line == line && one.part == part; });
      LineTouch& touch = same != lines_.end() ? *same : lines_.emplace_back(LineTouch{part, line, 0});
      touch.sectors |= 1u << sector % (kLine / kSector);
    }
  }
  const std::vector<LineTouch>& lines() const { return lines_; }

 private:
  std::vector<LineTouch> lines_;
};

void touch_row(const VerifyWalker& walker, const Layout& layout, const u32* packed, u32 bases, u32 row,
               QueryTouches& touches) {
  touches.add(of_rows, u64{row} * layout.row_bytes, layout.row_bytes);
  const auto word = [packed](u32 number) { return packed[number]; };
  if (layout.row_bytes == 8) {
    const RowKey key = row_key(bases, layout.k, word);
    if (walker.key(row) < key.first || walker.key(row) > key.last) return;
  }
  const u32 length = walker.length(row), most = std::min(bases, length);
  if (most == 0) return;
  const u32 compared = std::min(most, walker.in_common(packed, bases, row) + 1);
  const u64 first = (u64{64} + length - compared) / 4, last = (u64{64} + length - 1) / 4;
  touches.add(of_text, first, last - first + 1);
}

void touch_query(const Index& index, const VerifyWalker& walker, const u32* packed, u32 bases,
                 QueryTouches& touches) {
  const Layout& layout = index.layout;
  if (bases <= layout.k) {
    const u64 word = Walker::symbols(packed, 0, bases), of_word = u64{4} << (2 * (layout.k - bases));
    touches.add(of_starts, word * of_word, 4);
    touches.add(of_starts, (word + 1) * of_word, 4);
    return;
  }
  const u32 word = walker.word(packed, bases);
  touches.add(of_starts, u64{word} * 4, 8);
  const u32 begin = walker.start(word), end = walker.start(u64{word} + 1);
  const Interval<u32> interval = walker.search(packed, bases);
  std::array<u32, 2> from_l{interval.l - 1, interval.l}, from_h{interval.h - 1, interval.h};
  for (const u32 row : from_l)
    if (row - begin < end - begin) touch_row(walker, layout, packed, bases, row, touches);
  for (const u32 row : from_h)
    if (row - begin < end - begin) touch_row(walker, layout, packed, bases, row, touches);
}

/// The lines of a part that all queries touch.
struct PartTouches {
  double blocks = 0, bytes = 0;
  std::vector<u64> sectors;  // the first of each block

  void add(const LineTouch& line) {
    blocks += 1;
    bytes += static_cast<double>(kSector) * std::popcount(line.sectors);
    sectors.push_back(line.line * (kLine / kSector) + static_cast<u64>(std::countr_zero(line.sectors)));
  }

  /// Bytes over which touches spread evenly meet as often as these; at most those of the part.
  double even_bytes(u64 part_bytes) {
    std::ranges::sort(sectors);
    double meetings = 0;
    for (std::size_t i = 0, run = 0; i < sectors.size(); ++i) {
      run = i > 0 && sectors[i] == sectors[i - 1] ? run + 1 : 0;
      meetings += static_cast<double>(run);
    }
    const auto all = static_cast<double>(part_bytes);
    const auto count = static_cast<double>(sectors.size());
    return meetings == 0 ? all : std::min(all, kSector * count * (count - 1) / 2 / meetings);
  }
};

std::array<u64, kVerifyParts> part_bytes(const Index& index) {
  const u64 rows = verify_rows_offset(index.layout.k);
  const u64 text = verify_text_offset(index.layout.k, index.layout.row_bytes, index.view.rows);
  return {rows, text - rows, index.entries.size() - text};
}

/// Blocks of all queries. Text of so many bases is in a block and one more per line of 128 bytes.
double estimated_blocks(const Layout& layout, const SearchSizes& sizes) {
  const QuerySizes& queries = sizes.queries;
  if (queries.bases == 0) return 0;
  const auto count = static_cast<double>(queries.count);
  const double further_lines = (static_cast<double>(queries.bases) / 4 + 2 * count) / kLine;
  double blocks = 0;
  if (sizes.even && queries.least >= sizes.deep_bases() + 2) {
    // One row is like the query. The two next to it, which may lie in another line, are compared
    // if they are of the word, unless their keys differ. The means are rounded up by a quarter.
    const double rows = static_cast<double>(sizes.rows()) / static_cast<double>(psi_words(layout.k));
    const double others = layout.row_bytes == 8 ? 0.1 : std::min(2.0, rows);
    constexpr double kLeastSlack = 64;
    blocks =
        1.25 * count * (2 + 1 + others) + 1.25 * further_lines + kLeastSlack * sizes.scale(kMostVerifyWalked);
  } else {
    // Two lines of starts, four of rows, and text of each row from a line to the next.
    blocks = count * (2 + 4 + 4 * 2) + 4 * further_lines;
  }
  if (queries.are_alike() || queries.count <= kMostVerifyWalked) return blocks;
  // Walked queries may be shorter than the others; of one base they have two blocks per base.
  constexpr double kShorter = 1.1;
  return queries.least > 0 ? kShorter * blocks : std::max(blocks, 2 * static_cast<double>(queries.bases));
}

}  // namespace

Traffic count_verify_traffic(const Index& index, const Queries& queries, u32 most_walked) {
  const VerifyWalker walker(index);
  u64 bases = 0;
  std::array<PartTouches, kVerifyParts> parts;
  QueryTouches touches;
  for (const u32 query : checked_queries(queries.begin.size(), most_walked)) {
    bases += queries.bases[query];
    touches.clear();
    touch_query(index, walker, queries.packed.data() + u64{queries.begin[query]} * 4, queries.bases[query],
                touches);
    for (const LineTouch& line : touches.lines()) parts[line.part].add(line);
  }
  const double scale = bases == 0 ? 0 : static_cast<double>(queries.total_bases) / static_cast<double>(bases);
  const auto sizes = part_bytes(index);
  std::vector<TrafficClass> classes;
  double blocks = 0, bytes = 0;
  for (std::size_t i = 0; i < kVerifyParts; ++i) {
    if (parts[i].blocks == 0) continue;
    blocks += parts[i].blocks * scale;
    bytes += parts[i].bytes * scale;
    const double even = parts[i].even_bytes(sizes[i]);
    const double touched = touched_bytes(even, parts[i].bytes * scale);
    classes.push_back({std::max<u64>(static_cast<u64>(touched), kSector), parts[i].blocks * scale});
  }
  Traffic traffic{.blocks = blocks,
                  .block_bytes = static_cast<std::size_t>(blocks == 0 ? kSector : std::round(bytes / blocks)),
                  .footprint_bytes = index.entries.size(),
                  .access = kVerifyAccess};
  // The parts are separate, and a cache keeps those that are touched most per byte.
  std::ranges::sort(classes, std::greater{}, [](const TrafficClass& one) {
    return one.blocks / static_cast<double>(one.footprint_bytes);
  });
  std::size_t hotter = 0;
  for (const TrafficClass& one : classes) {
    hotter += one.footprint_bytes;
    traffic.classes.push_back({hotter, one.blocks});
  }
  return traffic;
}

Traffic estimated_verify_traffic(const Layout& layout, const SearchSizes& sizes, bool synthetic) {
  const u64 most_rows = (u64{1} << 32) - 1;  // whether it is longer is not known before it is read
  if (sizes.bases != 0 || synthetic)
    require_verify(layout, sizes.bases == 0 ? most_rows : std::min(sizes.rows(), most_rows), synthetic);
  return {.blocks = estimated_blocks(layout, sizes),
          .block_bytes = kLine,
          .least_block_bytes = kSector,
          .footprint_bytes = sizes.bases == 0 ? 0 : verify_bytes(layout, sizes.rows()),
          .access = kVerifyAccess};
}

}  // namespace gpuseq::fm_index
