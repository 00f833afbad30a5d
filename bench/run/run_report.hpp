#pragma once

#include <cstdio>
#include <filesystem>
#include <limits>

#include "bench/config/registry.hpp"

namespace gpuseq::bench {

/// Writes plots/ and report.html of a run folder by the Python package, and prints where they are. Without
/// the package it prints how to get it: the records are there all the same.
/// @param most_s  after which drawing is stopped; where that is too little it is not begun
void write_report_of(const std::filesystem::path& dir, const Registry& registry, std::FILE* out,
                     double most_s = std::numeric_limits<double>::infinity());

}  // namespace gpuseq::bench
