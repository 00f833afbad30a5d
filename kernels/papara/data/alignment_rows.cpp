#include "kernels/papara/data/alignment_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::string_view kRowBlanks = " \t";

}  // namespace

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kRowBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kRowBlanks));
  text.remove_prefix(word.size());
  return word;
}

void AlignmentRows::add(std::string_view name, std::size_t line) {
  const std::size_t row = alignment.rows.size() + 1;
  if (name.empty()) throw AlignmentFailure{line, fmt::format("row {} has no name", row)};
  for (const char letter : name)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f)
      throw AlignmentFailure{line, fmt::format("{} in the name of row {}", shown(letter), row)};
  memory_.make_room_in_each(alignment.names, alignment.lines, alignment.rows);
  memory_.take(kRowBytes + 2 * name.size());
  std::string word(name);
  std::ranges::replace(word, ' ', '_');
  const auto [first, added] = lines_.emplace(word, line);
  if (!added)
    throw AlignmentFailure{line,
                           fmt::format("the name '{}' was used before, at line {}", name, first->second)};
  alignment.names.push_back(std::move(word));
  alignment.lines.push_back(line);
  alignment.rows.emplace_back();
}

void AlignmentRows::append(std::size_t row, std::string_view letters, std::size_t line) {
  std::string& to = alignment.rows[row];
  memory_.make_room(to, letters.size());
  memory_.take(letters.size());
  for (const char letter : letters) {
    if (kRowBlanks.find(letter) != kRowBlanks.npos) continue;
    if (letter_code(alignment.alphabet, letter) == 0)
      throw AlignmentFailure{line,
                             fmt::format("{} at letter {} of {}, allowed: {}", shown(letter), to.size() + 1,
                                         described(row), allowed_letters(alignment.alphabet))};
    to += letter;
  }
}

std::string AlignmentRows::described(std::size_t row) const {
  return fmt::format("row {} '{}'", row + 1, alignment.names[row]);
}

}  // namespace gpuseq::papara
