#include "reports/charts/chart_latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "reports/charts/pivot.hpp"
#include "runtime/io/number_text.hpp"

namespace gpuseq::reports::chart {
namespace {

// Points. Tables are made for the narrower of `article`'s texts, and are as much wider where that is wider.
constexpr double kColumnPoints = 225;  // \columnwidth of two columns
constexpr double kPagePoints = 340;    // \textwidth of one column
constexpr double kColumnGap = 6;       // between columns: twice \tabcolsep
constexpr double kLine = 10;           // of \footnotesize, with its rules
constexpr double kCaptionLine = 12;
constexpr double kCaptionLetter = 5;
constexpr double kFloatPoints = 440;                 // of a float
constexpr double kLeastName = 40, kMostName = 0.42;  // of the first column; the latter of the table
constexpr double kWords = 0.3;                       // of the table: words beside values, at most
constexpr std::size_t kLongWord = 10;                // letters; longer ones may be hyphenated

/// Width in Computer Modern at \footnotesize, on the safe side.
double width_of(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if ((letter & 0xC0) == 0x80) continue;  // goes on with a letter of UTF-8
    width += std::isupper(letter) || c == 'm' || c == 'w' || c == '%' ? 7 : letter > 0x7F ? 6 : 4.6;
  }
  return width;
}

/// Pieces of a text between which a line may break: at spaces, and behind what joins words of names.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c != ' ') pieces.back() += c;
    if (c == ' ' || c == '_' || c == ',' || c == '=' || c == '/' || c == '-') pieces.emplace_back();
  }
  std::erase(pieces, "");
  return pieces;
}

/// The least width that a text may be broken into.
double least_width(std::string_view text) {
  double least = 0;
  for (const std::string& piece : pieces_of(text))
    least = std::max(
        least, width_of(piece.size() > kLongWord ? std::string_view(piece).substr(0, kLongWord) : piece));
  return least;
}

std::size_t lines_in(std::string_view text, double width) {
  std::size_t lines = 1;
  double used = 0;
  for (const std::string& piece : pieces_of(text)) {
    const double more = width_of(piece) + 3;
    if (used > 0 && used + more > width) {
      ++lines;
      used = 0;
    }
    used += more;
  }
  return lines;
}

/// Where the next letter of UTF-8 begins.
std::size_t letter_after(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

/// A piece, escaped; a long one may be hyphenated every few letters.
std::string hyphenated(std::string_view piece) {
  if (piece.size() <= kLongWord) return latex_escape(piece);
  std::string out;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < piece.size();) {
    const std::size_t next = letter_after(piece, i);
    out += latex_escape(piece.substr(i, next - i));
    if (++letters % (kLongWord / 2) == 0 && next + 1 < piece.size()) out += "\\-";
    i = next;
  }
  return out;
}

/// Escaped, and breakable where pieces_of() says so.
std::string breakable(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const std::string& piece : pieces_of(text)) {
    const std::size_t begin = text.find(piece, at);
    if (begin > at)
      out += ' ';
    else if (at > 0)
      out += "\\allowbreak{}";
    out += hyphenated(piece);
    at = begin + piece.size();
  }
  return out;
}

/// A text in a box of so many points of a table that is `of` points wide.
std::string box(std::string_view text, double width, double of, const char* place, const char* flush) {
  return fmt::format("\\parbox[{}]{{{:.3f}\\linewidth}}{{{}\\hspace{{0pt}}{}\\strut}}", place, width / of,
                     flush, breakable(text));
}

/// Some columns of a block, as text.
struct Printed {
  std::string heading = {};  // of the panel, with the quantity and its unit
  std::string row_title = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};  // the name, then the cells, then the words
  std::vector<double> widths = {};                  // of the name, the columns, the words
  bool words = false;

  double width() const {
    double sum = -kColumnGap;
    for (const double one : widths) sum += one + kColumnGap;
    return sum;
  }
};

std::string heading_of_block(const PivotBlock& block, std::string_view unit) {
  std::string heading = block.title;
  const std::string& quantity = block.quantity.title;
  const bool one = block.columns.size() == 1 && block.columns.front() == quantity;  // heads its column
  if (!one) heading += (heading.empty() ? "" : "; ") + quantity;
  if (!unit.empty()) heading += (heading.empty() ? "" : " ") + fmt::format("({})", unit);
  return heading;
}

