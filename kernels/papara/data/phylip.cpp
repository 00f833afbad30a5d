#include "kernels/papara/data/phylip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace gpuseq::papara {
namespace {

constexpr std::string_view kPhylipBlanks = " \t";
constexpr std::size_t kStrictColumns = 10;

enum class NameEnd { blank, ten_columns, two_blanks };
enum class Layout { line_per_row, sequential, interleaved, repeated };

struct PhylipForm {
  NameEnd names;
  Layout layout;
};

std::string described(const PhylipForm& form) {
  static constexpr std::array<std::string_view, 4> kLayouts{"one line per row", "sequential", "interleaved",
                                                            "interleaved with a name in every line"};
  static constexpr std::array<std::string_view, 3> kNames{"names up to a blank", "names of ten columns",
                                                          "names up to two blanks or a tab"};
  return fmt::format("{}, {}", kLayouts[static_cast<std::size_t>(form.layout)],
                     kNames[static_cast<std::size_t>(form.names)]);
}

struct PhylipHeader {
  u64 rows = 0, sites = 0;
  std::size_t line = 0;
  char option = ' ';  // 'I', 'S' or none
};

PhylipHeader parse_phylip_header(const TextLine& line) {
  std::string_view text = line.text;
  PhylipHeader header;
  header.line = line.number;
  for (u64* number : {&header.rows, &header.sites}) {
    const std::string_view word = take_word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
    if (error != std::errc() || end != word.data() + word.size() || *number == 0)
      throw AlignmentFailure{line.number,
                             fmt::format("'{}' in the header is no count, allowed: the number of rows and "
                                         "the number of sites, at least 1 each",
                                         word)};
  }
  std::string_view word = take_word(text);
  if (word == "I" || word == "i" || word == "S" || word == "s") {
    header.option = word == "I" || word == "i" ? 'I' : 'S';
    word = take_word(text);
  }
  if (!word.empty())
    throw AlignmentFailure{
        line.number, fmt::format("'{}' after the two numbers of the header, allowed: I (interleaved) or S "
                                 "(sequential)",
                                 word)};
  return header;
}

std::string_view without_outer_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kPhylipBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kPhylipBlanks) - begin + 1);
}

/// Removes the name from the front of a line. Letters must follow a name with blanks in the same line.
std::string_view take_name(NameEnd names, std::string_view& text, std::size_t line) {
  if (names == NameEnd::blank) return take_word(text);
  std::string_view name;
  if (names == NameEnd::ten_columns) {
    name = text.substr(0, std::min(text.find('\t'), kStrictColumns));
  } else {
    text.remove_prefix(std::min(text.find_first_not_of(kPhylipBlanks), text.size()));
    name = text.substr(0, std::min(text.find("  "), text.find('\t')));
  }
  text.remove_prefix(name.size());
  if (without_outer_blanks(text).empty())
    throw AlignmentFailure{
        line, fmt::format("'{}' has no letters behind a name{}", name,
                          names == NameEnd::ten_columns ? " of ten columns" : " and two blanks or a tab")};
  return without_outer_blanks(name);
}

/// Reads the lines of a file in one form. Throws AlignmentFailure.
class PhylipReader {
 public:
  PhylipReader(Alphabet alphabet, const std::vector<TextLine>& lines, const PhylipHeader& header,
               const PhylipForm& form, GrowingMemory& memory)
      : lines_(lines), header_(header), form_(form), rows_(alphabet, memory) {}

  ReferenceAlignment read() {
    form_.layout == Layout::sequential ? read_sequential() : read_blocks();
    return std::move(rows_.alignment);
  }

 private:
  const std::vector<std::string>& letters() const { return rows_.alignment.rows; }

  /// Each row is complete before the next begins and has any number of lines.
  void read_sequential() {
    for (const TextLine& line : lines_) {
      std::string_view text = line.text;
      if (letters().empty() || letters().back().size() == header_.sites) {
        if (letters().size() == header_.rows)
          throw AlignmentFailure{line.number,
                                 fmt::format("text after the {} rows that the header says", header_.rows)};
        rows_.add(take_name(form_.names, text, line.number), line.number);
      }
      append(letters().size() - 1, text, line.number);
    }
    if (letters().empty() || (letters().size() < header_.rows && letters().back().size() == header_.sites))
      fail_count();
    require_sites();
  }

