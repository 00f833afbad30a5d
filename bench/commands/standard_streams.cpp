#include "bench/commands/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gpuseq::bench {

void occupy_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      // The lowest free number, which is this one; inherited by workers, as the others are.
      if (open("/dev/null", O_RDONLY) != descriptor) return;
}

std::string unprinted() {
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0) return std::strerror(errno);
  return failed_before ? "a part of the output was not taken" : "";
}

}  // namespace gpuseq::bench
