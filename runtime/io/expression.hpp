#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpuseq {

/// A user's regular expression in RE2 syntax, searched anywhere in a text. Takes time proportional to the
/// text and bounded memory for every expression.
class Expression {
 public:
  /// @param before  the text before the expression in messages ("--state "), whose positions are
  /// counted from `offset`
  /// @throws UsageError for a malformed or too large expression, with RE2's reason and the position
  explicit Expression(std::string_view text, std::string_view before, std::size_t offset = 0);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  bool is_in(std::string_view text) const;
  /// The number of groups in parentheses.
  int groups() const;
  /// The first group of the expression's first match; the expression must have a group.
  std::optional<std::string> first_group(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> expression_;
};

}  // namespace gpuseq
