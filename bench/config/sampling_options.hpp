#pragma once

namespace gpuseq::bench {

struct SamplingOptions {
  int min_samples = 5;
  int max_samples = 50;
  double max_seconds = 1.0;         // of wall time
  double min_seconds = 0;           // of sampled time, before anything but the time limit stops it
  double relative_interval = 0.02;  // of the median
  int warmup = 1;
  bool cold_cache = false;
};

}  // namespace gpuseq::bench
