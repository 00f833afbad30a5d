#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// JSON written by others. Deeply nested values would exhaust the stack when they are copied, compared or
// checked, and this program's JSON nests less than ten levels: so the depth is limited once, here.

namespace gpuseq {

inline constexpr int kMostNesting = 100;
inline constexpr std::size_t kMostJsonBytes = std::size_t{64} << 20;

/// Whether JSON text is nested deeper than kMostNesting; it may have other errors.
bool nests_too_deep(std::string_view text);

/// Treatment of the strings of a text.
enum class Texts {
  as_written,
  printable,  // converted by printable(): for strings shown to people
};

/// Parses JSON text. @throws UsageError "<name>:<line>:<column>: ..." for a syntax error, a number outside
/// the range of double, or values nested deeper than kMostNesting; "<name>: ..." for a duplicate key
nlohmann::json parse_json(std::string_view text, const std::string& name, Texts texts = Texts::as_written);

/// Reads and parses a file. @throws UsageError if it cannot be read, is not a regular file (a pipe or a
/// device may never end) or is longer than kMostJsonBytes, and like parse_json()
nlohmann::json read_json(const std::filesystem::path& path, Texts texts = Texts::as_written);

/// The error of a JSON value or text, without the library's prefix.
std::string reason_of(const nlohmann::json::exception& error);

}  // namespace gpuseq
