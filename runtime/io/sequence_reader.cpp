#include "runtime/io/sequence_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq {

/// Treatment of a letter.
enum class Use : unsigned char { letter, refused, ignored };  // a letter is 0: see append_sequence()
using Uses = std::array<Use, 256>;

namespace {

Uses uses_of(const SequenceReadOptions& options) {
  Uses uses;
  uses.fill(Use::refused);
  const auto set = [&](char letter, Use use) { uses[static_cast<unsigned char>(letter)] = use; };
  for (const char letter : options.ignored) set(letter, Use::ignored);
  for (const char letter : options.alphabet) {
    set(letter, Use::letter);
    if (letter >= 'A' && letter <= 'Z') set(static_cast<char>(letter - 'A' + 'a'), Use::letter);
  }
  return uses;
}

constexpr std::string_view kBlanks = " \t";

bool is_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return (code < 0x20 && letter != '\t') || code == 0x7f;
}

}  // namespace

struct SequenceReader::State {
  State(const std::filesystem::path& from, LineReader from_lines, SequenceReadOptions with,
        const SequenceReadStart& start)
      : path(from),
        options(std::move(with)),
        uses(uses_of(options)),
        lines(std::move(from_lines)),
        marker(start.marker),
        number(start.records) {
    if (marker == 0) check_start();
    if (!next_line_with_text() && marker == 0)
      throw UsageError(fmt::format("{}: the file is empty, allowed: FASTA or FASTQ", path.string()));
    if (marker == 0) marker = line.front();
  }

  /// Checks the first byte before reading a line: a file that is not text may have a very long first line.
  void check_start() {
    std::optional<char> first = lines.peek();
    while (first && (kBlanks.find(*first) != kBlanks.npos || *first == '\n' || *first == '\r')) {
      lines.next(line);
      if (has_text()) break;
      line.clear();
      first = lines.peek();
    }
    if (first && first != '>' && first != '@')
      throw UsageError(fmt::format("{}:{}: found {} at the start, allowed: '>' (FASTA) or '@' (FASTQ)",
                                   path.string(), lines.number() + (line.empty() ? 1 : 0), shown(*first)));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(
        fmt::format("{}:{}: record {} '{}': {}", path.string(), lines.number(), number, current.name, what));
  }

  bool has_text() const { return line.find_first_not_of(kBlanks) != std::string::npos; }

  bool next_line_with_text() {
    do has_line = lines.next(line);
    while (has_line && !has_text());
    return has_line;
  }

  void read_header() {
    ++number;
    current.name.clear();
    current.description.clear();
    current.sequence.clear();
    current.quality.clear();
    current.line = lines.number();
    if (line.front() != marker)
      fail(fmt::format("found {} where a record starts, allowed: '{}'", shown(line.front()), marker));
    if (options.header_end) line.resize(std::min(line.find(*options.header_end), line.size()));
    for (const char letter : line)
      if (is_control(letter)) fail(fmt::format("{} in the header", shown(letter)));
    std::string_view text = std::string_view(line).substr(1);
    const auto drop_blanks = [&] {
      text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    };
    drop_blanks();
    const std::string_view name = text.substr(0, text.find_first_of(kBlanks));
    lines.memory().append(current.name, name);
    text.remove_prefix(name.size());
    drop_blanks();
    lines.memory().append(current.description, text);
  }

  Use use_of(char letter) const { return uses[static_cast<unsigned char>(letter)]; }

  void append_sequence() {
    unsigned other = 0;  // number of other characters: counted in one pass without branches, and examined
                         // only if there are any
    for (const char letter : line) other |= static_cast<unsigned>(use_of(letter));
    if (other != 0) drop_ignored();
    lines.memory().append(current.sequence, line);
  }

