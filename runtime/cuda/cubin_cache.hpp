#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/compiled.hpp"

namespace gpuseq::cuda {

/// Compiled kernels on disk, a file each. `key` is everything that the cubin depends on, in full: it is
/// stored and compared, so two keys with one hash never share a cubin. A cubin is code for a GPU: it is taken
/// only from files that no other user can have made (private_file.hpp).
class CubinCache {
 public:
  /// The folder need not exist; an empty path is a cache that keeps nothing.
  explicit CubinCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// nullopt for a file that is missing, damaged, of another version or of another key, or that is not
  /// private.
  /// @param refusal  is set to what is wrong with one that is not private
  std::optional<Compiled> find(std::string_view key, std::string& refusal) const;
  /// Atomic: no reader ever sees half of a file.
  /// @returns why it could not be written; empty when it was
  std::string keep(std::string_view key, const Compiled& compiled) const;

  std::filesystem::path file_of(std::string_view key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gpuseq::cuda
