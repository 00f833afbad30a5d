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

/// Buffers what is written to a descriptor; large pieces go to it at once. Keeps errno of what failed first.
class DescriptorBuffer : public std::streambuf {
 public:
  /// @param file  open as long as this is written to
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

/// How the new content lies on the disk before it is complete.
enum class Staging {
  unnamed,  // a file without a name, of which nothing is left when the program dies; named where there are
            // none
  named,    // a hidden file beside the target: .gpuseq-NUMBER
};

/// A file that is written beside its target and takes its place when it is complete. Until then, and if it
/// never is, the target stays as it was; other programs see the old content or the new.
///
/// A new file has the mode that the umask leaves of 0666, a replaced one keeps its mode and, where that is
/// permitted, its owner. A symbolic link stays, what it points to is replaced; other hard links to the old
/// file keep the old content. What is no regular file (a terminal, /dev/null, a pipe), and an open file named
/// through its descriptor (/dev/stdout, /dev/fd/3), is written to at once and where it stands.
class StagedFile {
 public:
  /// Finds out what would keep the file from being written, before the work whose result it takes.
  /// @throws ResourceError with the path and the reason: a folder, no folder for it, no permission
  explicit StagedFile(std::filesystem::path path, Staging staging = Staging::unnamed);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  std::ostream& out() { return out_; }
  const std::filesystem::path& path() const { return path_; }
  /// Writes what is buffered. @throws ResourceError if that or anything before could not be written
  void flush();
  /// As flush(), and for what the system says only when a file is closed.
  void complete();
  /// complete(), and puts the file in its place: the last call. @throws ResourceError; the old file then
  /// stays
  void commit(Durability durability = Durability::survives_crash_of_program);

 private:
  void open_in_place();
  void stage(Staging staging);
  int take_attributes_of_target() const;
  int put_in_place();

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // behind symbolic links
  std::filesystem::path folder_;  // of the target; empty: written in place
  std::string temporary_;         // name until it is in place; empty: has none
  FileDescriptor file_;
  DescriptorBuffer buffer_;
  std::ostream out_;
};

}  // namespace gpuseq
