#include "bench/plan/not_compiled.hpp"

#include <fmt/format.h>

#include "runtime/contract/unsupported.hpp"

namespace gpuseq::bench {
namespace {

/// The message of such an error of a state's estimate; empty: it has none.
template <typename Error>
std::string refusal(const Variant& variant, const StateOutline& state) {
  if (!variant.cost) return "";
  try {
    static_cast<void>(variant.cost(state));
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception&) {
    return "";
  }
  return "";
}

}  // namespace

std::string why_not_compiled(const Variant& variant, const StateOutline& state) {
  return variant.device == DeviceKind::cpu ? refusal<NotCompiled>(variant, state) : "";
}

bool is_unsupported(const Variant& variant, const StateOutline& state) {
  return !refusal<Unsupported>(variant, state).empty();
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
