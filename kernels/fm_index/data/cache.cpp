#include "kernels/fm_index/data/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"

namespace gpuseq::fm_index {
namespace {

struct Section {
  u64 bytes;
  u64 checksum;
};

struct Header {
  char magic[8];
  u64 version;
  u64 text_hash;
  u64 text_bases;
  u64 dollar_row;
  u64 first[5];
  u64 position_bytes;  // of the suffix array: 4 or 8
  Section column, suffixes;
  u64 checksum;  // of everything above
};

constexpr char kMagic[8] = {'G', 'S', 'Q', 'F', 'M', 'B', 'W', 'T'};

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

u64 checksum_of(std::string_view bytes) {
  return Hash().update(bytes).value();
}

u64 checksum_of(const Header& header) {
  return checksum_of(std::string_view(reinterpret_cast<const char*>(&header), offsetof(Header, checksum)));
}

/// Why a header does not describe the sorted text that is looked for; nullptr if it does.
const char* why_unusable(const Header& header, u64 text_hash, u64 text_bases, u64 file_bytes) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return "is no cache of ours";
  if (header.version != BwtCache::kVersion) return "has another format version";
  if (header.checksum != checksum_of(header)) return "has a damaged header";
  if (header.text_hash != text_hash || header.text_bases != text_bases) return "is of another text";
  const u64 position_bytes = text_bases < kSort64 ? 4 : 8;
  if (header.position_bytes != position_bytes || header.suffixes.bytes != text_bases * position_bytes ||
      header.column.bytes != (text_bases + 1 + 63) / 64 * 16 || header.dollar_row > text_bases)
    return "has sizes that do not fit its text";
  if (file_bytes != sizeof(Header) + header.column.bytes + header.suffixes.bytes) return "is truncated";
  return nullptr;
}

struct Opened {
  FileDescriptor file;
  Header header{};
};

/// Opens a cache file and checks its header. Leaves `note` alone if there is no file.
std::optional<Opened> open_cache(const std::filesystem::path& path, u64 text_hash, u64 text_bases,
                                 std::string& note) {
  if (path.empty()) return std::nullopt;
  std::string refusal;
  Opened opened{.file = open_private_file(path, refusal)};
  if (!refusal.empty()) note = refusal + "; rebuilt";
  if (!opened.file) return std::nullopt;
  struct stat info {};
  const char* reason = "cannot be read";
  if (fstat(opened.file.get(), &info) == 0)
    reason = opened.file.read_all_at(0, &opened.header, sizeof(Header))
                 ? why_unusable(opened.header, text_hash, text_bases, static_cast<u64>(info.st_size))
                 : "is truncated";
  if (reason == nullptr) return opened;
  note = fmt::format("{} {}; rebuilt", path.string(), reason);
  return std::nullopt;
}

template <typename T>
bool read_section(const Opened& opened, u64 offset, const Section& section, std::vector<T>& values) {
  values.resize(section.bytes / sizeof(T));
  return opened.file.read_all_at(offset, values.data(), section.bytes) &&
         checksum_of(bytes_of(values)) == section.checksum;
}

}  // namespace

BwtCache::BwtCache(std::filesystem::path folder, std::span<const u8> text)
    : folder_(std::move(folder)), text_(text), text_hash_(Hash().update(text).value()) {
  if (!folder_.empty()) path_ = folder_ / fmt::format("fm-index-{:016x}.bwt", text_hash_);
}

std::optional<Bwt> BwtCache::load_bwt(ThreadPool& pool) {
  const auto opened = open_cache(path_, text_hash_, text_.size(), note_);
  if (!opened) return std::nullopt;
  const auto unusable = [&](const char* reason) {
    note_ = fmt::format("{} {}; rebuilt", path_.string(), reason);
    return std::nullopt;
  };
  Bwt bwt;
  bwt.rows = text_.size() + 1;
  BwtColumn column;
  column.dollar_row = opened->header.dollar_row;
  if (!read_section(*opened, sizeof(Header), opened->header.column, column.planes))
    return unusable("has a damaged column");
  bwt.columns.push_back(std::move(column));
  count_symbols(bwt, pool);
  return bwt;
}

std::optional<SuffixArray> BwtCache::load_suffixes() {
  const auto opened = open_cache(path_, text_hash_, text_.size(), note_);
  if (!opened) return std::nullopt;
  SuffixArray result;
  if (text_.size() >= kSort64) result.emplace<std::vector<std::int64_t>>();
  const u64 offset = sizeof(Header) + opened->header.column.bytes;
  const bool sound = std::visit(
      [&](auto& positions) { return read_section(*opened, offset, opened->header.suffixes, positions); },
      result);
  if (sound) return result;
  note_ = fmt::format("{} has a damaged suffix array; rebuilt", path_.string());
  return std::nullopt;
}

bool BwtCache::store(const Bwt& bwt, const SuffixArray& suffixes) {
  if (path_.empty()) return false;
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.text_hash = text_hash_;
  header.text_bases = text_.size();
  header.dollar_row = bwt.columns[0].dollar_row;
  std::copy(bwt.first.begin(), bwt.first.end(), std::begin(header.first));
  header.position_bytes = suffixes.index() == 0 ? 4 : 8;
  const std::string_view column = bytes_of(bwt.columns[0].planes);
  const std::string_view positions = std::visit([](const auto& p) { return bytes_of(p); }, suffixes);
  header.column = {.bytes = column.size(), .checksum = checksum_of(column)};
  header.suffixes = {.bytes = positions.size(), .checksum = checksum_of(positions)};
  header.checksum = checksum_of(header);

  const std::string_view start(reinterpret_cast<const char*>(&header), sizeof header);
  const std::string problem = write_private_file(path_, std::array{start, column, positions});
  if (!problem.empty() && note_.empty()) note_ = problem;  // where a folder is refused it is said already
  return problem.empty();
}

}  // namespace gpuseq::fm_index
