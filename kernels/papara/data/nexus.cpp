#include "kernels/papara/data/nexus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kernels/papara/data/newick_parser.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/byte_source.hpp"

namespace gpuseq::papara {
namespace {

constexpr std::string_view kNexus = "#NEXUS", kNexusBlanks = " \t\r\n";
constexpr std::string_view kWordEnds = "()[]{},;=";

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); });
}

bool is_control_letter(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code < 0x20 || code == 0x7f;
}

/// A word, a quoted name or one letter of punctuation.
struct NexusToken {
  std::string text;
  std::size_t begin = 0;
  bool quoted = false;

  bool is(std::string_view word) const { return !quoted && equal_but_for_case(text, word); }
};

class NexusReader {
 public:
  NexusReader(std::string_view text, std::string_view place) : text_(text), place_(place) {}

  std::vector<Tree::Node> read() {
    at_ = text_.find_first_not_of(kNexusBlanks) + kNexus.size();
    bool in_trees = false;
    while (const std::optional<NexusToken> command = next()) {
      if (command->is("begin"))
        in_trees = required("the name of a block").is("trees");
      else if (command->is("taxlabels"))
        read_labels();
      else if (in_trees && command->is("translate"))
        read_translations();
      else if (in_trees && (command->is("tree") || command->is("utree")))
        read_tree_command(*command);
      if (!command->is(";")) skip_command();
    }
    return named(parse_newick_at(text_, the_tree(), place_));
  }

 private:
  struct TreeCommand {
    std::size_t newick = 0;
    bool is_default = false;
  };

  /// The next token that is not a comment; nullopt at the end.
  std::optional<NexusToken> next() {
    skip_comments();
    if (at_ == text_.size()) return std::nullopt;
    NexusToken token{.text = {}, .begin = at_};
    const char letter = text_[at_];
    if (letter == '\'' || letter == '"') {
      token.text = quoted(letter);
      token.quoted = true;
    } else if (letter == '*' || kWordEnds.find(letter) != kWordEnds.npos) {
      token.text = text_[at_++];
    } else {
      at_ = std::min(
          {text_.find_first_of(kNexusBlanks, at_), text_.find_first_of(kWordEnds, at_), text_.size()});
      token.text = text_.substr(token.begin, at_ - token.begin);
      if (const auto bad = std::ranges::find_if(token.text, is_control_letter); bad != token.text.end())
        fail(token.begin, fmt::format("{} in a word", shown(*bad)));
    }
    return token;
  }

  NexusToken required(std::string_view what) {
    const std::size_t before = at_;
    std::optional<NexusToken> token = next();
    if (!token) fail(before, fmt::format("the file ends before {}", what));
    return std::move(*token);
  }

