#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/io/expression.hpp"

namespace gpuseq::bench {

/// The value of --benchmark_filter: an RE2 expression that is searched for in a state's name. With a leading
/// '-' it selects names without a match. Empty or "all" selects everything. Takes time proportional to the
/// name's length.
class NameFilter {
 public:
  /// @throws UsageError for a malformed or too large expression, with RE2's reason and the position
  explicit NameFilter(std::string_view text);

  bool lets_all_through() const { return !expression_; }
  /// @param state  StateKey::to_string(); its benchmark_name() is matched
  bool lets_through(std::string_view state) const;

 private:
  std::optional<Expression> expression_;
  bool negated_ = false;
};

/// A state's name for Google Benchmark, where the parameters of a benchmark are part of its name.
std::string benchmark_name(std::string_view state);

}  // namespace gpuseq::bench
