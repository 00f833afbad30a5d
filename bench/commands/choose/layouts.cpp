#include "bench/commands/choose/layouts.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "bench/plan/selected_space.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kDrawn = 512;  // points, of which many may have no compiled kernel
constexpr std::size_t kBases = 16;   // of those with one: each axis is varied there

/// The layouts of one variant.
class VariantLayouts {
 public:
  VariantLayouts(const Variant& variant, const LayoutRequest& request, std::span<const std::string_view> kept)
      : variant_(variant), request_(request) {
    for (const Axis& axis : variant.space.axes())
      if (std::ranges::find(kept, axis.name) == kept.end()) all_[axis.name] = axis.values;
    bases_ = sample(all_, kDrawn);
    std::erase_if(bases_, [this](const Point& point) { return !estimate(point); });
    bases_.resize(std::min(bases_.size(), kBases));
  }

  /// Adds the layouts within the limit.
  /// @param free_bytes  of the largest device that runs the variant
  void add_to(Layouts& layouts, std::uint64_t free_bytes) const {
    for (Restriction& axes : layouts_of_index()) {
      const std::optional<Point> usual = usual_point(axes);
      std::optional<Layout> layout = usual ? estimate(*usual) : std::nullopt;
      if (!layout) continue;
      layout->axes = std::move(axes);
      if (!layouts.smallest || layout->index_bytes < layouts.smallest->index_bytes) layouts.smallest = layout;
      if (layout->held_bytes <= free_bytes &&
          layout->index_bytes <= request_.index_bytes.value_or(free_bytes))
        layouts.within.push_back(*std::move(layout));
    }
  }

 private:
  /// nullopt: the point is invalid, or the reference has no such layout.
  std::optional<Layout> estimate(const Point& point) const {
    if (variant_.space.why_invalid(point)) return std::nullopt;
    try {
      const Cost cost =
          variant_.cost({.point = point, .problem = request_.problem, .data_bytes = request_.data_bytes});
      const auto index = cost.held.parts.find(kIndexPart);
      if (index == cost.held.parts.end()) return std::nullopt;
      Layout layout{.variant = variant_.name,
                    .index_bytes = index->second,
                    .usual = point,
                    .held_bytes = cost.held.bytes()};
      if (cost.traffic && cost.traffic->blocks > 0 && cost.work.amount > 0) {
        layout.blocks_per_base = cost.traffic->blocks / cost.work.amount;
        layout.block_bytes = cost.traffic->block_bytes;
      }
      return layout;
    } catch (const ResourceError&) {
      return std::nullopt;
    }
  }

  std::vector<Point> sample(const Restriction& part, std::size_t count) const {
    Random random(kSeed, count);
    return SelectedSpace(variant_.space, {part}).sample(count, random);
  }

  /// Whether an axis changes the estimated index at any of the points.
  bool changes_index(const Axis& axis) const {
    return std::ranges::any_of(bases_, [&](Point point) {
      std::set<std::uint64_t> sizes;
      for (const AxisValue& value : axis.values) {
        point.set(axis.name, value);
        if (variant_.space.why_invalid(point)) continue;
        const std::optional<Layout> found = estimate(point);
        sizes.insert(found ? found->index_bytes : std::numeric_limits<std::uint64_t>::max());
      }
      return sizes.size() > 1;
    });
  }

  /// Each combination of values of the index axes, with all values of the others.
  std::vector<Restriction> layouts_of_index() const {
    std::vector<Restriction> layouts{all_};
    for (const Axis& axis : variant_.space.axes()) {
      if (!all_.contains(axis.name) || !changes_index(axis)) continue;
      std::vector<Restriction> more;
      for (const Restriction& layout : layouts)
        for (const AxisValue& value : axis.values) {
          more.push_back(layout);
          more.back()[axis.name] = {value};
        }
      layouts = std::move(more);
    }
    return layouts;
  }

  /// The point of a layout with most axes at their defaults; nullopt: none is valid.
  std::optional<Point> usual_point(const Restriction& layout) const {
    Point usual = variant_.space.complete({});
    for (const auto& [axis, values] : layout)
      if (std::ranges::find(values, usual.at(axis)) == values.end()) usual.set(axis, values.front());
    if (!variant_.space.why_invalid(usual)) return usual;
    const std::vector<Point> drawn = sample(layout, 1);
    if (drawn.empty()) return std::nullopt;
    return towards(usual, towards(usual, drawn.front()));  // a step may need a later axis first
  }

  /// A valid point with as many values of another, invalid one as single steps lead to.
  Point towards(const Point& usual, Point point) const {
    for (const auto& [axis, value] : usual.values()) {
      Point next = point;
      next.set(axis, value);
      if (!variant_.space.why_invalid(next)) point = std::move(next);
    }
    return point;
  }

  const Variant& variant_;
  const LayoutRequest& request_;
  Restriction all_;
  std::vector<Point> bases_;
};

}  // namespace

Layouts layouts_within(const Family& family, const LayoutRequest& request,
                       std::span<const DeviceInfo> devices, std::span<const std::string_view> kept) {
  Layouts layouts;
  for (const Variant& variant : family.variants()) {
    std::uint64_t free_bytes = 0;
    for (const DeviceInfo& device : devices)
      if (device.kind == variant.device) free_bytes = std::max<std::uint64_t>(free_bytes, device.free_bytes);
    if (free_bytes == 0 || variant.whole_process || !variant.cost || !variant.missing.empty()) continue;
    VariantLayouts(variant, request, kept).add_to(layouts, free_bytes);
  }
  return layouts;
}

std::vector<Layout> ranked(std::vector<Layout> layouts) {
  std::ranges::stable_sort(layouts, {},
                           [](const Layout& one) { return std::pair(one.blocks_per_base, one.block_bytes); });
  std::set<std::string> seen;
  std::stable_partition(layouts.begin(), layouts.end(),
                        [&](const Layout& one) { return seen.insert(one.variant).second; });
  return layouts;
}

}  // namespace gpuseq::bench
