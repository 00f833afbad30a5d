#include "bench/plan/not_compiled.hpp"

#include <fmt/format.h>

#include "runtime/contract/unsupported.hpp"

namespace gpuseq::bench {

std::string why_not_compiled(const Variant& variant, const StateOutline& state) {
  if (variant.device != DeviceKind::cpu || !variant.cost) return "";
  try {
    static_cast<void>(variant.cost(state));
  } catch (const NotCompiled& error) {
    return error.what();
  } catch (const std::exception&) {
    return "";
  }
  return "";
}

bool is_unsupported(const Variant& variant, const StateOutline& state) {
  if (!variant.cost) return false;
  try {
    static_cast<void>(variant.cost(state));
  } catch (const Unsupported&) {
    return true;
  } catch (const std::exception&) {
    return false;
  }
  return false;
}

std::vector<std::string> values_not_compiled(const Variant& variant, const Point& problem) {
  std::vector<std::string> found;
  const Point usual = variant.space.complete({});
  for (const Axis& axis : variant.space.axes())
    for (const AxisValue& value : axis.values) {
      Point point = usual;
      point.set(axis.name, value);
      if (!why_not_compiled(variant, {.point = point, .problem = problem}).empty())
        found.push_back(fmt::format("{}={}", axis.name, to_string(value)));
    }
  return found;
}

}  // namespace gpuseq::bench
