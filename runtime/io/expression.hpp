#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpuseq {

/// A regular expression that a user wrote, in the syntax of RE2, looked for anywhere in a text. Takes time in
/// proportion to the text and bounded memory, whatever the expression.
class Expression {
 public:
  /// @param before  what stands before the expression in messages ("--state "), whose bytes count from behind
  ///   `offset` more
  /// @throws UsageError for a malformed or too large expression, with RE2's reason and the place
  explicit Expression(std::string_view text, std::string_view before, std::size_t offset = 0);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  bool is_in(std::string_view text) const;
  /// Groups in parentheses.
  int groups() const;
  /// What the first group matched where the expression is found first; it must have one.
  std::optional<std::string> first_group(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> expression_;
};

}  // namespace gpuseq
