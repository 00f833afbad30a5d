#include "bench/config/role_files.hpp"

#include <fmt/format.h>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::bench {

std::map<std::string, std::filesystem::path> role_files(std::span<const std::string> given,
                                                        const char* option, StandardInput standard) {
  std::string read_by;  // the role of standard input
  std::map<std::string, std::filesystem::path> files;
  for (const std::string& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw UsageError(fmt::format("{} {}: allowed: role=file", option, text));
    const std::string role = text.substr(0, equals);
    const auto [entry, added] = files.emplace(role, text.substr(equals + 1));
    if (!added) throw UsageError(fmt::format("{} {}: the role {} is given twice", option, text, role));
    if (!names_standard_input(entry->second)) continue;
    if (standard == StandardInput::refused)
      throw UsageError(
          fmt::format("{} {}: standard input can be read once only; allowed: a file", option, text));
    if (!read_by.empty())
      throw UsageError(fmt::format("{} {}: the role {} reads standard input; allowed: one role that does",
                                   option, text, read_by));
    read_by = role;
    entry->second = standard_input();
  }
  return files;
}

bool names_standard_input(const std::filesystem::path& file) {
  return file == "-" || is_standard_input(file);
}

}  // namespace gpuseq::bench
