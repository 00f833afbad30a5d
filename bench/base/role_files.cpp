#include "bench/base/role_files.hpp"

#include <fmt/format.h>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {

std::map<std::string, std::filesystem::path> role_files(std::span<const std::string> given,
                                                        const char* option) {
  std::map<std::string, std::filesystem::path> files;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError(fmt::format("{} {}: allowed: role=file", option, text));
    const std::string role = text.substr(0, equals);
    if (!files.emplace(role, text.substr(equals + 1)).second)
      throw UsageError(fmt::format("{} {}: the role {} is given twice", option, text, role));
  }
  return files;
}

}  // namespace gpuseq::bench
