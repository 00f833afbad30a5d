#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/fm_index/data/bwt.hpp"

namespace gpuseq::fm_index {

/// The sorted suffixes of one text on disk: column 1 of its BWT, and its suffix array
/// for the oracle. Only these take long to make; columns and layouts are derived again.
///
/// File: a header (magic, version, hash of the text, sizes, checksum of each section and of itself), then the
/// planes of column 1, then the suffix array. Only private files are read (private_file.hpp): their
/// checksums tell damage, and a damaged file is rebuilt.
class BwtCache {
 public:
  static constexpr u32 kVersion = 1;

  /// @param folder  may not exist yet; empty: nothing is cached
  /// @param text  must outlive the cache
  BwtCache(std::filesystem::path folder, std::span<const u8> text);

  /// nullopt where there is no file, or one that cannot be trusted; note() then has the reason.
  std::optional<Bwt> load_bwt(ThreadPool& pool);
  std::optional<SuffixArray> load_suffixes();
  /// Replaces the file. False if it cannot be written; note() then says why.
  bool store(const Bwt& bwt, const SuffixArray& suffixes);

  const std::filesystem::path& path() const { return path_; }
  const std::string& note() const { return note_; }

 private:
  std::filesystem::path folder_, path_;
  std::span<const u8> text_;
  u64 text_hash_;
  std::string note_;
};

}  // namespace gpuseq::fm_index
