#include "bench/commands/allocator.hpp"

#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gpuseq::bench {

void return_freed_memory() {
#if defined(__GLIBC__)
  // Set by hand, the threshold no longer grows with freed blocks.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace gpuseq::bench
