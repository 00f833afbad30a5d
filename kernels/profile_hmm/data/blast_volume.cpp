#include "kernels/profile_hmm/data/blast_volume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "kernels/profile_hmm/data/blast_header.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Residue codes of BLAST databases, NCBIstdaa.
constexpr std::string_view kStdAminoAcids = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ";

constexpr auto kCodes = [] {
  std::array<u8, 256> codes{};
  codes.fill(0xff);
  for (std::size_t i = 0; i < kStdAminoAcids.size(); ++i)
    codes[i] = static_cast<u8>(kResidueLetters.find(kStdAminoAcids[i]));
  return codes;
}();

/// The first `bytes` bytes of a file, or all of a shorter file.
template <typename Bytes>
Bytes read_start(const std::filesystem::path& path, u64 bytes) {
  std::error_code error;
  const u64 size = std::filesystem::file_size(path, error);
  std::ifstream in;
  if (!error)
    in.open(path, std::ios::binary);  // not for a pipe, which has no size and on which open() may block
  if (error || !in)
    throw UsageError(fmt::format("{}: not found or not readable, allowed: a file", path.string()));
  Bytes content;
  require_host_memory(std::min(size, bytes), "reading " + path.string());
  content.resize(std::min(size, bytes));
  in.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
  if (!in) throw UsageError(fmt::format("{}: reading failed", path.string()));
  return content;
}

/// The .pin file: the number of sequences, and their offsets in the other two files.
class Index {
 public:
  explicit Index(const std::filesystem::path& path)
      : path_(path.string()), content_(read_start<std::string>(path, ~u64{0})) {
    const u32 version = number(), type = number();
    if (version != 4) fail(fmt::format("the version of the database is {}, allowed: 4", version));
    if (type != 1) fail("the database is not of proteins (type 1)");
    skip(number(), "title");
    skip(number(), "time");
    count_ = number();
    skip(8, "number of residues");  // the only little-endian number
    number();                       // longest sequence
    if (content_.size() - at_ < 8 * (count_ + 1))
      fail(fmt::format("the file ends before the places of its {} sequences", count_));
  }

  u64 count() const { return count_; }
  u32 header(u64 i) const { return at(at_ + 4 * i); }
  u32 residues(u64 i) const { return at(at_ + 4 * (count_ + 1 + i)); }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("{}: {}", path_, what));
  }

 private:
  u32 at(u64 place) const {
    u32 value = 0;
    for (u64 i = 0; i < 4; ++i) value = value << 8 | static_cast<u8>(content_[place + i]);
    return value;
  }
  u32 number() {
    skip(4, "head");
    return at(at_ - 4);
  }
  void skip(u64 bytes, std::string_view what) {
    if (content_.size() - at_ < bytes) fail(fmt::format("the file ends within its {}", what));
    at_ += bytes;
  }

  std::string path_, content_;
  u64 at_ = 0;
  u64 count_ = 0;
};

class Volume {
 public:
  Volume(const std::filesystem::path& psq, u64 most)
      : psq_(psq), phr_(beside(psq, ".phr")), index_(beside(psq, ".pin")) {
    count_ = most == 0 ? index_.count() : std::min<u64>(most, index_.count());
    for (u64 i = 0; i < count_; ++i) {
      if (index_.residues(i) >= index_.residues(i + 1) || index_.header(i) > index_.header(i + 1))
        index_.fail(fmt::format("the place of sequence {} is not before the next one's", i + 1));
      if (const u32 length = index_.residues(i + 1) - index_.residues(i) - 1; length > kMostResidues)
        fail(psq_, i, fmt::format("{} residues, allowed: {} (hmmsearch ends there)", length, kMostResidues));
    }
  }

  Sequences read() const {
    Sequences sequences;
    sequences.codes = read_start<std::vector<u8>>(psq_, index_.residues(count_));
    if (sequences.codes.size() < index_.residues(count_)) fail_short(psq_);
    translate(sequences);
    read_names(sequences);
    return sequences;
  }

 private:
  static std::filesystem::path beside(std::filesystem::path psq, std::string_view extension) {
    return psq.replace_extension(extension);
  }
  [[noreturn]] static void fail_short(const std::filesystem::path& path) {
    throw UsageError(fmt::format("{}: the file is shorter than its .pin file says", path.string()));
  }
  [[noreturn]] static void fail(const std::filesystem::path& path, u64 i, const std::string& what) {
    throw UsageError(fmt::format("{}: sequence {}: {}", path.string(), i + 1, what));
  }

  /// Replaces the file's codes by ours and drops the zero byte after every sequence.
  void translate(Sequences& sequences) const {
    std::vector<u8>& codes = sequences.codes;
    sequences.begin.reserve(count_ + 1);
    u64 to = 0;
    for (u64 i = 0; i < count_; ++i) {
      u8 worst = 0;
      const u64 end = index_.residues(i + 1) - 1;
      for (u64 from = index_.residues(i); from < end; ++from, ++to) {
        codes[to] = kCodes[codes[from]];
        worst = std::max(worst, codes[to]);
      }
      if (worst == 0xff) fail(psq_, i, fmt::format("a residue code above {}", kStdAminoAcids.size() - 1));
      if (codes[end] != 0) fail(psq_, i, "no zero byte behind the residues");
      sequences.begin.push_back(to);
    }
    codes.resize(to);
  }

  void read_names(Sequences& sequences) const {
    const auto headers = read_start<std::string>(phr_, index_.header(count_));
    if (headers.size() < index_.header(count_)) fail_short(phr_);
    sequences.names.reserve(count_);
    for (u64 i = 0; i < count_; ++i) {
      const u64 begin = index_.header(i);
      auto name = name_of_blast_header(std::string_view(headers).substr(begin, index_.header(i + 1) - begin));
      if (!name) fail(phr_, i, "the header is malformed, allowed: ASN.1 BER");
      sequences.names.push_back(name->empty() ? std::to_string(i) : std::move(*name));
    }
  }

  std::filesystem::path psq_, phr_;
  Index index_;
  u64 count_ = 0;
};

}  // namespace

Sequences read_blast_volume(const std::filesystem::path& psq, u64 most_sequences) {
  return Volume(psq, most_sequences).read();
}

}  // namespace gpuseq::profile_hmm
