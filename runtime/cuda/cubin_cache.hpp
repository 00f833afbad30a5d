#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/compiled.hpp"

namespace gpuseq::cuda {

/// Compiled kernels on disk, one file each. `key` is the full list of the cubin's inputs: it is stored and
/// compared, so that two keys with the same hash never share a cubin. A cubin is executable code: it is only
/// read from files that no other user can have written (private_file.hpp).
class CubinCache {
 public:
  /// The folder need not exist; an empty path disables caching.
  explicit CubinCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// nullopt for a file that is missing, damaged, not private, or of another version or key.
  /// @param refusal  receives the reason if the file is not private
  std::optional<Compiled> find(std::string_view key, std::string& refusal) const;
  /// Atomic: readers never see a partial file.
  /// @returns why it could not be written; empty on success
  std::string keep(std::string_view key, const Compiled& compiled) const;

  std::filesystem::path file_of(std::string_view key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gpuseq::cuda
