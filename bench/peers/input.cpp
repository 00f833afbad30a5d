#include "bench/peers/input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "bench/peers/counts.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaces[] = {"checkout", "device", "out", "prepared", "program", "work"};
constexpr int kDeepest = 8;  // functions within functions

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

struct Call {
  std::string_view function, argument;
};

/// "function(argument)"; nullopt where the text has not this form.
std::optional<Call> call_of(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  return Call{text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse_count(std::string_view text) {
  throw UsageError(
      fmt::format("found the count \"{}\"; allowed: a number, an axis, pairs(count), or of a role: {}", text,
                  fmt::join(file_count_names(), ", ")));
}

void check_nested_count(std::string_view text, int depth) {
  if (number_of(text) || is_word(text)) return;
  const auto call = call_of(text);
  if (!call || depth == kDeepest) refuse_count(text);
  if (call->function == "pairs") return check_nested_count(call->argument, depth + 1);
  if (!is_file_count(call->function) || !is_word(call->argument)) refuse_count(text);
}

/// One piece of a text: as it stands, or the name in a pair of braces.
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

const fs::path& PeerInput::file(std::string_view role) const {
  const auto found = files_.find(std::string(role));
  if (found != files_.end()) return found->second;
  std::vector<std::string_view> roles;
  for (const auto& [name, path] : files_) roles.push_back(name);
  throw UsageError(fmt::format("the problem has no file \"{}\"; it has: {}", role,
                               roles.empty() ? "none" : fmt::format("{}", fmt::join(roles, ", "))));
}

std::string PeerInput::first_record(const std::string& role) const {
  const auto record = SequenceReader(file(role), any_letters()).next();
  if (!record) throw UsageError(fmt::format("{} has no record", role));
  const fs::path path = folder_ / (role + ".first.fa");
  write_file_atomically(path, fmt::format(">{}\n{}\n", record->name, record->sequence),
                        Durability::survives_crash_of_program);
  return path.string();
}

std::string PeerInput::value(const std::string& name) const {
  if (const auto place = places_.find(name); place != places_.end()) return place->second.string();
  if (const auto found = files_.find(name); found != files_.end()) return found->second.string();
  if (axes_.has(name)) {
    const AxisValue& value = axes_.at(name);
    return name == "threads" && value == AxisValue(std::int64_t{0}) ? std::to_string(available_cpus())
                                                                    : to_string(value);
  }
  const auto call = call_of(name);
  if (call && call->function == "first_record") return first_record(std::string(call->argument));
  if (call) return fmt::format("{:.17g}", count(name));
  std::vector<std::string> known;
  for (const auto& [axis, value] : axes_.values()) known.push_back(axis);
  for (const auto& [role, path] : files_) known.push_back(role);
  for (const auto& [place, path] : places_) known.push_back(place);
  throw UsageError(fmt::format("found the placeholder {{{}}}; allowed: {}, first_record(role) or a count",
                               name, fmt::join(known, ", ")));
}

double PeerInput::count(std::string_view expression) const {
  check_count(expression);
  if (const auto number = number_of(expression)) return *number;
  const auto call = call_of(expression);
  if (!call) return static_cast<double>(axes_.integer(expression));
  if (call->function == "pairs") {
    const double n = count(call->argument);
    return n * (n - 1) / 2;
  }
  const auto known = counts_.find(expression);
  if (known != counts_.end()) return known->second;
  return counts_[std::string(expression)] = file_count(call->function, file(call->argument));
}

}  // namespace gpuseq::bench
