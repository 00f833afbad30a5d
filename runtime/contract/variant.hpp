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

/// The text that NVRTC compiles for one point; enough to compile it without a GPU.
struct KernelSource {
  std::string name;                            // of the extern "C" entry
  std::string text;                            // includes headers by name
  std::map<std::string, std::string> headers;  // name -> text, compiled in
  std::vector<std::string> options;
  bool may_spill = false;
  int least_architecture = 75;        // 80: it uses what sm_75 has not
  std::string own_architecture = {};  // "sm_90a": it uses what GPUs of sm_90 have and no later ones
};

/// Makes a state ready to be timed: the input, the complete point of the variant, the device.
/// @throws DoesNotFit if the device's memory cannot hold the state, ResourceError if the state cannot be had
/// on this machine or device
using Prepare = std::function<std::unique_ptr<Session>(Problem&, const Point&, Device&)>;

/// Sources of the kernels of a complete point.
/// @param problem  complete, not loaded: kernels that are made for a size take it from there, or a usual one
using Sources = std::function<std::vector<KernelSource>(const Point&, const Point& problem)>;

struct ExportedLibrary;
/// What a library of a complete point is made of (exported_library.hpp).
/// @throws UsageError where there is none of that point
using Export = std::function<ExportedLibrary(const Point&)>;

/// A way to solve a family's problem, with what runs it. The list of a family's variants is all that says
/// which there are.
struct Variant {
  std::string name;
  DeviceKind device = DeviceKind::cpu;
  std::string summary;  // one line
  SearchSpace space;
  Prepare prepare = {};
  Sources sources = {};  // empty: it has no kernels that NVRTC compiles
  /// The estimate of what its sessions count; empty: it has no bound, as probes and external tools.
  EstimateCost cost = {};
  /// Another program, run from its start to its end: start-up, reading and writing are in its time.
  bool whole_process = false;
  std::string missing = {};  // why it cannot run on this machine; empty: it can
  Export exported = {};      // empty: there is no library of it
};

/// A Prepare by a function that takes the family's own problem.
template <class OwnProblem, class Function>
Prepare prepare_by(Function function) {
  return [function = std::move(function)](Problem& problem, const Point& point,
                                          Device& device) -> std::unique_ptr<Session> {
    return function(dynamic_cast<OwnProblem&>(problem), point, device);
  };
}

/// A session of the family's own type, whose answers exec() writes.
/// @param point  axes that it lacks take their defaults
/// @throws as Prepare, and UsageError as SearchSpace::complete()
template <class OwnSession>
std::unique_ptr<OwnSession> prepare_as(Problem& problem, const Variant& variant, const Point& point,
                                       Device& device) {
  std::unique_ptr<Session> session = variant.prepare(problem, variant.space.complete(point), device);
  auto& own = dynamic_cast<OwnSession&>(*session);
  static_cast<void>(session.release());
  return std::unique_ptr<OwnSession>(&own);
}

}  // namespace gpuseq
