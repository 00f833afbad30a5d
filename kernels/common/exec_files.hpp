#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq {

/// The file that the user gave `exec` for a role.
/// @param needs  the family's requirement for the error message, such as "--data reference=path"
/// @throws UsageError if there is none
inline const std::filesystem::path& file_for(const std::map<std::string, std::filesystem::path>& files,
                                             const std::string& role, std::string_view family,
                                             std::string_view needs) {
  const auto file = files.find(role);
  if (file == files.end()) throw UsageError(fmt::format("exec {} needs {}", family, needs));
  return file->second;
}

}  // namespace gpuseq
