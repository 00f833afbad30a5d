#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/config/selection.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::bench {

/// The points that a config selects of one variant, without making them all: a search draws some of them and
/// goes on to their neighbours.
class SelectedSpace {
 public:
  /// @param parts  sub-spaces of the config; axes that one does not name have their defaults
  SelectedSpace(const SearchSpace& space, const std::vector<Restriction>& parts);

  /// Combinations of values, whatever the constraints say of them.
  double combinations() const;
  /// Whether a point is one of them and valid.
  bool contains(const Point& point) const;
  /// Different valid points, the default one first where it is among them, the others drawn with equal
  /// probabilities. Where few combinations are valid, a random walk along single axes draws the rest.
  /// @returns at most `count`; fewer where no more were found, none where none was
  std::vector<Point> sample(std::size_t count, Random& random) const;
  /// Valid points that differ from a point in one axis.
  std::vector<Point> neighbours(const Point& point) const;
  /// The values that an axis has in any part.
  std::vector<AxisValue> values(const std::string& axis) const;
  const std::vector<Axis>& axes() const { return space_.axes(); }

 private:
  using Part = std::vector<std::vector<AxisValue>>;  // values by axis

  static double combinations(const Part& part);
  bool has(const Part& part, const Point& point) const;
  std::vector<const Part*> parts_with(const Point& point) const;
  bool is_valid(const Point& point) const { return !space_.why_invalid(point); }
  Point drawn(Random& random) const;
  /// Where a walk of some steps ends.
  Point walked(Point point, Random& random) const;

  SearchSpace space_;
  std::vector<Part> parts_;
};

/// By "family/variant".
using SelectedSpaces = std::map<std::string, std::shared_ptr<const SelectedSpace>>;

}  // namespace gpuseq::bench
