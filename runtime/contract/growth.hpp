#pragma once

#include <cstdint>
#include <string>

namespace gpuseq {

/// Growth of a family's problems if a config leaves their size to the program ("auto").
struct Growth {
  std::string axis;       // axis of the problem space whose values are sizes
  std::string noun;       // unit of the sizes: "reads"
  std::int64_t from = 1;  // too small to fill a CPU
  std::int64_t to = 1;    // the largest supported size
  std::int64_t step = 1;  // sizes are multiples of it
  int power = 1;          // work is proportional to this power of the size
};

}  // namespace gpuseq
