#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/phases/search/candidates.hpp"

namespace gpuseq::bench {

/// A candidate that was measured. More is better; nothing where it failed or was skipped.
struct Tried {
  std::size_t candidate = 0;
  std::optional<double> score;
  double seconds = 0;  // that measuring took, with building; 0: not known
};

/// A way to search. The next point follows from the candidates, the tried points in their order, and the
/// seed alone: a search that was interrupted goes on as if it had not been.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// A candidate that has not been tried; nothing if all have been.
  /// @param open  by candidate, whether the strategy may choose it and sees its score; empty: all
  std::optional<std::size_t> next(const Candidates& candidates, std::span<const Tried> tried,
                                  std::uint64_t seed, const std::vector<bool>& open = {}) const;

 private:
  /// @param untried  not empty, ascending
  virtual std::size_t choose(const Candidates& candidates, std::span<const Tried> tried,
                             std::span<const std::size_t> untried, std::uint64_t seed) const = 0;
};

/// A strategy by its name, with a line of description.
struct NamedStrategy {
  std::string_view name, summary;
  std::unique_ptr<Strategy> (*make)();
  bool expects = false;  // it makes use of Candidates::expected
};

/// All there are, exhaustive search first.
std::span<const NamedStrategy> strategies();

/// @throws UsageError naming those there are
const NamedStrategy& named_strategy(std::string_view name);
std::unique_ptr<Strategy> make_strategy(std::string_view name);

std::unique_ptr<Strategy> make_exhaustive();
std::unique_ptr<Strategy> make_random();
std::unique_ptr<Strategy> make_greedy();
std::unique_ptr<Strategy> make_annealing();
std::unique_ptr<Strategy> make_genetic();
std::unique_ptr<Strategy> make_guided();

}  // namespace gpuseq::bench
