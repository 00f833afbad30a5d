#pragma once

#include <string>
#include <vector>

#include "results/size_curve.hpp"

namespace gpuseq::bench {

/// The rates over the size of a problem in words, a sentence each: from
/// where on a GPU is faster than the CPU, and the known half-performance
/// size of each device. Devices have the names that the curves give them.
std::vector<std::string> size_sentences(const results::SizedProblem& problem);

/// "9 000": a size in two digits and thousands apart.
std::string size_text(double size);

}  // namespace gpuseq::bench
