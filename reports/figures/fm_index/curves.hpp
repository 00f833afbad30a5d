#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/figures/fm_index/points.hpp"

/// What the figures of rates as lines share.
namespace gpuseq::reports::fm_index {

/// (series, x) -> the fastest record there.
using Fastest = std::map<std::pair<std::string, double>, const Entry*>;

/// A chart of rates out of prepared curves, or what was needed and is not there.
Drawing rate_lines(const Figure& figure, const ReportData& data, const Published& published, FmCurves curves,
                   chart::Quantity x, const char* series_title, std::vector<std::string> notes,
                   const char* need);

/// "NVIDIA H200: queries of 100 bases, 50 % occur", "NVIDIA H200: 31-mers of reads of 1000 bases": what is
/// searched for where, in whatever order.
std::string queries_title(const Entry& entry);

/// Records by device, kind of query, prefix table and, but for generated BWTs, reference: what is compared
/// over reference sizes.
std::map<std::string, std::vector<const Entry*>> by_device_and_queries(const ReportData& data);

/// The curves of panels by their titles.
using FastestByPanel = std::map<std::string, Fastest>;

/// Keeps the layouts that come closest to the best at some size of some panel, as many as the legend of the
/// figure tells apart.
void keep_leaders(FastestByPanel& panels);

chart::Quantity reference_axis();

}  // namespace gpuseq::reports::fm_index
