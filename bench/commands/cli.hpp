#pragma once

#include "bench/config/registry.hpp"

namespace gpuseq::bench {

/// The whole program: parses the command line, runs the command, and returns the exit code. Errors are
/// printed on standard error. A worker process is this function too, in the same executable.
int run_program(int argc, char** argv, const Registry& registry);

}  // namespace gpuseq::bench
