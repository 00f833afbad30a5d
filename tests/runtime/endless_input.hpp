#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {

/// Sanitizers take terabytes of address space, which can then not be limited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kAddressSpaceCanBeLimited = false;
#else
inline constexpr bool kAddressSpaceCanBeLimited = true;
#endif

/// A file of some MB that holds `start`, and then `unit` again and again for 16 GiB.
inline std::filesystem::path endless_file(const TemporaryFolder& folder, const std::string& start,
                                          const std::string& unit) {
  constexpr std::size_t kMemberBytes = std::size_t{4} << 20, kMembers = 4096;
  std::string text;
  while (text.size() < kMemberBytes) text += unit;
  const std::string member = gzip(text);
  std::string file = gzip(start);
  for (std::size_t i = 0; i < kMembers; ++i) file += member;
  return folder.write("endless", file);
}

/// Expects that reading is refused for want of memory, with the figures, in a process that may have 512 MiB.
template <typename Read>
void expect_does_not_fit(Read read) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "the address space of a sanitizer cannot be limited";
  constexpr std::size_t kLimitBytes = std::size_t{512} << 20;
  const auto child = [&] {
    const rlimit limit{status_bytes("VmSize").value_or(0) + kLimitBytes, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    try {
      read();
    } catch (const DoesNotFit& refusal) {
      std::fputs(refusal.what(), stderr);
      std::exit(0);
    }
    std::exit(1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0),
              "needs [0-9]+ bytes of host memory: [0-9]+ bytes are available");
}

}  // namespace gpuseq
