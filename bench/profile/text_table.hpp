#pragma once

#include <string>
#include <vector>

namespace gpuseq::bench {

/// Rows of as many cells as the first, in columns as wide as their widest cell, a line each.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace gpuseq::bench
