#pragma once

namespace gpuseq::bench {

struct SamplingOptions {
  int min_samples = 6;
  int max_samples = 50;
  double max_seconds = 1.0;            // of wall time, once there are six samples
  double six_samples_seconds = 30;     // of wall time, for those; slower launches have fewer
  double short_launch_seconds = 1e-4;  // launches shorter than this are timed in batches; 0: none is
  double min_seconds = 0;              // of sampled time, before anything but the time limit stops it
  double relative_interval = 0.02;     // of the median
  int warmup = 1;
  bool cold_cache = false;
  int fewest_samples = 6;  // before max_seconds may stop it; a pass over probes has fewer, see sampling_of()
  int probe_passes = 3;    // over the points of probes on a CPU
};

}  // namespace gpuseq::bench
