#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/plan/selected_space.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// The points that a search chooses from, as places: a coordinate for the variant and for each axis that any
/// of them has.
struct Candidates {
  /// A name of `coordinates`, and whether they have an order. Numbers are 0 to 1 by their rank among the
  /// values that there are; words, variants, and an axis that a point lacks are equal or not, and nothing
  /// else.
  struct Feature {
    std::string name;
    bool ordered = false;
  };
  std::vector<Feature> features;
  std::vector<std::vector<double>> coordinates;  // [candidate][feature]
  /// The score that is expected of each candidate before any is measured, where it is known; their
  /// ratios count. Empty: of none.
  std::vector<std::optional<double>> expected;

  std::size_t size() const { return coordinates.size(); }
  /// How far two coordinates of a feature are from each other, as a share of its range; nullopt: they are not
  /// in any order.
  std::optional<double> distance(std::size_t feature, double a, double b) const;
  /// Features in which two candidates differ.
  std::size_t differences(std::size_t a, std::size_t b) const;
};

/// The feature that is the variant, the first, and its name.
inline constexpr std::size_t kVariantPlace = 0;
inline constexpr std::string_view kVariantFeature = "variant";

/// The coordinate of an axis that a point does not have.
inline constexpr double kNoCoordinate = -1;

/// The coordinates of states of one contest: family, problem and device are the same.
class Coordinates {
 public:
  Coordinates() = default;
  /// @param spaces  of variants whose states are not all among the keys
  explicit Coordinates(std::span<const results::StateKey> keys,
                       std::span<const SelectedSpace* const> spaces = {});
  std::vector<Candidates::Feature> features() const;
  /// @param key  one of those, or a state of such a space
  std::vector<double> of(const results::StateKey& key) const;

 private:
  using Values = std::set<AxisValue>;  // numbers before words
  Values& values_of(const std::string& axis);

  std::set<std::string> variants_;
  std::vector<std::pair<std::string, Values>> axes_;
};

/// Whether two candidates differ in one feature alone; those of two variants, in no axis that both have.
bool are_neighbours(const Candidates& candidates, std::size_t a, std::size_t b);

/// The neighbours of a candidate.
std::vector<std::size_t> neighbours_of(const Candidates& candidates, std::size_t candidate);

}  // namespace gpuseq::bench
