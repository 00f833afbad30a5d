#include "bench/config/tool_expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::string_view kPlaces[] = {"checkout", "device", "out", "prepared", "program", "work"};
constexpr int kDeepest = 8;  // nested functions

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

constexpr std::array<std::string_view, 5> kFileCounts{"fasta_residues", "fasta_records", "fasta_shortest",
                                                      "hmm_states", "lines"};

bool is_file_count(std::string_view name) {
  return std::find(kFileCounts.begin(), kFileCounts.end(), name) != kFileCounts.end();
}

[[noreturn]] void refuse_count(std::string_view text) {
  throw UsageError(
      fmt::format("found the count \"{}\"; allowed: a number, an axis, pairs(count), or of a role: {}", text,
                  fmt::join(kFileCounts, ", ")));
}

void check_nested_count(std::string_view text, int depth) {
  if (count_number(text) || is_word(text)) return;
  const auto call = count_call(text);
  if (!call || depth == kDeepest) refuse_count(text);
  if (call->function == "pairs") return check_nested_count(call->argument, depth + 1);
  if (!is_file_count(call->function) || !is_word(call->argument)) refuse_count(text);
}

/// One piece of a text: literal, or the name in a pair of braces.
struct Piece {
  std::string text;
  bool name = false;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool doubled = at + 1 < text.size() && text[at + 1] == text[at];
    if (text[at] != '{' && text[at] != '}') {
      plain += text[at];
    } else if (doubled) {
      plain += text[at++];
    } else {
      const std::size_t end = text.find_first_of("{}", at + 1);
      if (text[at] == '}' || end == std::string_view::npos || text[end] == '{')
        throw UsageError(
            fmt::format("found \"{}\" with a brace that has no other; {{{{ and }}}} are braces "
                        "that stand for themselves",
                        text));
      pieces.push_back({std::exchange(plain, {}), false});
      pieces.push_back({std::string(text.substr(at + 1, end - at - 1)), true});
      at = end;
    }
  }
  pieces.push_back({std::move(plain), false});
  return pieces;
}

}  // namespace

std::optional<CountCall> count_call(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  return CountCall{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

std::optional<double> count_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> names;
  for (Piece& piece : pieces_of(text))
    if (piece.name) names.push_back(std::move(piece.text));
  return names;
}

std::string expand(std::string_view text, const std::function<std::string(const std::string&)>& value) {
  std::string result;
  for (const Piece& piece : pieces_of(text)) result += piece.name ? value(piece.text) : piece.text;
  return result;
}

void check_count(std::string_view expression) {
  check_nested_count(expression, 0);
}

bool is_axis_name(std::string_view name) {
  return is_word(name) && (name[0] < '0' || name[0] > '9') &&
         std::find(std::begin(kPlaces), std::end(kPlaces), name) == std::end(kPlaces);
}

}  // namespace gpuseq::bench
