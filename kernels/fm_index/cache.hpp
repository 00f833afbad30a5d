#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/fm_index/bwt.hpp"

namespace gpuseq::fm_index {

/// The sorted suffixes of one text on disk: column 1 of its BWT, and its suffix array for the oracle. Only
/// these take long to make; columns and layouts are derived anew.
///
/// File: a header (magic, version, hash of the text, sizes, checksum of each section and of itself), then the
/// planes of column 1, then the suffix array. Whatever does not check is rebuilt, never trusted.
class BwtCache {
 public:
  static constexpr u32 kVersion = 1;

  /// @param folder  may not exist yet; empty: nothing is cached
  /// @param text_hash  XXH64 of the text
  BwtCache(std::filesystem::path folder, u64 text_hash, u64 text_bases);

  /// nullopt where there is no file, or one that cannot be trusted; note() then says what is wrong with it.
  std::optional<Bwt> load_bwt();
  std::optional<SuffixArray> load_suffixes();
  /// Replaces the file. False if it cannot be written; note() then says why.
  bool store(const Bwt& bwt, const SuffixArray& suffixes);

  const std::filesystem::path& path() const { return path_; }
  const std::string& note() const { return note_; }

 private:
  std::filesystem::path folder_, path_;
  u64 text_hash_, text_bases_;
  std::string note_;
};

}  // namespace gpuseq::fm_index
