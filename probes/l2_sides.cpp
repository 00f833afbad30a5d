#include "probes/l2_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probes/median.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr double kLeastGap = 0.1;         // relative to the near time
constexpr double kClearShare = 0.9;       // share of times, rows and lines that must be clear
constexpr double kLeastOfASide = 0.05;    // share of rows, and of lines
constexpr double kMostResidual = 4;       // multiple of the median absolute residual
constexpr std::size_t kFewestOfEach = 4;  // rows, and lines

struct TimeMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

/// Residuals without the means of rows and columns; outliers are clamped.
TimeMatrix residuals_of(const TimeMatrix& times) {
  TimeMatrix left = times;
  std::vector<double> of_row(times.rows, 0), of_column(times.columns, 0);
  double all = 0;
  for (std::size_t r = 0; r < times.rows; ++r)
    for (std::size_t c = 0; c < times.columns; ++c) {
      of_row[r] += times.at(r, c) / static_cast<double>(times.columns);
      of_column[c] += times.at(r, c) / static_cast<double>(times.rows);
      all += times.at(r, c) / static_cast<double>(times.values.size());
    }
  std::vector<double> sizes;
  for (std::size_t r = 0; r < times.rows; ++r)
    for (std::size_t c = 0; c < times.columns; ++c) {
      left.at(r, c) += all - of_row[r] - of_column[c];
      sizes.push_back(std::fabs(left.at(r, c)));
    }
  const double most = kMostResidual * median(std::move(sizes));
  for (double& value : left.values) value = std::clamp(value, -most, most);
  return left;
}

struct SideProduct {
  std::vector<double> rows, columns;
};

/// The leading singular vectors.
SideProduct leading_product(const TimeMatrix& left) {
  constexpr int kIterations = 100;
  SideProduct found{std::vector<double>(left.rows, 0), std::vector<double>(left.columns, 0)};
  std::size_t largest = 0;
  double most = -1;
  for (std::size_t r = 0; r < left.rows; ++r) {
    double size = 0;
    for (std::size_t c = 0; c < left.columns; ++c) size += left.at(r, c) * left.at(r, c);
    if (size > most) largest = r;
    most = std::max(most, size);
  }
  for (std::size_t c = 0; c < left.columns; ++c) found.columns[c] = left.at(largest, c);
  for (int i = 0; i < kIterations; ++i) {
    double size = 0;
    for (std::size_t r = 0; r < left.rows; ++r) {
      found.rows[r] = 0;
      for (std::size_t c = 0; c < left.columns; ++c) found.rows[r] += left.at(r, c) * found.columns[c];
      size += found.rows[r] * found.rows[r];
    }
    if (size == 0) break;  // rows and columns explain all times
    for (double& value : found.rows) value /= std::sqrt(size);
    std::ranges::fill(found.columns, 0.0);
    for (std::size_t r = 0; r < left.rows; ++r)
      for (std::size_t c = 0; c < left.columns; ++c) found.columns[c] += left.at(r, c) * found.rows[r];
  }
  return found;
}

std::vector<bool> signs_of(const std::vector<double>& values) {
  std::vector<bool> signs(values.size());
  std::transform(values.begin(), values.end(), signs.begin(), [](double value) { return value > 0; });
  return signs;
}

double smaller_share(const std::vector<bool>& signs) {
  const auto set = static_cast<double>(std::ranges::count(signs, true));
  const auto all = static_cast<double>(signs.size());
  return std::min(set, all - set) / all;
}

/// The share of rows whose median far time exceeds the median near time by at least `least`.
/// @param is_far  whether a row and a column are on different sides
template <typename Times, typename IsFar>
double share_of_clear(std::size_t rows, std::size_t columns, double least, const Times& time,
                      const IsFar& is_far) {
  std::size_t clear = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> near, far;
    for (std::size_t c = 0; c < columns; ++c) (is_far(r, c) ? far : near).push_back(time(r, c));
    clear += !near.empty() && !far.empty() && median(far) - median(near) >= least;
  }
  return static_cast<double>(clear) / static_cast<double>(rows);
}

std::vector<double> quantiles_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> found(kQuantiles.size());
  std::ranges::transform(kQuantiles, found.begin(), [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  });
  return found;
}

CacheSides no_sides(CacheSides sides, std::string reason) {
  sides.reason = std::move(reason);
  return sides;
}

}  // namespace

CacheSides cache_sides(std::span<const double> values, std::size_t multiprocessors) {
  if (multiprocessors == 0 || values.size() % multiprocessors != 0)
    throw UsageError(fmt::format("{} times are not as many of each of {} multiprocessors", values.size(),
                                 multiprocessors));
  const TimeMatrix times{multiprocessors, values.size() / multiprocessors, {values.begin(), values.end()}};
  CacheSides sides;
  if (!values.empty()) sides.quantiles = quantiles_of(times.values);
  if (times.rows < kFewestOfEach || times.columns < kFewestOfEach)
    return no_sides(std::move(sides),
                    fmt::format("{} multiprocessors and {} lines are too few", times.rows, times.columns));
  const SideProduct product = leading_product(residuals_of(times));
  const std::vector<bool> row_sides = signs_of(product.rows), line_sides = signs_of(product.columns);
  // Residuals are positive, i.e. times longer, if both vectors have the same sign.
  const auto is_far = [&](std::size_t r, std::size_t c) { return row_sides[r] == line_sides[c]; };
  std::vector<double> near, far;
  for (std::size_t r = 0; r < times.rows; ++r)
    for (std::size_t c = 0; c < times.columns; ++c) (is_far(r, c) ? far : near).push_back(times.at(r, c));
  if (smaller_share(row_sides) < kLeastOfASide || smaller_share(line_sides) < kLeastOfASide || near.empty() ||
      far.empty())
    return no_sides(std::move(sides),
                    "one mode: no two groups of multiprocessors differ in the lines that they are near to");
  const double near_time = median(near), far_time = median(far), gap = far_time - near_time;
  const double middle = near_time + gap / 2;
  const auto right = std::ranges::count_if(near, [&](double time) { return time < middle; }) +
                     std::ranges::count_if(far, [&](double time) { return time > middle; });
  sides.on_side = static_cast<double>(right) / static_cast<double>(values.size());
  if (gap < kLeastGap * near_time)
    return no_sides(std::move(sides),
                    fmt::format("one mode: the two groups that differ most are {:.2g} % apart",
                                100 * std::max(gap, 0.0) / near_time));
  const auto time = [&](std::size_t r, std::size_t c) { return times.at(r, c); };
  const double clear_rows = share_of_clear(times.rows, times.columns, gap / 2, time, is_far);
  const double clear_lines = share_of_clear(
      times.columns, times.rows, gap / 2, [&](std::size_t c, std::size_t r) { return time(r, c); },
      [&](std::size_t c, std::size_t r) { return is_far(r, c); });
  if (std::min({sides.on_side, clear_rows, clear_lines}) < kClearShare) {
    std::string reason = fmt::format(
        "no two modes: {:.0f} % of times, {:.0f} % of multiprocessors and {:.0f} % of lines are on a side",
        100 * sides.on_side, 100 * clear_rows, 100 * clear_lines);
    return no_sides(std::move(sides), std::move(reason));
  }
  sides.near = near_time;
  sides.far = far_time;
  sides.near_share = static_cast<double>(near.size()) / static_cast<double>(values.size());
  sides.groups.resize(2);
  for (std::size_t r = 0; r < times.rows; ++r)
    sides.groups[row_sides[r] == row_sides[0] ? 0 : 1].push_back(r);
  return sides;
}

}  // namespace gpuseq::probes
