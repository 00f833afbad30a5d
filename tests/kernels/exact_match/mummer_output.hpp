#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kernels/exact_match/matches.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/child_process.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match::testing {

inline bool mummer_is_missing() {
  return !find_program("mummer");
}
inline constexpr const char* kNoMummer = "mummer is not installed (package mummer)";

/// The output of mummer for two files.
/// @param more  options
inline std::string run_mummer(const TemporaryFolder& folder, const Search& search,
                              const std::filesystem::path& reference, const std::filesystem::path& queries,
                              const std::vector<std::string>& more = {}) {
  const auto out = folder.path() / "mummer.out";
  std::vector<std::string> arguments{"mummer",
                                     fmt::format("-{}", kModeNames[static_cast<std::size_t>(search.mode)]),
                                     "-n", "-l", std::to_string(search.min_length)};
  if (search.both_strands) arguments.emplace_back("-b");
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {reference, queries});
  run_child({.arguments = arguments, .out = out, .err = folder.path() / "mummer.err", .timeout_s = 60});
  return read_file(out);
}

/// The text with the lines of every strand sorted: equal texts are equal sets, in mummer's format.
inline std::string sorted_lines(const std::string& text) {
  std::string result;
  std::vector<std::string> lines;
  const auto flush = [&] {
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) result += line;
    lines.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line[0] == '>') {
      flush();
      result += line;
    } else {
      lines.push_back(line);
    }
    at = end;
  }
  flush();
  return result;
}

}  // namespace gpuseq::exact_match::testing
