#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/io/expression.hpp"

namespace gpuseq::bench {

/// The value of --benchmark_filter: an expression in the syntax of RE2 that is looked for anywhere in a
/// state's name; a leading '-' lets through what does not match; empty or "all" lets everything through.
/// Takes time in proportion to the name.
class NameFilter {
 public:
  /// @throws UsageError for a malformed or too large expression, with RE2's reason and the place
  explicit NameFilter(std::string_view text);

  bool lets_all_through() const { return !expression_; }
  /// @param state  StateKey::to_string(); what is matched is benchmark_name() of it
  bool lets_through(std::string_view state) const;

 private:
  std::optional<Expression> expression_;
  bool negated_ = false;
};

/// A state as Google Benchmark names it: what is special about a benchmark is part of its name.
std::string benchmark_name(std::string_view state);

}  // namespace gpuseq::bench
