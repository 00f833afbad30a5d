// gpuseq-bench with one variant made slower on purpose, for measuring what the gate catches.

#include "bench/commands/cli.hpp"
#include "tests/bench/slowdown.hpp"

int main(int argc, char** argv) {
  using namespace gpuseq::bench;
  return run_program(argc, argv, testing::slowed(make_registry()));
}
