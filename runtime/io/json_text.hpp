#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// JSON that others wrote. Values that nest deep would exhaust the stack wherever they are copied, compared or
// checked, and nothing of ours nests ten deep: so what is read is bounded once, here.

namespace gpuseq {

inline constexpr int kMostNesting = 100;
inline constexpr std::size_t kMostJsonBytes = std::size_t{64} << 20;

/// Whether JSON text nests deeper than kMostNesting, whatever else is wrong with it.
bool nests_too_deep(std::string_view text);

/// How the strings of a text are read.
enum class Texts {
  as_written,
  printable,  // as printable() makes them: for those that people will read
};

/// Parses JSON text. @throws UsageError "<name>:<line>:<column>: ..." for a syntax error, a number that no
/// double holds, values nested deeper than kMostNesting; "<name>: ..." for a key given twice
nlohmann::json parse_json(std::string_view text, const std::string& name, Texts texts = Texts::as_written);

/// Reads and parses a file. @throws UsageError if it cannot be read, is no regular file (a pipe or a device
/// may never end) or is longer than kMostJsonBytes, and as parse_json()
nlohmann::json read_json(const std::filesystem::path& path, Texts texts = Texts::as_written);

/// What is wrong with a JSON value or text, without the library's own words before it.
std::string reason_of(const nlohmann::json::exception& error);

}  // namespace gpuseq
