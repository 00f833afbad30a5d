#include "runtime/cuda/ptxas_log.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace gpuseq::cuda {
namespace {

/// The number that stands right before `phrase` in `line`: 24 in "Used 24 registers".
std::optional<int> number_before(std::string_view line, std::string_view phrase) {
  const std::size_t end = line.find(phrase);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int value = 0;
  const auto [stop, error] = std::from_chars(line.data() + begin, line.data() + end, value);
  if (error != std::errc{} || stop != line.data() + end) return std::nullopt;
  return value;
}

/// The word in quotes or at the end of the line after `phrase`: the name of a function.
std::optional<std::string_view> name_after(std::string_view line, std::string_view phrase) {
  const std::size_t begin = line.find(phrase);
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + phrase.size());
  if (line.starts_with('\'')) line.remove_prefix(1);
  return line.substr(0, line.find_first_of("' \r"));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

constexpr std::string_view kEntry = "Compiling entry function ";
constexpr std::string_view kProperties = "Function properties for ";

}  // namespace

Resources resources_from_ptxas_log(std::string_view log, std::string_view entry) {
  const std::vector<std::string_view> lines = lines_of(log);
  std::vector<std::string_view> other_entries;
  for (const std::string_view line : lines)
    if (const auto name = name_after(line, kEntry); name && *name != entry) other_entries.push_back(*name);

  Resources found;
  bool of_entry = false;  // registers and shared memory follow the entry that was compiled last
  bool counted = false;   // spills and stack follow the function whose properties are listed
  for (const std::string_view line : lines) {
    if (const auto name = name_after(line, kEntry)) of_entry = *name == entry;
    if (const auto name = name_after(line, kProperties))
      counted = std::find(other_entries.begin(), other_entries.end(), *name) == other_entries.end();
    if (of_entry) {
      found.registers_per_thread = number_before(line, " registers").value_or(found.registers_per_thread);
      found.shared_bytes = number_before(line, " bytes smem").value_or(found.shared_bytes);
    }
    if (counted) {
      found.spill_bytes += number_before(line, " bytes spill stores").value_or(0);
      found.spill_bytes += number_before(line, " bytes spill loads").value_or(0);
      found.local_bytes += number_before(line, " bytes stack frame").value_or(0);
    }
  }
  return found;
}

}  // namespace gpuseq::cuda
