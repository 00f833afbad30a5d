#include "kernels/papara/data/reference_alignment.hpp"

#include <fmt/format.h>

#include <string_view>

#include "kernels/papara/data/alignment_rows.hpp"
#include "kernels/papara/data/phylip.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {

namespace {

constexpr std::string_view kSpaces = " \t";
constexpr std::string_view kAlignmentMark = "\xef\xbb\xbf";

/// '>' and a name (after blanks, in some files), up to the next blank; letters on any number of lines.
ReferenceAlignment read_fasta(Alphabet alphabet, TextLine line, LineReader& lines) {
  AlignmentRows rows(alphabet, lines.memory());
  const ReferenceAlignment& read = rows.alignment;
  const auto end_row = [&] {
    if (read.rows.empty()) return;
    const std::size_t letters = read.rows.back().size();
    if (letters == 0 || letters != read.sites())
      throw AlignmentFailure{
          read.lines.back(),
          fmt::format(
              "{} has {} letters, {}", rows.described(read.rows.size() - 1), letters,
              letters == 0 ? "allowed: one or more" : fmt::format("the first row has {}", read.sites()))};
  };
  do {
    if (const std::size_t begin = line.text.find_first_not_of(kSpaces);
        begin != line.text.npos && line.text[begin] == '>') {
      end_row();
      std::string_view header = std::string_view(line.text).substr(begin + 1);
      rows.add(take_word(header), lines.number());
    } else {
      rows.append(read.rows.size() - 1, line.text, lines.number());
    }
  } while (lines.next(line.text));
  end_row();
  return std::move(rows.alignment);
}

}  // namespace

ReferenceAlignment read_alignment(const std::filesystem::path& path, Alphabet alphabet) {
  LineReader lines(path);
  TextLine line;
  do {
    if (!lines.next(line.text))
      throw UsageError(fmt::format("{}: the file is empty, allowed: an alignment in FASTA or PHYLIP format",
                                   path.string()));
    line.number = lines.number();
    if (line.number == 1 && line.text.starts_with(kAlignmentMark)) line.text.erase(0, kAlignmentMark.size());
  } while (line.text.find_first_not_of(kSpaces) == line.text.npos);
  try {
    const char first = line.text[line.text.find_first_not_of(kSpaces)];
    if (first != '>' && (first < '0' || first > '9'))
      throw AlignmentFailure{line.number,
                             fmt::format("found {} at the start, allowed: '>' (FASTA) or the number of rows "
                                         "and of sites (PHYLIP)",
                                         shown(first))};
    ReferenceAlignment alignment =
        first == '>' ? read_fasta(alphabet, std::move(line), lines) : read_phylip(alphabet, line, lines);
    alignment.place = path.string();
    return alignment;
  } catch (const AlignmentFailure& failure) {
    throw UsageError(fmt::format("{}:{}: {}", path.string(), failure.line, failure.what));
  }
}

}  // namespace gpuseq::papara
