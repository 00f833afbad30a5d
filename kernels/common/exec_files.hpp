#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq {

/// The file that `exec` was given for a role.
/// @param needs  what the error says that the family needs, as "--data reference=path"
/// @throws UsageError if it was given none
inline const std::filesystem::path& file_for(const std::map<std::string, std::filesystem::path>& files,
                                             const std::string& role, std::string_view family,
                                             std::string_view needs) {
  const auto file = files.find(role);
  if (file == files.end()) throw UsageError(fmt::format("exec {} needs {}", family, needs));
  return file->second;
}

}  // namespace gpuseq
