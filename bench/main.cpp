#include <cstdio>

#include "bench/commands/cli.hpp"

int main(int argc, char** argv) {
#ifdef __x86_64__
  // All files are compiled for this, and the narrowest vectors.
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("popcnt")) {
    std::fputs("gpuseq-bench: found a processor without SSE4.1 or POPCNT; allowed: processors with both\n",
               stderr);
    return 2;
  }
#endif
  return gpuseq::bench::run_program(argc, argv, gpuseq::bench::make_registry());
}
