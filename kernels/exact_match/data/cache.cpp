#include "kernels/exact_match/data/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr char kMagic[8] = {'G', 'S', 'Q', 'T', 'R', 'E', 'E', '1'};
constexpr std::size_t kSections = 5;

struct Header {
  char magic[8];
  u64 version;
  u64 text_hash;
  u64 text_letters, node_count, leaf_count;
  u64 section_checksum[kSections];
  u64 checksum;  // checksum of all fields above
};

u64 checksum_of(std::string_view bytes) {
  return Hash().update(bytes).value();
}

u64 checksum_of(const Header& header) {
  return checksum_of(std::string_view(reinterpret_cast<const char*>(&header), offsetof(Header, checksum)));
}

template <typename T>
std::string_view bytes_of(const HugeArray<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The sections of a file in order.
std::array<std::string_view, kSections> sections_of(const SuffixTree& tree) {
  return {bytes_of(tree.nodes), bytes_of(tree.ranges), bytes_of(tree.leaf_parent), bytes_of(tree.leaf_depth),
          bytes_of(tree.leaves)};
}

u64 section_bytes(const Header& header) {
  return header.node_count * (sizeof(TreeNode) + sizeof(LeafRange)) + header.text_letters * 5 +
         header.leaf_count * 4;
}

/// The reason why a header does not describe the wanted tree; nullptr if it does.
const char* why_unusable(const Header& header, u64 text_hash, u64 text_letters, u64 leaves, u64 file_bytes) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return "is no cache of ours";
  if (header.version != TreeCache::kVersion) return "has another format version";
  if (header.checksum != checksum_of(header)) return "has a damaged header";
  if (header.text_hash != text_hash || header.text_letters != text_letters) return "is of another text";
  if (header.leaf_count != leaves || header.node_count == 0 || header.node_count > text_letters)
    return "has sizes that do not fit its text";
  if (file_bytes != sizeof(Header) + section_bytes(header)) return "is truncated";
  return nullptr;
}

/// An empty tree with the sizes of a header, and with its text.
SuffixTree sized_tree(const Header& header, std::span<const u8> text) {
  require_host_memory(section_bytes(header) + text.size(), "the suffix tree");
  SuffixTree tree;
  tree.text = padded_text(text);
  tree.nodes = HugeArray<TreeNode>(header.node_count);
  tree.ranges = HugeArray<LeafRange>(header.node_count);
  tree.leaf_parent = HugeArray<u32>(header.text_letters);
  tree.leaf_depth = HugeArray<u8>(header.text_letters);
  tree.leaves = HugeArray<u32>(header.leaf_count);
  return tree;
}

/// The checksum of a section: that of its pieces' checksums, computed with all threads.
/// @param before_piece  called with a piece's offset and its bytes, which it may read from a file: then the
/// threads create the pages that they read into, which takes longer than reading
template <typename BeforePiece>
u64 section_checksum(std::string_view section, ThreadPool& pool, const BeforePiece& before_piece) {
  constexpr std::size_t kPieceBytes = std::size_t{4} << 20;  // fixed by version 3 of the format
  std::vector<u64> pieces((section.size() + kPieceBytes - 1) / kPieceBytes);
  pool.parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::string_view bytes = section.substr(piece * kPieceBytes, kPieceBytes);
      before_piece(piece * kPieceBytes, bytes);
      pieces[piece] = checksum_of(bytes);
    }
  });
  return Hash().update(std::span<const u64>(pieces)).value();
}

}  // namespace

TreeCache::TreeCache(std::filesystem::path folder, std::span<const u8> text)
    : folder_(std::move(folder)), text_(text), text_hash_(Hash().update(text).value()) {
  if (!folder_.empty()) path_ = folder_ / fmt::format("suffix-tree-{:016x}.tree", text_hash_);
}

std::optional<SuffixTree> TreeCache::load(ThreadPool& pool) {
  if (path_.empty()) return std::nullopt;
  std::string refusal;
  const FileDescriptor file = open_private_file(path_, refusal);
  if (!refusal.empty()) note_ = refusal + "; rebuilt";
  if (!file) return std::nullopt;
  const auto unusable = [&](const char* reason) {
    note_ = fmt::format("{} {}; rebuilt", path_.string(), reason);
    return std::nullopt;
  };
  struct stat info {};
  Header header{};
  if (fstat(file.get(), &info) != 0) return unusable("cannot be read");
  if (!file.read_all_at(0, &header, sizeof header)) return unusable("is truncated");
  const auto leaves = static_cast<u64>(std::count_if(text_.begin(), text_.end(), [](u8 c) { return c < 4; }));
  if (const char* reason =
          why_unusable(header, text_hash_, text_.size(), leaves, static_cast<u64>(info.st_size)))
    return unusable(reason);
  SuffixTree tree = sized_tree(header, text_);
  u64 offset = sizeof header;
  std::size_t number = 0;
  std::atomic<bool> complete = true;
  for (const std::string_view section : sections_of(tree)) {
    const auto read = [&](std::size_t begin, std::string_view piece) {
      if (!file.read_all_at(offset + begin, const_cast<char*>(piece.data()), piece.size())) complete = false;
    };
    if (section_checksum(section, pool, read) != header.section_checksum[number++] || !complete)
      return unusable("is damaged");
    offset += section.size();
  }
  tree.order = kOrder;
  return tree;
}

bool TreeCache::store(const SuffixTree& tree, ThreadPool& pool) {
  if (path_.empty()) return false;
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.text_hash = text_hash_;
  header.text_letters = text_.size();
  header.node_count = tree.nodes.size();
  header.leaf_count = tree.leaves.size();
  const auto sections = sections_of(tree);
  const auto nothing = [](std::size_t, std::string_view) {};
  for (std::size_t number = 0; number < kSections; ++number)
    header.section_checksum[number] = section_checksum(sections[number], pool, nothing);
  header.checksum = checksum_of(header);
  std::array<std::string_view, kSections + 1> parts;
  parts[0] = {reinterpret_cast<const char*>(&header), sizeof header};
  std::copy(sections.begin(), sections.end(), parts.begin() + 1);
  const std::string problem = write_private_file(path_, parts);
  if (!problem.empty()) note_ = problem;
  return problem.empty();
}

LoadedTree load_tree(const std::filesystem::path& cache_dir, std::span<const u8> text, NodeOrder order,
                     ThreadPool& pool) {
  auto start = std::chrono::steady_clock::now();
  TreeCache cache(cache_dir, text);
  LoadedTree loaded;
  if (auto cached = cache.load(pool)) {
    loaded.tree = std::move(*cached);
    loaded.from_cache = true;
  } else {
    loaded.tree = build_tree(text, pool);
    order_nodes(loaded.tree, cache.path().empty() ? order : TreeCache::kOrder);
    loaded.elapsed_s = seconds_since(start);
    const std::string refused = cache.note();
    cache.store(loaded.tree, pool);
    loaded.note = refused.empty() ? cache.note() : refused;  // for a rejected folder both are the same
    start = std::chrono::steady_clock::now();
  }
  if (loaded.tree.order != order) order_nodes(loaded.tree, order);
  loaded.elapsed_s += seconds_since(start);
  return loaded;
}

}  // namespace gpuseq::exact_match