  std::string quoted(char quote) {
    const std::size_t begin = at_++;
    std::string name;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_ == text_.size() || text_[at_] != quote) return name;
      }
      if (is_control_letter(text_[at_])) break;
      name += text_[at_];
    }
    fail(begin, "a quoted name without its closing quote on the same line");
  }

  void skip_comments() {
    std::size_t depth = 0, opened = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') {
        if (depth++ == 0) opened = at_;
      } else if (text_[at_] == ']' && depth > 0) {
        --depth;
      } else if (depth == 0 && kNexusBlanks.find(text_[at_]) == kNexusBlanks.npos) {
        return;
      }
    }
    if (depth > 0) fail(opened, "a comment without its ']'");
  }

  /// Skips up to and including the ';' that ends a command.
  void skip_command() {
    for (std::optional<NexusToken> token = next(); token; token = next())
      if (token->is(";")) return;
  }

  /// Reads names up to a ';', which stays unread.
  void read_labels() {
    for (std::size_t before = at_;; before = at_) {
      NexusToken token = required("the ';' of TAXLABELS");
      if (token.is(";")) {
        at_ = before;
        return;
      }
      known_labels_.insert(token.text);
      labels_.push_back(std::move(token.text));
    }
  }

  /// Reads pairs of a short name and a name, separated by commas, up to a ';', which stays unread.
  void read_translations() {
    while (true) {
      const NexusToken key = required("the ';' of TRANSLATE");
      if (key.is(";")) break;  // after a trailing comma
      NexusToken name = required("a name of TRANSLATE");
      if (key.is(",") || name.is(",") || name.is(";"))
        fail(key.begin, "found no pair of a short name and a name in TRANSLATE");
      if (!translations_.emplace(key.text, std::move(name.text)).second)
        fail(key.begin, fmt::format("the short name '{}' of TRANSLATE was used before", key.text));
      const NexusToken end = required("the ';' of TRANSLATE");
      if (end.is(";")) break;
      if (!end.is(","))
        fail(end.begin, fmt::format("found '{}' in TRANSLATE, allowed: ',' or ';'", end.text));
    }
    --at_;
  }

  /// TREE [*] name = newick
  void read_tree_command(const NexusToken& command) {
    NexusToken token = required("a tree");
    const bool is_default = token.is("*");
    if (is_default) token = required("the name of a tree");
    if (const NexusToken equals = required("'='"); !equals.is("="))
      fail(equals.begin, fmt::format("found '{}' in TREE, allowed: '='", equals.text));
    trees_.push_back({.newick = at_, .is_default = is_default});
    if (trees_.size() == 1) first_tree_ = command.begin;
  }

  std::size_t the_tree() const {
    if (trees_.empty()) fail(0, "the NEXUS file has no tree, allowed: a block TREES with one");
    if (trees_.size() == 1) return trees_.front().newick;
    const auto marked = std::ranges::count_if(trees_, &TreeCommand::is_default);
    if (marked != 1)
      fail(first_tree_,
           fmt::format("found {} trees, {} of them marked by '*' as the default, allowed: one tree, "
                       "or one that is marked",
                       trees_.size(), marked));
    return std::ranges::find_if(trees_, &TreeCommand::is_default)->newick;
  }

  /// The nodes with the names of the tables. These names may be wrong where the tree's own names are right.
  std::vector<Tree::Node> named(std::vector<Tree::Node> nodes) const {
    std::unordered_set<std::string_view> tips;
    for (Tree::Node& node : nodes) {
      if (!node.children.empty()) continue;
      if (const auto found = translations_.find(node.name); found != translations_.end())
        node.name = found->second;
      else if (translations_.empty() && !known_labels_.contains(node.name))
        node.name = label_of(node.name);
    }
    for (const Tree::Node& node : nodes) {
      if (!node.children.empty()) continue;
      if (node.name.empty() || !tips.insert(node.name).second)
        throw UsageError(fmt::format("{}:{}:{}: the name '{}' of a tip {}", place_, node.line, node.column,
                                     node.name, node.name.empty() ? "is empty" : "was used before"));
    }
    return nodes;
  }

  /// The label for a number; otherwise the name itself.
  std::string label_of(const std::string& name) const {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc() && end == name.data() + name.size();
    return is_number && number >= 1 && number <= labels_.size() ? labels_[number - 1] : name;
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what) const {
    const std::string_view before = text_.substr(0, at);
    const std::size_t newline = before.rfind('\n');
    throw UsageError(fmt::format("{}:{}:{}: {}", place_, 1 + std::ranges::count(before, '\n'),
                                 newline == before.npos ? at + 1 : at - newline, what));
  }

  std::string_view text_, place_;
  std::size_t at_ = 0;
  std::vector<std::string> labels_;
  std::unordered_set<std::string> known_labels_;
  std::unordered_map<std::string, std::string> translations_;
  std::vector<TreeCommand> trees_;
  std::size_t first_tree_ = 0;
};

}  // namespace

bool is_nexus(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kNexusBlanks), text.size()));
  return equal_but_for_case(text.substr(0, kNexus.size()), kNexus);
}

std::vector<Tree::Node> parse_nexus(std::string_view text, std::string_view place) {
  return NexusReader(text, place).read();
}

}  // namespace gpuseq::papara
