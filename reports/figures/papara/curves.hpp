#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/figures/papara/points.hpp"

/// What tables 1 and 2 share: rates over one size of the problem, beside the paper's.
namespace gpuseq::reports::papara {

/// How the cells of published rates were found out, for captions.
inline constexpr const char* kCounted =
    "Ours and the paper's GPU count the cells of the band, m (n - m + 1) an alignment, its Seq and SSE(4) "
    "all m n "
    "(as its seconds times its GCUPS show): 25 % more at 500 sites, 2 % at 5000. Speed-ups, in tooltips and "
    "in the "
    "table, are of the time for the same alignments.";

struct Sweep {
  double Shape::*size;  // along x
  chart::Quantity x;
  std::function<std::string(const Shape&)> rest;  // the other sizes, which records of a panel have in common
  const char* need;                               // said where no panel has two sizes
};

Drawing rates_over(const Sweep& sweep, const Figure& figure, const ReportData& data,
                   const Published& published);

}  // namespace gpuseq::reports::papara
