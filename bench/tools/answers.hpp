#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/config/tool.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

inline constexpr std::size_t kMostOfMatrix = 1 << 18;

/// Ignores blank lines. @throws UsageError with file and line for a line that violates the format
Answers read_answers(const std::filesystem::path& path, const AnswerFormat& format);

}  // namespace gpuseq::bench
