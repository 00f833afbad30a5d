#include "runtime/io/output_files.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result;
}

/// Compares files that do not exist by name, others by identity.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) || resolved(a) == resolved(b);
}

bool is_device(const fs::path& path) {
  std::error_code error;
  return fs::is_character_file(path, error);
}

}  // namespace

void require_separate_files(const std::map<std::string, fs::path>& data,
                            const std::map<std::string, fs::path>& outputs) {
  std::vector<std::pair<std::string, fs::path>> taken;
  taken.reserve(data.size() + outputs.size());
  for (const auto& [role, path] : data) taken.emplace_back("--data " + role, path);
  for (const auto& [role, path] : outputs) {
    for (const auto& [other, file] : taken)
      if (same_file(path, file) && !is_device(path))
        throw UsageError(fmt::format("--{} {}: that is the file of {}", role, path.string(), other));
    taken.emplace_back("--" + role, path);
  }
}

OutputFiles::OutputFiles(std::string_view family, const std::map<std::string, fs::path>& data,
                         const std::map<std::string, fs::path>& outputs) {
  if (!outputs.contains("out")) throw UsageError(fmt::format("exec {} needs --out", family));
  require_separate_files(data, outputs);
  for (const auto& [role, path] : outputs) files_.try_emplace(role, path);
}

void OutputFiles::flush() {
  for (auto& [role, file] : files_) file.flush();
}

void OutputFiles::commit() {
  for (auto& [role, file] : files_) file.complete();
  for (auto& [role, file] : files_) file.commit();
}

}  // namespace gpuseq
