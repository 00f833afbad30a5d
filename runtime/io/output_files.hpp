#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runtime/io/staged_file.hpp"

namespace gpuseq {

/// Refuses an output that would replace a file of the data or another output, whatever name or link it has.
/// Devices (/dev/null) may be several.
/// @param data, outputs  role -> path, as of ExecRequest
/// @throws UsageError naming both
void require_separate_files(const std::map<std::string, std::filesystem::path>& data,
                            const std::map<std::string, std::filesystem::path>& outputs);

/// The files that exec() writes, by role. They are opened before the work whose results they take, which may
/// be long, and each takes its place only when all are complete: after an error, or if the program is killed,
/// old files are as they were.
class OutputFiles {
 public:
  /// @param family        for messages
  /// @param data, outputs as of ExecRequest; data with the files that are read beside those
  /// @throws UsageError if there is no "out", or as require_separate_files() does; ResourceError if a file
  /// cannot be written
  OutputFiles(std::string_view family, const std::map<std::string, std::filesystem::path>& data,
              const std::map<std::string, std::filesystem::path>& outputs);
  bool has(const std::string& role) const { return files_.contains(role); }
  const std::filesystem::path& path(const std::string& role) const { return files_.at(role).path(); }
  std::ostream& at(const std::string& role) { return files_.at(role).out(); }
  /// @throws ResourceError if a file could not be written so far
  void flush();
  /// Puts all files in their places: the last call. @throws ResourceError
  void commit();

 private:
  std::map<std::string, StagedFile> files_;
};

}  // namespace gpuseq
