#include "tests/bench/toy_program.hpp"

int main(int argc, char** argv) {
  return gpuseq::bench::testing::toy_main(argc, argv);
}
