#include "kernels/papara/hybrid/area.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuseq::papara {
namespace {

/// The end of shares that begin at `at` of `count`.
u32 border_of(double at, u32 count) {
  return static_cast<u32>(std::clamp(std::round(at * count), 0.0, static_cast<double>(count)));
}

}  // namespace

WorkGrid WorkGrid::of(const Queries& queries, const References& references, u32 unit) {
  WorkGrid grid{.before = {0}, .references = references.count, .unit = std::max(unit, 1u)};
  for (const u32 bases : queries.bases)
    grid.before.push_back(grid.before.back() + band_cells(references.sites, bases));
  return grid;
}

Rectangle WorkGrid::corner(const Rectangle& part, double wanted) const {
  if (wanted >= static_cast<double>(cells(part))) return part;
  Rectangle best{{part.queries.begin, part.queries.begin + 1},
                 {part.references.begin, std::min(part.references.end, part.references.begin + unit)}};
  const auto first = before.begin() + part.queries.begin, last = before.begin() + part.queries.end + 1;
  for (u32 units_taken = 1; units_taken <= units(part); ++units_taken) {
    const u32 end = std::min(part.references.end, part.references.begin + units_taken * unit);
    const double most = wanted / (end - part.references.begin);
    const auto past = std::upper_bound(first + 1, last, most, [&](double up_to, u64 at) {
      return up_to < static_cast<double>(at - *first);
    });
    const Rectangle taken{{part.queries.begin, part.queries.begin + static_cast<u32>(past - first - 1)},
                          {part.references.begin, end}};
    if (taken.queries.size() > 0 &&
        (cells(taken) >= cells(best) || static_cast<double>(cells(best)) > wanted))
      best = taken;
  }
  return best;
}

std::vector<Rectangle> WorkGrid::strips(const Rectangle& part, std::span<const double> shares) const {
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  const u32 count = units(part);
  const bool by_queries = part.queries.size() >= count;
  std::vector<Rectangle> strips;
  const auto reference_at = [&](double at) {
    return std::min(part.references.end, part.references.begin + border_of(at, count) * unit);
  };
  const auto query_at = [&](double at) { return part.queries.begin + border_of(at, part.queries.size()); };
  double at = 0;
  for (const double share : shares) {
    const double end = at + (all > 0 ? share / all : 0.0);
    strips.push_back(by_queries ? Rectangle{{query_at(at), query_at(end)}, part.references}
                                : Rectangle{part.queries, {reference_at(at), reference_at(end)}});
    at = end;
  }
  return strips;
}

Area::Area(const WorkGrid& grid) : grid_(grid) {
  give_back(grid.all());
}

u64 Area::cells() const {
  return std::accumulate(parts_.begin(), parts_.end(), u64{0},
                         [&](u64 sum, const Rectangle& part) { return sum + grid_.cells(part); });
}

u64 Area::pairs() const {
  return std::accumulate(parts_.begin(), parts_.end(), u64{0},
                         [](u64 sum, const Rectangle& part) { return sum + part.pairs(); });
}

Rectangle Area::take_front(double wanted) {
  const Rectangle from = parts_.front(), taken = grid_.corner(from, wanted);
  parts_.pop_front();
  Rectangle less{taken.queries, {taken.references.end, from.references.end}};
  Rectangle more{{taken.queries.end, from.queries.end}, from.references};
  if (grid_.cells(less) > grid_.cells(more)) std::swap(less, more);
  give_back(less);
  give_back(more);
  return taken;
}

Rectangle Area::take_back(u32 queries, double wanted) {
  const Rectangle from = parts_.back();
  const Range last{from.queries.end - std::min(queries, from.queries.size()), from.queries.end};
  const double unit_cells = static_cast<double>(grid_.cells(last)) * grid_.unit;
  const u32 all = grid_.units(from);
  const u32 kept = unit_cells > 0 && wanted < unit_cells * all
                       ? all - static_cast<u32>(std::max(1.0, std::floor(wanted / unit_cells)))
                       : 0;
  const u32 cut = from.references.begin + kept * grid_.unit;
  parts_.pop_back();
  const Rectangle above{{from.queries.begin, last.begin}, from.references};
  if (above.pairs() > 0) parts_.push_back(above);
  if (kept > 0) parts_.push_back({last, {from.references.begin, cut}});
  return {last, {cut, from.references.end}};
}

void Area::give_back(const Rectangle& part) {
  if (part.pairs() > 0) parts_.push_front(part);
}

}  // namespace gpuseq::papara
