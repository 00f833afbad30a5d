#include "bench/commands/cli.hpp"

int main(int argc, char** argv) {
  return gpuseq::bench::run_program(argc, argv, gpuseq::bench::make_registry());
}