/// The columns of a block in as many pieces as a table of some width takes.
std::vector<Printed> pieces_of_block(const PivotBlock& block, double of) {
  std::vector<double> values;
  for (const PivotRow& row : block.rows)
    for (const auto& value : row.values)
      if (value) values.push_back(*value);
  const Scale scale = common_scale(values, block.quantity.unit);
  double name = std::max(kLeastName, least_width(block.row_title));
  for (const PivotRow& row : block.rows) name = std::max({name, width_of(row.name), least_width(row.name)});
  name = std::min(name, std::max(kMostName * of, kLeastName));
  double words = 0;
  for (const PivotRow& row : block.rows) words = std::max(words, width_of(row.words));
  words = std::min(words, kWords * of);
  const Printed empty{
      .heading = heading_of_block(block, scale.unit), .row_title = block.row_title, .widths = {name}};
  std::vector<Printed> pieces;
  std::vector<std::vector<std::size_t>> taken;
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    double width = least_width(block.columns[i]);
    for (const PivotRow& row : block.rows)
      if (row.values[i]) width = std::max(width, width_of(significant(*row.values[i] / scale.divisor, 4)));
    width = std::min(width, of - name - kColumnGap);
    if (pieces.empty() || pieces.back().width() + kColumnGap + width > of) {
      pieces.push_back(empty);
      taken.emplace_back();
    }
    pieces.back().columns.push_back(block.columns[i]);
    pieces.back().widths.push_back(width);
    taken.back().push_back(i);
  }
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    Printed& printed = pieces[piece];
    printed.words = block.has_words() && printed.width() + kColumnGap + words <= of;
    if (printed.words) printed.widths.push_back(words);
    for (const PivotRow& row : block.rows) {
      std::vector<std::string> cells{row.name};
      for (const std::size_t i : taken[piece])
        cells.push_back(row.values[i] ? significant(*row.values[i] / scale.divisor, 4) : "");
      if (printed.words) cells.push_back(row.words);
      if (std::any_of(cells.begin() + 1, cells.end(), [](const std::string& cell) { return !cell.empty(); }))
        printed.rows.push_back(std::move(cells));
    }
  }
  return pieces;
}

double height_of_row(const std::vector<std::string>& row, const Printed& printed) {
  std::size_t lines = lines_in(row.front(), printed.widths.front());
  if (printed.words) lines = std::max(lines, lines_in(row.back(), printed.widths.back()));
  return kLine * static_cast<double>(lines);
}

double height_of_head(const Printed& printed) {
  std::size_t lines = lines_in(printed.row_title, printed.widths.front());
  for (std::size_t i = 0; i < printed.columns.size(); ++i)
    lines = std::max(lines, lines_in(printed.columns[i], printed.widths[i + 1]));
  return kLine * static_cast<double>(lines + lines_in(printed.heading, printed.width())) + 2 * kLine;
}

std::string row_text(const std::vector<std::string>& row, const Printed& printed, double of) {
  std::string line = box(row.front(), printed.widths.front(), of, "t", "\\raggedright");
  for (std::size_t i = 1; i < row.size(); ++i) {
    const bool words = printed.words && i + 1 == row.size();
    line += " & " + (row[i].empty() ? "{}"
                     : words        ? box(row[i], printed.widths[i], of, "t", "\\raggedright")
                                    : latex_escape(row[i]));
  }
  return line + " \\\\\n";
}

std::string head_text(const Printed& printed, double of) {
  const std::size_t across = printed.widths.size();
  std::string head = fmt::format("\\begin{{tabular}}{{@{{}}l{}{}@{{}}}}\n\\toprule\n",
                                 std::string(printed.columns.size(), 'r'), printed.words ? "l" : "");
  if (!printed.heading.empty())
    head += fmt::format("\\multicolumn{{{}}}{{@{{}}l@{{}}}}{{{}}} \\\\\n\\midrule\n", across,
                        box(printed.heading, printed.width(), of, "t", "\\raggedright\\itshape"));
  head += printed.row_title.empty()
              ? "{}"
              : box(printed.row_title, printed.widths.front(), of, "b", "\\raggedright");
  for (std::size_t i = 0; i < printed.columns.size(); ++i)
    head += " & " + box(printed.columns[i], printed.widths[i + 1], of, "b", "\\raggedleft");
  if (printed.words) head += " & {}";
  return head + " \\\\\n\\midrule\n";
}

