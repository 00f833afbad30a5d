#pragma once

#include <string>
#include <vector>

namespace gpuseq::bench {

/// Rows with as many cells as the first, one per line, in columns as wide as their widest cell.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace gpuseq::bench