  void drop_ignored() {
    std::size_t ignored = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Use use = use_of(line[i]);
      if (use == Use::refused)
        fail(fmt::format("{} at letter {} of the sequence, allowed: {}", shown(line[i]),
                         current.sequence.size() + i - ignored + 1, options.alphabet));
      if (use == Use::ignored) ++ignored;
    }
    std::erase_if(line, [this](char letter) { return use_of(letter) == Use::ignored; });
  }

  void read_fasta() {
    while (next_line_with_text() && line.front() != '>') {
      if (use_of(line.back()) != Use::letter) line.resize(line.find_last_not_of(kBlanks) + 1);
      append_sequence();
    }
  }

  void read_fastq() {
    header.clear();
    lines.memory().append(header, std::string_view(line).substr(1));
    if (!lines.next(line)) fail("the file ends before the sequence");
    append_sequence();
    if (!lines.next(line)) fail("the file ends before the '+' line");
    if (line.empty() || line.front() != '+')
      fail(fmt::format("found {} where the '+' line is due (a sequence takes one line in FASTQ)",
                       line.empty() ? "an empty line" : shown(line.front())));
    if (line.size() > 1 && std::string_view(line).substr(1) != header)
      fail("the '+' line repeats another header than the record's");
    if (!current.sequence.empty()) read_quality();
    next_line_with_text();
  }

  void read_quality() {
    if (!lines.next(line)) fail("the file ends before the quality");
    if (line.size() != current.sequence.size())
      fail(fmt::format("the quality has {} letters, the sequence {}", line.size(), current.sequence.size()));
    const auto wrong =
        std::find_if(line.begin(), line.end(), [](char letter) { return letter < '!' || letter > '~'; });
    if (wrong != line.end()) fail(fmt::format("{} in the quality, allowed: '!' to '~'", shown(*wrong)));
    lines.memory().append(current.quality, line);
  }

  std::filesystem::path path;
  SequenceReadOptions options;
  Uses uses;
  LineReader lines;
  std::string line;    // the header of the next record between calls
  std::string header;  // FASTQ: of the current record, without its marker
  bool has_line = false;
  char marker = 0;         // '>' or '@'
  std::size_t number = 0;  // of the current record, from 1
  std::size_t empty_records = 0;
  Sequence current;
};

SequenceReader::SequenceReader(const std::filesystem::path& path, SequenceReadOptions options)
    : state_(std::make_unique<State>(path, LineReader(path), std::move(options), SequenceReadStart{})) {}
SequenceReader::SequenceReader(const std::filesystem::path& path, NextBytes bytes,
                               SequenceReadOptions options, const SequenceReadStart& start)
    : state_(std::make_unique<State>(path, LineReader(path, std::move(bytes), start.lines),
                                     std::move(options), start)) {}
SequenceReader::~SequenceReader() = default;
SequenceReader::SequenceReader(SequenceReader&&) noexcept = default;
SequenceReader& SequenceReader::operator=(SequenceReader&&) noexcept = default;

bool SequenceReader::is_fastq() const {
  return state_->marker == '@';
}

GrowingMemory& SequenceReader::memory() {
  return state_->lines.memory();
}

SequenceReadStart SequenceReader::position() const {
  return {.marker = state_->marker,
          .lines = state_->lines.number() - (state_->has_line ? 1 : 0),
          .records = state_->number};
}

std::size_t SequenceReader::empty_records() const {
  return state_->empty_records;
}

bool SequenceReader::next(Sequence& record) {
  State& state = *state_;
  std::swap(state.current, record);
  bool kept = false;
  while (!kept && state.has_line) {
    state.read_header();
    if (is_fastq())
      state.read_fastq();
    else
      state.read_fasta();
    const bool empty = state.current.sequence.empty();
    state.empty_records += empty ? 1 : 0;
    kept = !empty || !state.options.skip_empty_sequences;
  }
  std::swap(state.current, record);
  return kept;
}

std::optional<Sequence> SequenceReader::next() {
  std::optional<Sequence> record(std::in_place);
  if (!next(*record)) record.reset();
  return record;
}

void warn_of_empty_records(std::vector<std::string>& notes, const std::filesystem::path& path,
                           std::size_t empty, std::string_view fate) {
  if (empty > 0)
    notes.push_back(fmt::format("warning: {}: {} without a letter; each {}", path.string(),
                                empty == 1 ? "1 record" : fmt::format("{} records", empty), fate));
}

std::vector<Sequence> read_sequences(const std::filesystem::path& path, const SequenceReadOptions& options) {
  SequenceReader reader(path, options);
  std::vector<Sequence> sequences;
  while (auto sequence = reader.next()) sequences.push_back(std::move(*sequence));
  return sequences;
}

}  // namespace gpuseq
