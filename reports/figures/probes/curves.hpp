#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/figure_tools.hpp"

/// Curves over footprint, or over the size of a copy, which the figures of the probes share.
namespace gpuseq::reports::probes {

/// Of a record whose work is accesses that wait for each other.
Rate seconds_per_access(const Entry& entry);

inline constexpr const char* kKneeNote = "Shaded: where a level of memory ends, with its interval of 95 %.";

/// What a figure draws of each record of a probe.
struct CurveValue {
  chart::Quantity quantity = {};
  std::function<Rate(const Entry&)> of = {};
  bool smaller_is_better = false;
  std::string over = "footprint_bytes";  // the axis that lies across, in bytes
  std::string over_title = "footprint";
  std::vector<std::string> notes = {};
};

/// A panel per device, and a line per name of a curve. A curve is named by its operation and by what differs
/// between the records of its probe; over the other axes it takes the best.
Drawing curves(const Figure& figure, const ReportData& data, std::string_view family, CurveValue value);

}  // namespace gpuseq::reports::probes
