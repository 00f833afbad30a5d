#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/figures/fm_index/points.hpp"

/// What the figures of rates as lines share.
namespace gpuseq::reports::fm_index {

inline constexpr std::size_t kMostSeries = 8;

/// (series, x) -> the fastest record there.
using Fastest = std::map<std::pair<std::string, double>, const Entry*>;

/// A chart of rates out of prepared curves, or what was needed and is not there.
Drawing rate_lines(const Figure& figure, const ReportData& data, const Published& published, FmCurves curves,
                   chart::Quantity x, const char* series_title, std::vector<std::string> notes,
                   const char* need);

/// Records by device, kind of query and prefix table: what is compared over reference sizes.
std::map<std::string, std::vector<const Entry*>> by_device_and_queries(const ReportData& data);

/// Keeps the layouts that come closest to the best at some size, so that a figure of many stays readable.
void keep_leaders(Fastest& fastest);

chart::Quantity reference_axis();

}  // namespace gpuseq::reports::fm_index
