#include "kernels/exact_match/match_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/atomic_file.hpp"

namespace gpuseq::exact_match {

MatchFile::MatchFile(std::filesystem::path path)
    : path_(std::move(path)), file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (!file_) throw_unwritable(path_, errno);
}

void MatchFile::write(std::span<const std::string> texts) {
  u64 bytes = 0;
  for (const std::string& text : texts) {
    bytes += text.size();
    const int error = file_.write_all(text);
    if (error == 0) continue;
    // Of what is no regular file nothing can be taken back.
    [[maybe_unused]] const int ignored = ftruncate(file_.get(), static_cast<off_t>(bytes_));
    throw_unwritable(path_, error);
  }
  bytes_ += bytes;
}

void MatchFile::close() {
  const int descriptor = dup(file_.get());  // closing says what went wrong; a destructor cannot
  file_ = FileDescriptor();
  if (descriptor < 0 || ::close(descriptor) != 0) throw_unwritable(path_, errno);
}

}  // namespace gpuseq::exact_match
