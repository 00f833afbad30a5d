#pragma once

namespace gpuseq {

/// How long the parts of a state take, about, in seconds of one core of a usual processor, as far as it can
/// be told before its problem is loaded. What `plan` says of a run is made of it.
struct Effort {
  /// Reading or generating the input, and building what variants share: once a problem.
  double load_s = 0;
  /// What a CPU variant builds for itself (an index of its own layout), and the oracle's part of a check.
  double prepare_s = 0;
  double verify_s = 0;
  /// One launch of a usual CPU variant, and of the slowest.
  double launch_s = 0, slowest_launch_s = 0;
};

}  // namespace gpuseq
