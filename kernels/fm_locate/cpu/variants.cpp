#include "kernels/fm_locate/cpu/session.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::fm_locate {
namespace {

constexpr u32 kCacheLineBytes = 64;

Needs needs(const StateOutline& state) {
  return locate_needs(layout_of(state.point), kCacheLineBytes, state);
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {{.name = "scalar",
           .summary = "one walk after the other",
           .space = SearchSpace(concatenated(layout_axes(), {threads_axis()})),
           .prepare = prepare_by<LocateProblem>([](LocateProblem& problem, const Point& point, Device&) {
             const Layout layout = layout_of(point);
             return make_cpu_session(problem, layout, scalar_kernel(layout.marked()), 1,
                                     static_cast<int>(point.integer("threads")));
           }),
           .needs = needs},
          {.name = "interleaved",
           .summary = "walks take turns, each prefetching its next line or sample",
           .space = SearchSpace(
               concatenated(layout_axes(), {integer_axis("walks_in_flight", {8, 16, 32, 64, 128}, 32,
                                                         "walks that take turns on a thread", 1, 4096),
                                            threads_axis()})),
           .prepare = prepare_by<LocateProblem>([](LocateProblem& problem, const Point& point, Device&) {
             const Layout layout = layout_of(point);
             return make_cpu_session(problem, layout, interleaved_kernel(layout.marked()),
                                     static_cast<u32>(point.integer("walks_in_flight")),
                                     static_cast<int>(point.integer("threads")));
           }),
           .needs = needs}};
}

}  // namespace gpuseq::fm_locate
