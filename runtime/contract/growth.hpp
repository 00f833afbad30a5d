#pragma once

#include <cstdint>
#include <string>

namespace gpuseq {

/// How the problems of a family grow, where a config leaves their size to the program ("auto").
struct Growth {
  std::string axis;       // of the problem space; its values are sizes
  std::string noun;       // what they count: "reads"
  std::int64_t from = 1;  // hardly fills a CPU
  std::int64_t to = 1;    // what the family can do at most
  std::int64_t step = 1;  // sizes are multiples of it
  int power = 1;          // work grows with this power of the size
};

}  // namespace gpuseq
