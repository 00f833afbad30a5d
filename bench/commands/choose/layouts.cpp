#include "bench/commands/choose/layouts.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "bench/config/selection.hpp"
#include "bench/plan/selected_space.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kBases = 16;       // points at which each axis is varied
constexpr std::size_t kCompletions = 4;  // points of a layout that are estimated

struct Estimate {
  std::uint64_t index_bytes = 0, bytes = 0;
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// The layouts of one variant.
class VariantLayouts {
 public:
  VariantLayouts(const Variant& variant, const LayoutRequest& request, std::span<const std::string_view> kept)
      : variant_(variant), request_(request) {
    for (const Axis& axis : variant.space.axes())
      if (std::ranges::find(kept, axis.name) == kept.end()) all_[axis.name] = axis.values;
  }

  /// Adds the layouts within the limit.
  /// @param free_bytes  of the largest device that runs the variant
  void add_to(Layouts& layouts, std::uint64_t free_bytes) {
    std::vector<Restriction> within;
    std::size_t count = 0;
    for (const Restriction& layout : layouts_of_index()) {
      ++count;
      if (fits(layout, free_bytes, layouts)) within.push_back(layout);
    }
    if (within.empty()) return;
    if (within.size() == count) within = {all_};
    layouts.points += SelectedSpace(variant_.space, within).combinations();
    json& parts = layouts.variants[variant_.name] = json::array();
    for (const Restriction& part : within) parts.push_back(json_of(part));
  }

 private:
  /// nullopt: the point is invalid, or the reference has no such layout.
  std::optional<Estimate> estimate(const Point& point) const {
    if (variant_.space.why_invalid(point)) return std::nullopt;
    try {
      const HeldMemory held =
          variant_.cost({.point = point, .problem = request_.problem, .data_bytes = request_.data_bytes})
              .held;
      const auto index = held.parts.find(kIndexPart);
      if (index == held.parts.end()) return std::nullopt;
      return Estimate{index->second, held.bytes()};
    } catch (const ResourceError&) {
      return std::nullopt;
    }
  }

  std::vector<Point> sample(const Restriction& part, std::size_t count) const {
    Random random(kSeed, count);
    return SelectedSpace(variant_.space, {part}).sample(count, random);
  }

  /// The axes that change the estimated index at any of some points.
  std::vector<const Axis*> index_axes() const {
    std::vector<const Axis*> found;
    const std::vector<Point> bases = sample(all_, kBases);
    for (const Axis& axis : variant_.space.axes())
      if (all_.contains(axis.name) &&
          std::ranges::any_of(bases, [&](const Point& base) { return changes_index(axis, base); }))
        found.push_back(&axis);
    return found;
  }

  bool changes_index(const Axis& axis, const Point& base) const {
    std::set<std::uint64_t> sizes;
    for (const AxisValue& value : axis.values) {
      Point point = base;
      point.set(axis.name, value);
      if (!variant_.space.why_invalid(point)) {
        const std::optional<Estimate> found = estimate(point);
        sizes.insert(found ? found->index_bytes : std::numeric_limits<std::uint64_t>::max());
      }
    }
    return sizes.size() > 1;
  }

  /// Each combination of values of the index axes, with all values of the others.
  std::vector<Restriction> layouts_of_index() const {
    std::vector<Restriction> layouts{all_};
    for (const Axis* axis : index_axes()) {
      std::vector<Restriction> more;
      for (const Restriction& layout : layouts)
        for (const AxisValue& value : axis->values) {
          more.push_back(layout);
          more.back()[axis->name] = {value};
        }
      layouts = std::move(more);
    }
    return layouts;
  }

  bool fits(const Restriction& layout, std::uint64_t free_bytes, Layouts& layouts) const {
    bool any = false;
    for (const Point& point : sample(layout, kCompletions)) {
      const std::optional<Estimate> found = estimate(point);
      if (!found) continue;
      if (!layouts.smallest || found->index_bytes < layouts.smallest->index_bytes)
        layouts.smallest = {variant_.name, point, found->index_bytes};
      any = any ||
            (found->bytes <= free_bytes && found->index_bytes <= request_.index_bytes.value_or(free_bytes));
    }
    return any;
  }

  static json json_of(const Restriction& part) {
    json axes = json::object();
    for (const auto& [name, values] : part)
      for (const AxisValue& value : values) axes[name].push_back(to_json(value));
    return axes;
  }

  const Variant& variant_;
  const LayoutRequest& request_;
  Restriction all_;
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

}  // namespace gpuseq::bench