/// Floats of one number, one after the other as they fill.
class Floats {
 public:
  Floats(const Heading& heading, std::string_view name, bool page)
      : page_(page), of_(page ? kPagePoints : kColumnPoints), title_(heading.title) {
    caption_ = title_ + ".";
    for (const std::string& note : heading.notes) caption_ += " " + note;
    label_ = name;
    std::ranges::replace(label_, '/', '-');
    begin();
  }

  void add(const Printed& printed) {
    std::size_t row = 0;
    while (row < printed.rows.size()) {
      // A heading with no row under it is worth nothing.
      const double least = height_of_head(printed) + height_of_row(printed.rows[row], printed);
      if (holds_some_ && height_ + least > kFloatPoints) {
        end();
        begin();
      }
      height_ += height_of_head(printed);
      text_ += (holds_some_ ? "\\par\\medskip\n" : "") + head_text(printed, of_);
      do {
        height_ += height_of_row(printed.rows[row], printed);
        text_ += row_text(printed.rows[row], printed, of_);
        ++row;
      } while (row < printed.rows.size() &&
               height_ + height_of_row(printed.rows[row], printed) <= kFloatPoints);
      text_ += "\\bottomrule\n\\end{tabular}\n";
      holds_some_ = true;
    }
  }

  std::string text() && {
    end();
    return std::move(text_);
  }

 private:
  void begin() {
    const std::string caption = count_ == 0 ? caption_ : title_ + ", continued.";
    text_ += fmt::format(
        "\\begin{{{}}}\n\\centering\n{}{{\\sloppy\\caption{{{}}}}}\n{}\\footnotesize\n\\setlength{{"
        "\\tabcolsep}}"
        "{{{}pt}}\n",
        environment(), count_ == 0 ? "" : "\\addtocounter{table}{-1}\n", latex_escape(caption),
        count_ == 0 ? fmt::format("\\label{{tab:{}}}\n", label_) : "", kColumnGap / 2);
    height_ = kCaptionLine * (1 + std::ceil(kCaptionLetter * static_cast<double>(caption.size()) / of_));
    holds_some_ = false;
    ++count_;
  }
  void end() { text_ += fmt::format("\\end{{{}}}\n", environment()); }
  const char* environment() const { return page_ ? "table*" : "table"; }

  bool page_;
  double of_;
  std::string title_, caption_ = {}, label_ = {}, text_ = {};
  double height_ = 0;
  int count_ = 0;
  bool holds_some_ = false;
};

bool needs_the_page(const std::vector<PivotBlock>& blocks) {
  return std::ranges::any_of(blocks, [](const PivotBlock& block) {
    const std::vector<Printed> pieces = pieces_of_block(block, kColumnPoints);
    return pieces.size() > 1 || (block.has_words() && !pieces.front().words);
  });
}

}  // namespace

std::string latex_escape(std::string_view text) {
  constexpr std::string_view kMicro = "µ";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with(kMicro)) {
      out += "\\ensuremath{\\mu}";
      i += kMicro.size() - 1;
      continue;
    }
    switch (c) {
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '[':  // behind \\ a bracket would be read as its argument
        out += "{[}";
        break;
      case ']':
        out += "{]}";
        break;
      case '"':
        out += "''";  // in any encoding
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20)
          out += c;
        else
          out += ' ';
    }
  }
  return out;
}

std::string latex(const Chart& chart, std::string_view name, TableWidth width) {
  const std::vector<PivotBlock> blocks = pivot(chart);
  const bool page = width == TableWidth::page || (width == TableWidth::by_columns && needs_the_page(blocks));
  Floats floats(heading_of(chart), name, page);
  for (const PivotBlock& block : blocks)
    for (const Printed& printed : pieces_of_block(block, page ? kPagePoints : kColumnPoints))
      floats.add(printed);
  return "% Needs \\usepackage{booktabs}.\n" + std::move(floats).text();
}

}  // namespace gpuseq::reports::chart
