#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reports/figure_tools.hpp"

/// A panel for each problem with a row for each variant, the fastest record of each: what both figures are.
namespace gpuseq::reports::pairwise_distance {

/// Instances and attributes of a record's problem; nothing where the facts of an old record lack them.
std::optional<std::pair<double, double>> shape_of(const Entry& entry);

/// "bit_planes, AVX-512, 1 thread": the variant, and on a CPU its vectors and threads.
std::string row_of(const Entry& entry);

/// What a row shows of its record.
struct Shown {
  chart::Quantity quantity;
  std::string label_unit;  // behind the value beside a mark
  Rate (*value)(const Entry& entry) = nullptr;
  std::string (*detail)(const Entry& entry) = nullptr;  // behind the label
};

Drawing by_variant(const Shown& shown, const Figure& figure, const ReportData& data,
                   const Published& published);

}  // namespace gpuseq::reports::pairwise_distance
