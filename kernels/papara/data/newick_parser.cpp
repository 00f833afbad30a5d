#include "kernels/papara/data/newick_parser.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDelimiters = " \t\r\n()[]{}':;,";

bool is_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code < 0x20 || code == 0x7f;
}

class NewickParser {
 public:
  NewickParser(std::string_view text, std::string_view place, std::size_t begin = 0)
      : text_(text), place_(place), at_(begin) {}

  /// The only tree in the text.
  std::vector<Tree::Node> parse() {
    parse_tree();
    skip_blanks();
    if (!at_end()) fail(fmt::format("found {} after the ';', allowed: one tree", shown(text_[at_])));
    return std::move(nodes_);
  }

  /// The tree that begins here, up to its ';'.
  std::vector<Tree::Node> parse_one() {
    parse_tree();
    return std::move(nodes_);
  }

 private:
  /// The last part of a node that was read. Each part may only follow the parts before it.
  enum class Part { kNothing, kChildren, kName, kLength, kEdge };

  void parse_tree() {
    skip_blanks();
    if (at_end()) fail("the file is empty, allowed: a tree in Newick or NEXUS format");
    add_node(Tree::kNone);
    for (skip_blanks(); !at_end() && text_[at_] != ';'; skip_blanks()) take_one();
    // A tree with all brackets closed may lack its ';'.
    if (at_end() && (current_ != 0 || nodes_[0].children.empty()))
      fail(fmt::format("the tree ends without ';'{}", unclosed()));
    finish_node();
    end_open_brackets();
    if (!at_end()) ++at_;
  }

  void take_one() {
    switch (text_[at_]) {
      case '(':
        open();
        break;
      case ',':
        finish_node();
        if (current_ == 0) fail("found ',' outside of all brackets, allowed: ';'");
        ++at_;
        add_node(nodes_[current_].parent);
        break;
      case ')':
        finish_node();
        if (current_ == 0) fail("found ')' without its '('");
        ++at_;
        current_ = nodes_[current_].parent;
        brackets_.pop_back();
        part_ = Part::kChildren;
        break;
      case ':':
        read_length();
        break;
      case '{':
        read_edge();
        break;
      default:
        read_name();
    }
  }

  /// Brackets around one child have no effect: ParsInsert's trees begin with a bracket that is never closed.
  void end_open_brackets() {
    while (current_ != 0) {
      current_ = nodes_[current_].parent;
      if (nodes_[current_].children.size() != 1) fail(fmt::format("found ';'{}", unclosed()));
      brackets_.pop_back();
    }
  }

  void open() {
    if (part_ != Part::kNothing) fail(fmt::format("found '(' {}", after_part()));
    brackets_.push_back(at_++);
    add_node(current_);
  }

  void add_node(u32 parent) {
    current_ = static_cast<u32>(nodes_.size());
    nodes_.emplace_back().parent = parent;
    if (parent != Tree::kNone) nodes_[parent].children.push_back(current_);
    part_ = Part::kNothing;
  }

  void finish_node() {
    const Tree::Node& node = nodes_[current_];
    if (!node.children.empty()) return;
    if (node.name.empty()) fail("a tip without a name");
    const auto [first, added] = tips_.emplace(node.name, current_);
    if (added) return;
    const Tree::Node& other = nodes_[first->second];
    fail_at(node.line, node.column,
            fmt::format("the tip name '{}' was used before, at line {}, column {}", node.name, other.line,
                        other.column));
  }

  void read_name() {
    const char letter = text_[at_];
    if (letter == ']' || letter == '}')
      fail(fmt::format("found {} without its opening bracket", shown(letter)));
    if (part_ > Part::kChildren)
      fail(fmt::format("found {} {} (a name with blanks or brackets must be in quotes)", shown(letter),
                       after_part()));
    Tree::Node& node = nodes_[current_];
    locate(at_, node.line, node.column);
    node.name = is_quoted(letter) ? quoted_name(letter) : std::string(word());
    part_ = Part::kName;
  }

  /// A plain name may begin with a double quote, as in "x"|1. A quoted name is followed by a delimiter.
  bool is_quoted(char letter) const {
    if (letter != '"') return letter == '\'';
    const std::size_t begin = at_ + 1;
    const std::size_t end = std::min(text_.find_first_of("\"\r\n", begin), text_.size());
    if (end == text_.size() || text_[end] != '"') return true;
    return end + 1 == text_.size() || text_[end + 1] == '"' ||
           kDelimiters.find(text_[end + 1]) != kDelimiters.npos;
  }

