#include "kernels/fm_index/library/index_file.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "kernels/fm_index/data/blocks.hpp"
#include "kernels/fm_index/data/psi.cuh"
#include "kernels/fm_index/library/content_check.hpp"

namespace gpuseq::fm_index {
namespace {

/// Numbers of fields.
enum Field : u32 {
  kKind,
  kK,
  kD,
  kLineBytes,
  kWide,
  kRows,
  kPrefixSymbols,
  kDollarRow,
  kDollarWord = kDollarRow + kMaxK,
  kShortRows = kDollarWord + kMaxK,
  kShortWord,
  kFields = kShortWord + kMaxPsiK
};
constexpr library::FileFormat kFormat{.magic = "GSQFMIDX", .version = 1, .fields = kFields, .sections = 3};

constexpr u64 kMostRows = u64{1} << 40;

u64 number_of(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::full:
      return 0;
    case LayoutKind::alternate:
      return 1;
    case LayoutKind::one_hot:
      return 2;
    case LayoutKind::psi:
    case LayoutKind::psi_lines:
      return 3;
    case LayoutKind::elias_fano:
    case LayoutKind::verify:
      break;
  }
  throw std::logic_error("no file has such a layout");
}

/// Rows of a superblock, as build_index() makes them by itself.
u64 superblock_rows(const Layout& layout) {
  return layout.wide ? kSuperblockRows / layout.d * layout.d : 0;
}

std::span<const std::byte> bytes_of(const HugeBuffer& buffer) {
  return {buffer.data(), buffer.size()};
}

}  // namespace

void write_index(const std::filesystem::path& path, const Index& index) {
  const IndexView& view = index.view;
  std::array<u64, kFields> fields{};
  // All members, or it does not compile; kinds with rows have no file.
  const auto& [kind, k, d, wide, line_bytes, row_bytes] = index.layout;
  fields[kKind] = number_of(kind);
  fields[kK] = k;
  fields[kD] = d;
  fields[kLineBytes] = line_bytes;
  fields[kWide] = wide ? 1 : 0;
  fields[kRows] = view.rows;
  fields[kPrefixSymbols] = view.prefix_symbols;
  for (u32 j = 0; j < kMaxK; ++j) {
    fields[kDollarRow + j] = index.layout.psi() ? ~u64{0} : view.dollar.row[j];
    fields[kDollarWord + j] = view.dollar.word[j];
  }
  fields[kShortRows] = view.short_rows.count;
  for (u32 i = 0; i < view.short_rows.count; ++i) fields[kShortWord + i] = view.short_rows.word[i];
  const std::array sections{bytes_of(index.entries), std::as_bytes(std::span(index.superblocks)),
                            bytes_of(index.prefix)};
  library::write_section_file(path, kFormat, fields, sections);
}

IndexFile::IndexFile(const std::filesystem::path& path, const Layout& layout, u32 prefix_symbols)
    : file_(path, kFormat) {
  read_layout(layout, prefix_symbols);
  read_rows();
  read_marked_rows();
  check_sizes();
  view_.entries = reinterpret_cast<const u8*>(entries().data());
  view_.superblocks = reinterpret_cast<const u64*>(superblocks().data());
  view_.prefix = prefix().data();
}

void IndexFile::read_layout(const Layout& allowed, u32 prefix_symbols) {
  const auto require = [&](Field field, const char* what, u64 value) {
    if (file_.field(field) != value) file_.refuse_field(field, what, fmt::format("{}", value));
  };
  require(kKind, "kind of layout", number_of(allowed.kind));
  require(kK, "k", allowed.k);
  require(kD, "d", allowed.d);
  require(kLineBytes, "bytes of a line", allowed.line_bytes);
  require(kPrefixSymbols, "symbols of the prefix table", prefix_symbols);
  layout_ = allowed;
  view_.prefix_symbols = prefix_symbols;
}

void IndexFile::read_rows() {
  view_.rows = file_.field(kRows);
  const u64 most = layout_.psi() ? (u64{1} << 32) - 1 : kMostRows;
  if (view_.rows < 2 || view_.rows > most) file_.refuse_field(kRows, "rows", fmt::format("2 to {}", most));
  layout_.wide = view_.rows >= u64{1} << 32;
  if (file_.field(kWide) != (layout_.wide ? 1 : 0))
    file_.refuse_field(kWide, "wide", fmt::format("{} for {} rows", layout_.wide ? 1 : 0, view_.rows));
  view_.superblock_rows = superblock_rows(layout_);
  if (layout_.one_hot()) view_.blocks_per_word = divide(layout_, view_.rows, kSuperblockRows).blocks;
}

void IndexFile::read_marked_rows() {
  const u64 words = psi_words(layout_.k);
  const auto word = [&](u32 field) {
    if (file_.field(field) >= words) file_.refuse_field(field, "word", fmt::format("0 to {}", words - 1));
    return static_cast<u32>(file_.field(field));
  };
  for (u32 j = 0; j < kMaxK; ++j) {
    const u64 row = file_.field(kDollarRow + j);
    const bool listed = j < layout_.k && !layout_.psi();
    if (row != ~u64{0} && (!listed || row >= view_.rows))
      file_.refuse_field(kDollarRow + j, "row of $",
                         listed ? fmt::format("0 to {}, or all ones", view_.rows - 1) : "all ones");
    view_.dollar.row[j] = row;
    view_.dollar.word[j] = word(kDollarWord + j);
  }
  const u64 most = layout_.psi() ? layout_.k : 0;
  if (file_.field(kShortRows) > most)
    file_.refuse_field(kShortRows, "rows of short suffixes", fmt::format("0 to {}", most));
  view_.short_rows.count = static_cast<u32>(file_.field(kShortRows));
  for (u32 i = 0; i < view_.short_rows.count; ++i) view_.short_rows.word[i] = word(kShortWord + i);
}

void IndexFile::check_sizes() const {
  const auto require = [&](u32 section, const char* what, u64 found, u64 allowed) {
    if (found != allowed)
      file_.refuse(file_.offset_of(section, 0),
                   fmt::format("bytes of the {}: found {}, allowed: {}", what, found, allowed));
  };
  const u64 least = entries_bytes(layout_, view_.rows);
  if (layout_.kind != LayoutKind::psi_lines) {
    require(0, "entries", entries().size(), least);
  } else if (entries().size() < least || entries().size() % kPsiUnit != 0) {
    file_.refuse(file_.offset_of(0, 0),
                 fmt::format("bytes of the lines: found {}, allowed: {} and more, a multiple of {}",
                             entries().size(), least, kPsiUnit));
  }
  const u64 superblocks_there =
      layout_.wide ? divide(layout_, view_.rows, kSuperblockRows).superblocks * layout_.words() * 8 : 0;
  require(1, "superblocks", superblocks().size(), superblocks_there);
  require(2, "prefix table", prefix().size(), prefix_bytes(layout_, view_.prefix_symbols));
}

void IndexFile::check_content(ThreadPool& pool) const {
  file_.check_sums(pool);
  if (const auto wrong = find_unsafe(layout_, view_, entries().size(), prefix().size(), pool))
    file_.refuse(file_.offset_of(wrong->prefix ? 2 : 0, wrong->byte), wrong->problem);
}

}  // namespace gpuseq::fm_index
