#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/io/file_descriptor.hpp"

// Common code of the fuzz targets. A target is LLVMFuzzerTestOneInput() in a file of
// its own: libFuzzer calls it, and so does corpus_replay.cpp in every other build.

namespace gpuseq::fuzz {

/// Ends the process as a crash does: the input is kept.
[[noreturn]] inline void finding(std::string_view what) {
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

inline void require(bool holds, std::string_view what) {
  if (!holds) finding(what);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An input of several files: the text between lines of "--8<--". As many
/// as asked for, the last ones may be empty; the last one holds the rest.
inline std::vector<std::string_view> parts_of(std::string_view input, std::size_t count) {
  constexpr std::string_view kCut = "\n--8<--\n";
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < count) {
    const std::size_t cut = std::min(input.find(kCut), input.size());
    parts.push_back(input.substr(0, cut));
    input.remove_prefix(std::min(cut + kCut.size(), input.size()));
  }
  parts.push_back(input);
  return parts;
}

/// A folder of this process, in memory where the system has one there; goes with it.
class Folder {
 public:
  Folder() {
    std::error_code error;
    const bool in_memory = std::filesystem::is_directory("/dev/shm", error);
    std::string name =
        (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path(error)) /
        "gpuseq-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) finding("no scratch folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Only the owner may read and write it, as caches ask for.
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file || file.write_all(content) != 0) finding("a scratch file cannot be written");
    return path;
  }

 private:
  std::filesystem::path path_;
};

inline const Folder& folder() {
  static const Folder one;
  return one;
}

/// Runs a reader: whether it took its input. It may refuse it, with a message that fits a screen and names
/// the file.
/// @param name  of the file in messages; empty: none is expected
template <typename Read>
bool accepts(std::string_view name, Read read) {
  try {
    read();
    return true;
  } catch (const UsageError& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.size() < 4000, "a message of no or many characters");
    if (message.find(name) == message.npos)
      finding("a message without the file's name: " + std::string(message));
  } catch (const ResourceError&) {
  }
  return false;
}

}  // namespace gpuseq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
