#include "runtime/io/expression.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

/// Memory for the compiled expression and its matching: enough for any expression on a command line.
constexpr std::int64_t kMemoryBytes = 16 << 20;
constexpr std::size_t kShownBytes = 60;

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  options.set_max_mem(kMemoryBytes);
  return options;
}

/// RE2's own view of a text: since Abseil, distributions differ in whether it is std::string_view.
re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

std::string shown(std::string_view text) {
  return text.size() <= kShownBytes ? std::string(text) : std::string(text.substr(0, kShownBytes)) + "...";
}

/// Length of the shortest prefix of `text` with the same error; RE2 reads from left to right and stops
/// at the first error.
std::size_t end_of_mistake(std::string_view text, const RE2& malformed) {
  std::size_t fine = 0, wrong = text.size();
  while (fine + 1 < wrong) {
    const std::size_t middle = fine + (wrong - fine) / 2;
    const RE2 beginning(piece(text.substr(0, middle)), options());
    const bool same_piece =
        malformed.error_code() == RE2::ErrorUnexpectedParen || beginning.error_arg() == malformed.error_arg();
    (beginning.error_code() == malformed.error_code() && same_piece ? wrong : fine) = middle;
  }
  return wrong;
}

/// Start of the part that RE2 rejects, counted from 1; 0 if it rejects the whole.
std::size_t place_of_mistake(std::string_view text, const RE2& malformed) {
  const std::size_t end = end_of_mistake(text, malformed);
  if (malformed.error_code() == RE2::ErrorUnexpectedParen) return end;
  const std::size_t length = std::max<std::size_t>(malformed.error_arg().size(), 1);
  return malformed.error_code() == RE2::ErrorMissingParen || length > end ? 0 : end - length + 1;
}

[[noreturn]] void throw_malformed(std::string_view text, std::string_view before, std::size_t offset,
                                  const RE2& malformed) {
  if (malformed.error_code() == RE2::ErrorPatternTooLarge)
    throw UsageError(fmt::format(
        "{}{}: the expression of {} bytes is too large; allowed: one that compiles to less than {} "
        "MiB, where a repetition counts as often as it repeats",
        before, shown(text), text.size(), kMemoryBytes >> 20));
  const std::size_t place = place_of_mistake(text, malformed);
  throw UsageError(fmt::format("{}{}: {}{}; allowed: a regular expression in the syntax of RE2", before,
                               shown(text), shown(malformed.error()),
                               place == 0 ? "" : fmt::format(" (at byte {})", place + offset)));
}

}  // namespace

Expression::Expression(std::string_view text, std::string_view before, std::size_t offset)
    : expression_(std::make_unique<const RE2>(piece(text), options())) {
  if (!expression_->ok()) throw_malformed(text, before, offset, *expression_);
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

bool Expression::is_in(std::string_view text) const {
  return RE2::PartialMatch(piece(text), *expression_);
}

int Expression::groups() const {
  return expression_->NumberOfCapturingGroups();
}

std::optional<std::string> Expression::first_group(std::string_view text) const {
  std::string group;
  return RE2::PartialMatch(piece(text), *expression_, &group) ? std::optional(group) : std::nullopt;
}

}  // namespace gpuseq
