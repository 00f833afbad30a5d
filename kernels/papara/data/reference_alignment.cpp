#include "kernels/papara/data/reference_alignment.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <unordered_map>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {

namespace {

constexpr std::string_view kSpaces = " \t";
/// Takes the first word off `text`, and the blanks before it.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpaces));
  text.remove_prefix(word.size());
  return word;
}

struct Line {
  std::size_t number = 0;
  std::string text;
};

/// A failed reading of a file: how far it came, and why.
struct Failure {
  std::size_t line;
  std::string what;
};

/// Collects the rows of one reading of a file. Throws Failure.
class Rows {
 public:
  Rows(Alphabet alphabet, GrowingMemory& memory) : memory_(memory) { alignment.alphabet = alphabet; }

  void add(std::string_view name, std::size_t line) {
    if (name.empty()) throw Failure{line, fmt::format("row {} has no name", alignment.rows.size() + 1)};
    for (const char letter : name)
      if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f)
        throw Failure{line,
                      fmt::format("{} in the name of row {}", shown(letter), alignment.rows.size() + 1)};
    memory_.make_room_in_each(alignment.names, alignment.lines, alignment.rows);
    memory_.take(kRowBytes + 2 * name.size());
    const auto [first, added] = lines_.emplace(name, line);
    if (!added)
      throw Failure{line, fmt::format("the name '{}' was used before, at line {}", name, first->second)};
    alignment.names.emplace_back(name);
    alignment.lines.push_back(line);
    alignment.rows.emplace_back();
  }

  /// Appends the letters of a line, blanks between them left out.
  void append(std::size_t row, std::string_view letters, std::size_t line) {
    std::string& to = alignment.rows[row];
    memory_.make_room(to, letters.size());
    memory_.take(letters.size());
    for (const char letter : letters) {
      if (kSpaces.find(letter) != kSpaces.npos) continue;
      if (letter_code(alignment.alphabet, letter) == 0)
        throw Failure{line, fmt::format("{} at letter {} of {}, allowed: {}", shown(letter), to.size() + 1,
                                        described(row), allowed_letters(alignment.alphabet))};
      to += letter;
    }
  }

  std::string described(std::size_t row) const {
    return fmt::format("row {} '{}'", row + 1, alignment.names[row]);
  }

  ReferenceAlignment alignment;

 private:
  static constexpr u64 kRowBytes = 128;  // of a row in lines_, beside its name
  GrowingMemory& memory_;
  std::unordered_map<std::string, std::size_t> lines_;
};

/// '>' and a name (after blanks, in some files), up to the next blank; letters on any number of lines.
ReferenceAlignment read_fasta(Alphabet alphabet, Line line, LineReader& lines) {
  Rows rows(alphabet, lines.memory());
  const ReferenceAlignment& read = rows.alignment;
  const auto end_row = [&] {
    if (read.rows.empty()) return;
    const std::size_t letters = read.rows.back().size();
    if (letters == 0 || letters != read.sites())
      throw Failure{read.lines.back(),
                    fmt::format("{} has {} letters, {}", rows.described(read.rows.size() - 1), letters,
                                letters == 0 ? "allowed: one or more"
                                             : fmt::format("the first row has {}", read.sites()))};
  };
  do {
    if (line.text.starts_with('>')) {
      end_row();
      std::string_view header = std::string_view(line.text).substr(1);
      rows.add(take_word(header), lines.number());
    } else {
      rows.append(read.rows.size() - 1, line.text, lines.number());
    }
  } while (lines.next(line.text));
  end_row();
  return std::move(rows.alignment);
}

struct PhylipHeader {
  u64 rows = 0, sites = 0;
  std::size_t line = 0;
};

PhylipHeader parse_header(const Line& line) {
  std::string_view text = line.text;
  PhylipHeader header;
  header.line = line.number;
  for (u64* number : {&header.rows, &header.sites}) {
    const std::string_view word = take_word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
    if (error != std::errc() || end != word.data() + word.size() || *number == 0)
      throw Failure{line.number,
                    fmt::format("'{}' in the header is no count, allowed: the number of rows and "
                                "the number of sites, at least 1 each",
                                word)};
  }
  if (const std::string_view word = take_word(text); !word.empty())
    throw Failure{line.number, fmt::format("'{}' after the two numbers of the header", word)};
  return header;
}

[[noreturn]] void fail_length(const Rows& rows, std::size_t row, const PhylipHeader& header,
                              std::size_t line) {
  throw Failure{line, fmt::format("{} has {} letters, the header says {} sites", rows.described(row),
                                  rows.alignment.rows[row].size(), header.sites)};
}

