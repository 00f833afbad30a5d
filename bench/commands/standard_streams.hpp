#pragma once

#include <string>

namespace gpuseq::bench {

/// Gives those of the descriptors 0 to 2 that are closed to /dev/null, so that no file of the program gets
/// the number that something prints to. Writing to one of them remains an error.
void occupy_standard_descriptors();

/// Flushes standard output. @returns why a part of the output has not arrived there; empty: all has
std::string unprinted();

}  // namespace gpuseq::bench
