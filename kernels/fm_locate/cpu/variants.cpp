#include "kernels/fm_locate/cpu/session.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_locate {
namespace {

/// The kernel of a variant, and its number of interleaved walks.
struct Way {
  DispatchedWalks (*kernel)(bool marked, const Point&);
  u32 (*in_flight)(const Point&);
};

u32 one(const Point&) {
  return 1;
}
u32 walks_in_flight(const Point& point) {
  return static_cast<u32>(point.integer("walks_in_flight"));
}

constexpr Way kScalar{[](bool marked, const Point&) { return scalar_kernel(marked); }, one},
    kInterleaved{[](bool marked, const Point&) { return interleaved_kernel(marked); }, walks_in_flight},
    kSimd{[](bool marked, const Point&point) {
            return simd_kernel(marked, parse_simd_target(point.word("target")));
          },
          walks_in_flight};

Axis walks_axis(std::vector<AxisValue> values, i64 usual) {
  return integer_axis("walks_in_flight", std::move(values), usual, "walks that a thread interleaves", 1,
                      4096);
}

Variant variant(std::string name, std::string summary, std::vector<Axis> axes, Way way) {
  axes.push_back(threads_axis());
  const auto prepare = [way](LocateProblem& problem, const Point& point, Device&) {
    const Layout layout = layout_of(point);
    // Before the index, so that an unsupported target is reported without building one.
    const DispatchedWalks kernel = way.kernel(layout.marked(), point);
    return make_cpu_session(problem, layout, kernel, way.in_flight(point),
                            static_cast<int>(point.integer("threads")));
  };
  const auto cost = [way](const StateOutline& state) {
    const Layout layout = layout_of(state.point);
    static_cast<void>(way.kernel(layout.marked(), state.point));  // throws if there is no kernel
    return estimated_cost(layout, kCacheLineBytes, state);
  };
  return {.name = std::move(name),
          .summary = std::move(summary),
          .space = SearchSpace(concatenated(layout_axes(), std::move(axes))),
          .prepare = prepare_by<LocateProblem>(prepare),
          .cost = cost};
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      variant("scalar", "one walk at a time per thread", {}, kScalar),
      variant("interleaved", "interleaved walks, each with a software prefetch of its next line or sample",
              {walks_axis({8, 16, 32, 64, 128}, 32)}, kInterleaved),
      variant("simd", "one walk per vector lane, interleaved vectors with software prefetch",
              {walks_axis({16, 32, 64, 128, 256}, 64), simd_target_axis()}, kSimd)};
}

}  // namespace gpuseq::fm_locate