  /// Blocks of one line per row, with names in the first block or in every block.
  void read_blocks() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string_view text = lines_[i].text;
      const std::size_t row = i % header_.rows, line = lines_[i].number;
      if (i < header_.rows)
        rows_.add(take_name(form_.names, text, line), line);
      else if (form_.layout == Layout::repeated)
        require_name(row, take_name(form_.names, text, line), line);
      append(row, text, line);
      if (row > 0 && letters()[row].size() != rows_.alignment.sites())
        throw AlignmentFailure{
            line, fmt::format("{} has {} letters up to here, the first row {}", rows_.described(row),
                              letters()[row].size(), rows_.alignment.sites())};
    }
    if (letters().size() < header_.rows) fail_count();
    require_sites();
  }

  void append(std::size_t row, std::string_view text, std::size_t line) {
    rows_.append(row, text, line);
    if (letters()[row].size() > header_.sites) fail_length(row, line, false);
  }

  void require_name(std::size_t row, std::string_view name, std::size_t line) const {
    std::string word(name);
    std::ranges::replace(word, ' ', '_');
    if (word != rows_.alignment.names[row])
      throw AlignmentFailure{
          line, fmt::format("found the name '{}' at the line of {}", name, rows_.described(row))};
  }

  void require_sites() const {
    for (std::size_t row = 0; row < letters().size(); ++row)
      if (letters()[row].size() != header_.sites) fail_length(row, last_line(), true);
  }

  std::size_t last_line() const { return lines_.empty() ? header_.line : lines_.back().number; }

  [[noreturn]] void fail_length(std::size_t row, std::size_t line, bool at_end) const {
    throw AlignmentFailure{line,
                           fmt::format("{} has {} letters, the header says {} sites", rows_.described(row),
                                       letters()[row].size(), header_.sites),
                           at_end};
  }

  [[noreturn]] void fail_count() const {
    throw AlignmentFailure{
        last_line(),
        fmt::format("the file ends after {} rows, the header says {}", letters().size(), header_.rows), true};
  }

  const std::vector<TextLine>& lines_;
  const PhylipHeader& header_;
  PhylipForm form_;
  AlignmentRows rows_;
};

std::vector<PhylipForm> forms_to_try(const PhylipHeader& header, std::size_t lines) {
  std::vector<Layout> layouts{Layout::line_per_row};
  if (lines > header.rows) {
    layouts = {Layout::sequential, Layout::interleaved, Layout::repeated};
    if (header.option == 'I') layouts.erase(layouts.begin());
    if (header.option == 'S') layouts.resize(1);
  }
  std::vector<PhylipForm> forms;
  for (const NameEnd names : {NameEnd::blank, NameEnd::ten_columns, NameEnd::two_blanks})
    for (const Layout layout : layouts) forms.push_back({.names = names, .layout = layout});
  return forms;
}

struct FailedForm {
  PhylipForm form;
  AlignmentFailure failure;

  /// The number of lines that the form accepted. Strict names swallow letters of relaxed rows, which is
  /// detected only at the end.
  std::size_t reached() const { return form.names != NameEnd::blank && failure.at_end ? 0 : failure.line; }
};

/// Reports the failure of the form that accepted the most lines, and those of the others.
[[noreturn]] void fail_every_form(const std::vector<FailedForm>& failed) {
  const auto best = std::ranges::max_element(failed, {}, &FailedForm::reached);
  std::vector<std::string> others;
  for (const FailedForm& one : failed)
    others.push_back(fmt::format("{}: line {}: {}", described(one.form), one.failure.line, one.failure.what));
  throw AlignmentFailure{best->failure.line, fmt::format("{}; tried as PHYLIP that is {}", best->failure.what,
                                                         fmt::join(others, "; "))};
}

[[noreturn]] void fail_two_readings(const PhylipHeader& header, const PhylipForm& first,
                                    const PhylipForm& second) {
  throw AlignmentFailure{
      header.line,
      fmt::format("two forms of PHYLIP fit and give different rows: \"{}\" and \"{}\", allowed: one; write S "
                  "(sequential) or I (interleaved) behind the two numbers, or use FASTA",
                  described(first), described(second))};
}

}  // namespace

ReferenceAlignment read_phylip(Alphabet alphabet, const TextLine& first, LineReader& lines) {
  const PhylipHeader header = parse_phylip_header(first);
  std::vector<TextLine> content;
  for (TextLine line; lines.next(line.text);)
    if (line.text.find_first_not_of(kPhylipBlanks) != line.text.npos) {
      lines.memory().make_room_in_each(content);
      lines.memory().take(line.text.size());
      content.push_back({.number = lines.number(), .text = line.text});
    }
  std::optional<ReferenceAlignment> read;
  PhylipForm fits{};
  std::vector<FailedForm> failed;
  for (const PhylipForm& form : forms_to_try(header, content.size())) {
    std::optional<ReferenceAlignment> other;
    try {
      other = PhylipReader(alphabet, content, header, form, lines.memory()).read();
    } catch (AlignmentFailure& failure) {
      failed.push_back({form, std::move(failure)});
      continue;
    }
    if (read && (read->names != other->names || read->rows != other->rows))
      fail_two_readings(header, fits, form);
    if (read) continue;
    read = std::move(other);
    fits = form;
  }
  if (!read) fail_every_form(failed);
  return std::move(*read);
}

}  // namespace gpuseq::papara
