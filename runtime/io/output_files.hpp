#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "runtime/io/staged_file.hpp"

namespace gpuseq {

/// Rejects an output that would replace an input file or another output, also by another name or a link.
/// Devices (/dev/null) may be used several times.
/// @param data, outputs  role -> path, see ExecRequest
/// @throws UsageError with both names
void require_separate_files(const std::map<std::string, std::filesystem::path>& data,
                            const std::map<std::string, std::filesystem::path>& outputs);

/// The files that exec() writes, by role. They are opened before the work, which may be long, and
/// replace the old files only when all are complete: after an error, or if the program is killed, old
/// files are unchanged.
class OutputFiles {
 public:
  /// @param family        for messages
  /// @param data, outputs see ExecRequest; data includes companion files
  /// @throws UsageError if there is no "out", or like require_separate_files(); ResourceError if a
  /// file cannot be written
  OutputFiles(std::string_view family, const std::map<std::string, std::filesystem::path>& data,
              const std::map<std::string, std::filesystem::path>& outputs);
  bool has(const std::string& role) const { return files_.contains(role); }
  const std::filesystem::path& path(const std::string& role) const { return files_.at(role).path(); }
  std::ostream& at(const std::string& role) { return files_.at(role).out(); }
  /// @throws ResourceError if writing a file has failed
  void flush();
  /// Replaces the old files by all new ones: the last call. @throws ResourceError
  void commit();

 private:
  std::map<std::string, StagedFile> files_;
};

}  // namespace gpuseq
