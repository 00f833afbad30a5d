#pragma once

#include "reports/figure.hpp"

namespace gpuseq::reports::base_counts {

Figure rates();

}  // namespace gpuseq::reports::base_counts
