#include "bench/name_filter.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "runtime/errors.hpp"

namespace gpuseq::bench {
namespace {

/// For the compiled expression and what its matching keeps: enough for any that fits a command line.
constexpr std::int64_t kMemoryBytes = 16 << 20;
constexpr std::size_t kShownBytes = 60;

RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_dot_nl(true);
  options.set_never_capture(true);
  options.set_max_mem(kMemoryBytes);
  return options;
}

std::string shown(std::string_view text) {
  return text.size() <= kShownBytes ? std::string(text) : std::string(text.substr(0, kShownBytes)) + "...";
}

/// Bytes of the shortest beginning of `text` that has the same mistake; RE2 reads from left to right and
/// stops at the first.
std::size_t end_of_mistake(std::string_view text, const RE2& malformed) {
  std::size_t fine = 0, wrong = text.size();
  while (fine + 1 < wrong) {
    const std::size_t middle = fine + (wrong - fine) / 2;
    const RE2 beginning(text.substr(0, middle), options());
    const bool same_piece =
        malformed.error_code() == RE2::ErrorUnexpectedParen || beginning.error_arg() == malformed.error_arg();
    (beginning.error_code() == malformed.error_code() && same_piece ? wrong : fine) = middle;
  }
  return wrong;
}

/// Where the piece that RE2 complains of begins, counted from 1; 0 where it complains of the whole.
std::size_t place_of_mistake(std::string_view text, const RE2& malformed) {
  const std::size_t end = end_of_mistake(text, malformed);
  if (malformed.error_code() == RE2::ErrorUnexpectedParen) return end;
  const std::size_t length = std::max<std::size_t>(malformed.error_arg().size(), 1);
  return malformed.error_code() == RE2::ErrorMissingParen || length > end ? 0 : end - length + 1;
}

/// @param negated  a '-' stands before `text`
[[noreturn]] void throw_malformed(std::string_view text, bool negated, const RE2& malformed) {
  if (malformed.error_code() == RE2::ErrorPatternTooLarge)
    throw UsageError(
        fmt::format("--benchmark_filter: the expression of {} bytes is too large; allowed: one that compiles "
                    "to less than "
                    "{} MiB, where a repetition counts as often as it repeats",
                    text.size(), kMemoryBytes >> 20));
  const std::size_t place = place_of_mistake(text, malformed);
  throw UsageError(
      fmt::format("--benchmark_filter={}{}: {}{}; allowed: a regular expression in the syntax of RE2",
                  negated ? "-" : "", shown(text), shown(malformed.error()),
                  place == 0 ? "" : fmt::format(" (at byte {})", place + (negated ? 1 : 0))));
}

}  // namespace

NameFilter::NameFilter(std::string_view text) {
  if (text.empty() || text == "all") return;
  negated_ = text.front() == '-';
  if (negated_) text.remove_prefix(1);
  auto expression = std::make_unique<const RE2>(text, options());
  if (!expression->ok()) throw_malformed(text, negated_, *expression);
  expression_ = std::move(expression);
}

NameFilter::NameFilter(NameFilter&&) noexcept = default;
NameFilter::~NameFilter() = default;

bool NameFilter::lets_through(std::string_view state) const {
  return lets_all_through() || RE2::PartialMatch(benchmark_name(state), *expression_) != negated_;
}

std::string benchmark_name(std::string_view state) {
  return fmt::format("{}/iterations:1/manual_time", state);
}

}  // namespace gpuseq::bench
