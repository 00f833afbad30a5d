// gpuseq-bench with one variant made slower on purpose, to measure which slowdowns the gate finds.

#include "bench/commands/cli.hpp"
#include "tests/bench/slowdown.hpp"

int main(int argc, char** argv) {
  namespace bench = gpuseq::bench;
  return bench::run_program(argc, argv, bench::testing::slowed(bench::make_registry()));
}
