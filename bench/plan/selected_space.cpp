#include "bench/plan/selected_space.hpp"

#include <algorithm>
#include <set>

namespace gpuseq::bench {

SelectedSpace::SelectedSpace(const SearchSpace& space, const std::vector<Restriction>& parts)
    : space_(space) {
  for (const Restriction& given : parts) {
    Part& part = parts_.emplace_back();
    for (const Axis& axis : space_.axes()) {
      const auto found = given.find(axis.name);
      std::vector<AxisValue>& values = part.emplace_back();
      if (found == given.end()) values.push_back(axis.default_value);
      if (found == given.end()) continue;
      std::set<AxisValue> seen;
      for (const AxisValue& value : found->second)
        if (seen.insert(value).second) values.push_back(value);
    }
  }
}

double SelectedSpace::combinations(const Part& part) {
  double count = 1;
  for (const std::vector<AxisValue>& values : part) count *= static_cast<double>(values.size());
  return count;
}

double SelectedSpace::combinations() const {
  double count = 0;
  for (const Part& part : parts_) count += combinations(part);
  return count;
}

bool SelectedSpace::has(const Part& part, const Point& point) const {
  if (point.values().size() != part.size()) return false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::string& axis = space_.axes()[i].name;
    if (!point.has(axis) || std::ranges::find(part[i], point.at(axis)) == part[i].end()) return false;
  }
  return true;
}

std::vector<const SelectedSpace::Part*> SelectedSpace::parts_with(const Point& point) const {
  std::vector<const Part*> found;
  for (const Part& part : parts_)
    if (has(part, point)) found.push_back(&part);
  return found;
}

bool SelectedSpace::contains(const Point& point) const {
  return !parts_with(point).empty() && is_valid(point);
}

std::vector<AxisValue> SelectedSpace::values(const std::string& axis) const {
  std::vector<AxisValue> all;
  for (std::size_t i = 0; i < space_.axes().size(); ++i)
    if (space_.axes()[i].name == axis)
      for (const Part& part : parts_) all.insert(all.end(), part[i].begin(), part[i].end());
  return all;
}

Point SelectedSpace::drawn(Random& random) const {
  double at = random.uniform() * combinations();
  const Part* part = &parts_.front();
  for (const Part& one : parts_) {
    part = &one;
    if ((at -= combinations(one)) < 0) break;
  }
  Point::Values values;
  for (std::size_t i = 0; i < part->size(); ++i)
    values.emplace_back(space_.axes()[i].name, (*part)[i][random.below((*part)[i].size())]);
  return Point(std::move(values));
}

Point SelectedSpace::walked(Point point, Random& random) const {
  constexpr std::size_t kStepsOfAxis = 2;  // from a point that was drawn, or that an earlier walk came to
  const std::size_t axes = space_.axes().size();
  for (std::size_t step = 0; step < kStepsOfAxis * axes; ++step) {
    const std::vector<const Part*> parts = parts_with(point);
    const std::size_t axis = random.below(axes);
    const std::vector<AxisValue>& values = (*parts[random.below(parts.size())])[axis];
    Point next = point;
    next.set(space_.axes()[axis].name, values[random.below(values.size())]);
    if (is_valid(next)) point = std::move(next);
  }
  return point;
}

std::vector<Point> SelectedSpace::sample(std::size_t count, Random& random) const {
  constexpr std::size_t kTriesOfPoint = 20, kTriesOfFirst = 200'000, kWalksOfPoint = 4;
  UniquePoints points;
  Point usual;
  for (const Axis& axis : space_.axes()) usual.set(axis.name, axis.default_value);
  if (contains(usual)) points.add(usual);
  const std::size_t usual_ones = points.size();
  std::vector<Point> starts;
  const auto enough = [&] { return points.size() >= count; };
  for (std::size_t i = 0;
       !enough() && (i < kTriesOfPoint * count || (points.size() == 0 && i < kTriesOfFirst)); ++i) {
    Point point = drawn(random);
    if (!is_valid(point)) continue;
    // A point of several parts is drawn as often as it occurs in them.
    const std::size_t parts = parts_.size() == 1 ? 1 : parts_with(point).size();
    if (parts > 1 && random.below(parts) != 0) continue;
    starts.push_back(point);
    points.add(std::move(point));
  }
  if (starts.empty() && usual_ones > 0) starts.push_back(usual);
  for (std::size_t i = 0; !enough() && !starts.empty() && i < kWalksOfPoint * count; ++i) {
    Point& start = starts[random.below(starts.size())];
    start = walked(start, random);
    points.add(start);
  }
  return std::move(points).take();
}

std::vector<Point> SelectedSpace::neighbours(const Point& point) const {
  UniquePoints found;
  for (const Part* part : parts_with(point))
    for (std::size_t i = 0; i < part->size(); ++i)
      for (const AxisValue& value : (*part)[i]) {
        const std::string& axis = space_.axes()[i].name;
        if (value == point.at(axis)) continue;
        Point next = point;
        next.set(axis, value);
        if (is_valid(next)) found.add(std::move(next));
      }
  return std::move(found).take();
}

}  // namespace gpuseq::bench
