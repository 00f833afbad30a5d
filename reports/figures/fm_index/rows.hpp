#pragma once

#include <string>

#include "reports/figures/fm_index/points.hpp"

/// What the figures of a row per variant share.
namespace gpuseq::reports::fm_index {

/// The rate of a record, with its layout behind it; hollow for another program.
chart::RowMark rate_mark(const ReportData& data, std::string row, const Entry& entry);

}  // namespace gpuseq::reports::fm_index