  /// Up to the closing quote; a doubled quote is a quote in the name.
  std::string quoted_name(char quote) {
    const std::size_t begin = at_++;
    std::string name;
    for (; !at_end(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_end() || text_[at_] != quote) return name;
      }
      if (is_control(text_[at_])) break;
      name += text_[at_];
    }
    at_ = begin;
    fail("a quoted name without its closing quote on the same line");
  }

  /// Text up to the next blank or delimiter.
  std::string_view word() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(kDelimiters, at_), text_.size());
    for (std::size_t i = begin; i < at_; ++i)
      if (is_control(text_[i])) {
        at_ = i;
        fail(fmt::format("{} in a name or number", shown(text_[i])));
      }
    return text_.substr(begin, at_ - begin);
  }

  void read_length() {
    if (part_ >= Part::kLength) fail(fmt::format("found ':' {}", after_part()));
    ++at_;
    skip_blanks();
    const std::size_t begin = at_;
    std::string_view number = word();
    const std::string_view written = number;
    if (number.starts_with('+') && !number.starts_with("+-")) number.remove_prefix(1);
    Tree::Node& node = nodes_[current_];
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), node.length);
    if (error == std::errc::result_out_of_range) {  // too small is 0, too large is infinite
      node.length = std::strtod(std::string(number).c_str(), nullptr);
      error = {};
    }
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(node.length)) {
      at_ = begin;
      fail(fmt::format("the length '{}' is no number", written));
    }
    node.has_length = true;
    part_ = Part::kLength;
  }

  /// The number of an edge in a jplace file. Its value is ignored, as edges are renumbered.
  void read_edge() {
    if (part_ == Part::kEdge || part_ == Part::kNothing) fail(fmt::format("found '{{' {}", after_part()));
    const std::size_t digits = at_ + 1;
    const std::size_t end = std::min(text_.find_first_not_of("0123456789", digits), text_.size());
    if (end == digits || end == text_.size() || text_[end] != '}')
      fail("found '{', allowed: an edge's number in braces");
    at_ = end + 1;
    part_ = Part::kEdge;
  }

  std::string_view after_part() const {
    switch (part_) {
      case Part::kNothing:
        return "where a tip or '(' is due";
      case Part::kChildren:
        return "after ')', allowed: a label, ':', ',', ')', ';'";
      case Part::kName:
        return "after a name, allowed: ':', ',', ')', ';'";
      case Part::kLength:
        return "after a length, allowed: ',', ')', ';'";
      case Part::kEdge:
        break;
    }
    return "after an edge's number, allowed: ',', ')', ';'";
  }

  std::string unclosed() const {
    if (brackets_.empty()) return "";
    std::size_t line, column;
    locate(brackets_.back(), line, column);
    return fmt::format(" while the '(' at line {}, column {} is open", line, column);
  }

  /// Blanks and comments in square brackets, which may nest.
  void skip_blanks() {
    std::size_t depth = 0, opened = 0;
    for (; !at_end(); ++at_) {
      if (text_[at_] == '[') {
        if (depth++ == 0) opened = at_;
      } else if (text_[at_] == ']' && depth > 0) {
        --depth;
      } else if (depth == 0 && kBlanks.find(text_[at_]) == kBlanks.npos) {
        return;
      }
    }
    if (depth == 0) return;
    at_ = opened;
    fail("a comment without its ']'");
  }

  bool at_end() const { return at_ == text_.size(); }

  void locate(std::size_t offset, std::size_t& line, std::size_t& column) const {
    // Names come in order, so counting continues from the last name.
    if (offset < located_) located_ = 0, located_line_ = 1, line_begin_ = 0;
    for (; located_ < offset; ++located_)
      if (text_[located_] == '\n') ++located_line_, line_begin_ = located_ + 1;
    line = located_line_;
    column = offset - line_begin_ + 1;
  }

  [[noreturn]] void fail(std::string_view what) const {
    std::size_t line, column;
    locate(at_, line, column);
    fail_at(line, column, what);
  }

  [[noreturn]] void fail_at(std::size_t line, std::size_t column, std::string_view what) const {
    throw UsageError(fmt::format("{}:{}:{}: {}", place_, line, column, what));
  }

  std::string_view text_, place_;
  std::size_t at_ = 0;
  std::vector<Tree::Node> nodes_;
  u32 current_ = 0;
  Part part_ = Part::kNothing;         // last part of the current node
  std::vector<std::size_t> brackets_;  // positions of the open brackets
  std::unordered_map<std::string, u32> tips_;
  mutable std::size_t located_ = 0, located_line_ = 1, line_begin_ = 0;
};

}  // namespace

std::vector<Tree::Node> parse_newick(std::string_view text, std::string_view place) {
  return NewickParser(text, place).parse();
}

std::vector<Tree::Node> parse_newick_at(std::string_view text, std::size_t begin, std::string_view place) {
  return NewickParser(text, place, begin).parse_one();
}

bool needs_quotes(std::string_view name) {
  return name.starts_with('"') || name.find_first_of(kDelimiters) != name.npos;
}

}  // namespace gpuseq::papara
