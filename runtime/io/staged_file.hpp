#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "runtime/io/atomic_file.hpp"
#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// Buffers the output to a descriptor; large pieces are written at once. Keeps errno of the first failure.
class DescriptorBuffer : public std::streambuf {
 public:
  /// @param file  must stay open while this is used
  explicit DescriptorBuffer(const FileDescriptor& file);
  int error() const { return error_; }

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* letters, std::streamsize count) override;
  int sync() override;

 private:
  bool write(std::string_view bytes);

  const FileDescriptor& file_;
  std::unique_ptr<char[]> buffer_;
  int error_ = 0;
};

/// Form of the new content on the disk before it is complete.
enum class Staging {
  unnamed,  // an unnamed file, which disappears if the program ends; named on file systems
            // without unnamed files
  named,    // a hidden file next to the target: .gpuseq-NUMBER
};

/// A file that is written next to its target and replaces it when it is complete. Until then, and if it is
/// never completed, the target is unchanged; other programs see the old content or the new.
///
/// A new file has mode 0666 without the umask; a replaced one keeps its mode and, if permitted, its owner. A
/// symbolic link stays and its target is replaced; other hard links to the old file keep the old content. A
/// file that is not regular (a terminal, /dev/null, a pipe), and an open file named through its descriptor
/// (/dev/stdout, /dev/fd/3), is written immediately and in place.
class StagedFile {
 public:
  /// Detects obstacles to writing the file before the work is done.
  /// @throws ResourceError with the path and the reason: a folder, no folder for it, no permission
  explicit StagedFile(std::filesystem::path path, Staging staging = Staging::unnamed);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  std::ostream& out() { return out_; }
  const std::filesystem::path& path() const { return path_; }
  /// Writes the buffered data. @throws ResourceError if this or an earlier write failed
  void flush();
  /// Like flush(), and reports errors that the system reports only on closing.
  void complete();
  /// complete(), and replaces the target: the last call. @throws ResourceError; the old
  /// file is then unchanged
  void commit(Durability durability = Durability::survives_crash_of_program);

 private:
  void open_in_place();
  void stage(Staging staging);
  int take_attributes_of_target() const;
  int put_in_place();

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // after following symbolic links
  std::filesystem::path folder_;  // folder of the target; empty: written in place
  std::string temporary_;         // name until it is in place; empty: unnamed
  FileDescriptor file_;
  DescriptorBuffer buffer_;
  std::ostream out_;
};

}  // namespace gpuseq
