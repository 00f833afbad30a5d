#pragma once

#include "reports/figure.hpp"

namespace gpuseq::reports {

/// A figure with the records that its marks stand for.
struct DrawnFrom {
  const Drawing& drawing;
  const ReportData& data;
};

/// One figure over the same of other runs, in shared axes: marks of `behind` are hollow and stand behind
/// those of `front`. Panels of lines are laid over each other where they are of one kind of device (CPU or
/// GPU) and differ in the device's name alone; rows of both stand in one panel. What only `behind` has is
/// left out, and a note says so. Either of them where the other has nothing to draw, with a note.
Drawing overlaid(const DrawnFrom& front, const DrawnFrom& behind);

}  // namespace gpuseq::reports
