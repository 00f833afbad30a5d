#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/contract/cost.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/contract/problem.hpp"
#include "runtime/contract/session.hpp"

namespace gpuseq {

/// The source that NVRTC compiles for one point; compiling it needs no GPU.
struct KernelSource {
  std::string name;                            // name of the extern "C" entry
  std::string text;                            // includes headers by name
  std::map<std::string, std::string> headers;  // include path -> text, compiled in
  std::vector<std::string> options;
  bool may_spill = false;
  int least_architecture = 75;        // 80: it needs features that sm_75 lacks
  std::string own_architecture = {};  // "sm_90a": it uses instructions of sm_90 GPUs that later GPUs lack
};

/// Prepares a state for timing from the input, the complete point of the variant, and the device.
/// @throws DoesNotFit if the device's memory cannot hold the state, ResourceError if the state is not
/// available on this machine or device
using Prepare = std::function<std::unique_ptr<Session>(Problem&, const Point&, Device&)>;

/// Sources of the kernels of a complete point.
/// @param problem  complete, not loaded: kernels for a fixed size use its size, or a typical one
using Sources = std::function<std::vector<KernelSource>(const Point&, const Point& problem)>;

struct ExportedLibrary;
/// The parts of a complete point's library (exported_library.hpp).
/// @throws UsageError if the point has none
using Export = std::function<ExportedLibrary(const Point&)>;

/// A way to solve a family's problem, with the functions that run it. A family's list of variants is the only
/// place that defines them.
struct Variant {
  std::string name;
  DeviceKind device = DeviceKind::cpu;
  std::string summary;  // one line
  SearchSpace space;
  Prepare prepare = {};
  Sources sources = {};  // empty: no kernels compiled by NVRTC
  /// The estimate of its sessions' counts; empty: no bound, for probes and external tools.
  EstimateCost cost = {};
  /// Another program, run as a whole: its time includes start-up, reading and writing.
  bool whole_process = false;
  std::string missing = {};  // reason why it cannot run on this machine; empty: it can
  Export exported = {};      // empty: it has no library
};

/// Makes a Prepare from a function that takes the family's own problem.
template <class OwnProblem, class Function>
Prepare prepare_by(Function function) {
  return [function = std::move(function)](Problem& problem, const Point& point,
                                          Device& device) -> std::unique_ptr<Session> {
    return function(dynamic_cast<OwnProblem&>(problem), point, device);
  };
}

/// A session of the family's own type, for exec().
/// @param point  missing axes take their defaults
/// @throws like Prepare, and UsageError like SearchSpace::complete()
template <class OwnSession>
std::unique_ptr<OwnSession> prepare_as(Problem& problem, const Variant& variant, const Point& point,
                                       Device& device) {
  std::unique_ptr<Session> session = variant.prepare(problem, variant.space.complete(point), device);
  auto& own = dynamic_cast<OwnSession&>(*session);
  static_cast<void>(session.release());
  return std::unique_ptr<OwnSession>(&own);
}

}  // namespace gpuseq