[[noreturn]] void fail_count(const Rows& rows, const PhylipHeader& header, std::size_t line) {
  throw Failure{line, fmt::format("the file ends after {} rows, the header says {}",
                                  rows.alignment.rows.size(), header.rows)};
}

/// Each row in full before the next, on any number of lines.
ReferenceAlignment read_sequential(Alphabet alphabet, const std::vector<Line>& lines,
                                   const PhylipHeader& header, GrowingMemory& memory) {
  Rows rows(alphabet, memory);
  const ReferenceAlignment& read = rows.alignment;
  for (const Line& line : lines) {
    std::string_view text = line.text;
    if (read.rows.empty() || read.rows.back().size() == header.sites) {
      if (read.rows.size() == header.rows)
        throw Failure{line.number, fmt::format("text after the {} rows that the header says", header.rows)};
      rows.add(take_word(text), line.number);
    }
    const std::size_t row = read.rows.size() - 1;
    rows.append(row, text, line.number);
    if (read.rows[row].size() > header.sites) fail_length(rows, row, header, line.number);
  }
  const std::size_t last = lines.empty() ? header.line : lines.back().number;
  if (read.rows.empty()) fail_count(rows, header, last);
  if (read.rows.back().size() != header.sites) fail_length(rows, read.rows.size() - 1, header, last);
  if (read.rows.size() != header.rows) fail_count(rows, header, last);
  return std::move(rows.alignment);
}

/// Blocks of one line a row; names in the first block only.
ReferenceAlignment read_interleaved(Alphabet alphabet, const std::vector<Line>& lines,
                                    const PhylipHeader& header, GrowingMemory& memory) {
  Rows rows(alphabet, memory);
  const ReferenceAlignment& read = rows.alignment;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view text = lines[i].text;
    const std::size_t row = i % header.rows;
    if (i < header.rows) rows.add(take_word(text), lines[i].number);
    rows.append(row, text, lines[i].number);
    const std::size_t letters = read.rows[row].size();
    if (letters > header.sites) fail_length(rows, row, header, lines[i].number);
    if (row > 0 && letters != read.sites())
      throw Failure{lines[i].number, fmt::format("{} has {} letters up to here, the first row {}",
                                                 rows.described(row), letters, read.sites())};
  }
  const std::size_t last = lines.empty() ? header.line : lines.back().number;
  if (read.rows.size() < header.rows) fail_count(rows, header, last);
  for (std::size_t row = 0; row < header.rows; ++row)
    if (read.rows[row].size() != header.sites) fail_length(rows, row, header, last);
  return std::move(rows.alignment);
}

/// Nothing in a PHYLIP file says how its rows are laid out: what fits is taken, sequential first. If neither
/// fits, the reading that came further tells what is wrong (with one line a row, the interleaved one: it
/// knows where each row ends).
ReferenceAlignment read_phylip(Alphabet alphabet, Line line, LineReader& lines) {
  const PhylipHeader header = parse_header(line);
  std::vector<Line> content;
  while (lines.next(line.text))
    if (line.text.find_first_not_of(kSpaces) != line.text.npos) {
      lines.memory().make_room_in_each(content);
      lines.memory().take(line.text.size());
      content.push_back({.number = lines.number(), .text = line.text});
    }
  if (content.size() <= header.rows) return read_interleaved(alphabet, content, header, lines.memory());
  try {
    return read_sequential(alphabet, content, header, lines.memory());
  } catch (const Failure& sequential) {
    try {
      return read_interleaved(alphabet, content, header, lines.memory());
    } catch (const Failure& interleaved) {
      throw interleaved.line > sequential.line ? interleaved : sequential;
    }
  }
}

}  // namespace

ReferenceAlignment read_alignment(const std::filesystem::path& path, Alphabet alphabet) {
  LineReader lines(path);
  Line line;
  do {
    if (!lines.next(line.text))
      throw UsageError(fmt::format("{}: the file is empty, allowed: an alignment in FASTA or PHYLIP format",
                                   path.string()));
    line.number = lines.number();
  } while (line.text.find_first_not_of(kSpaces) == line.text.npos);
  try {
    const char first = line.text[line.text.find_first_not_of(kSpaces)];
    if (first != '>' && (first < '0' || first > '9'))
      throw Failure{line.number,
                    fmt::format("found {} at the start, allowed: '>' (FASTA) or the number of rows "
                                "and of sites (PHYLIP)",
                                shown(first))};
    ReferenceAlignment alignment = line.text.front() == '>' ? read_fasta(alphabet, std::move(line), lines)
                                                            : read_phylip(alphabet, std::move(line), lines);
    alignment.place = path.string();
    return alignment;
  } catch (const Failure& failure) {
    throw UsageError(fmt::format("{}:{}: {}", path.string(), failure.line, failure.what));
  }
}

}  // namespace gpuseq::papara
