#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/figure_tools.hpp"

/// Random-access curves, drawn by the probe figures and by the FM-index figures that the paper draws them in.
namespace gpuseq::reports {

/// What the curves of one panel have in common.
struct CurveKey {
  std::string device_name = {};
  std::string access = {};   // "independent", "dependent"; empty: any
  std::string threads = {};  // "1", "all"; empty on a GPU: any
  friend auto operator<=>(const CurveKey&, const CurveKey&) = default;
};

struct BandwidthPanel {
  CurveKey key = {};
  std::string title = {};
  /// block bytes -> footprint bytes -> the fastest record
  std::map<double, std::map<double, const Entry*>> curves = {};
};

/// Bytes per second of a probe's record, whether its work counts bytes or blocks.
Rate bandwidth_of(const Entry& entry);

/// Random-access records by device, kind of access and threads; the fastest at each footprint and block. Of a
/// device with curves over footprint, those alone.
std::vector<BandwidthPanel> bandwidth_panels(const ReportData& data);

struct BandwidthChart {
  chart::LineChart lines = {};  // heading left to the figure
  std::vector<const Entry*> used = {};
  std::vector<std::vector<const Entry*>> shown = {};  // by panel
};

/// Bandwidth over footprint, a line per block size, a panel per key.
BandwidthChart bandwidth_chart(const ReportData& data);

/// Knees of the curves that `shown` entries belong to, as bands; knees of several curves at one place become
/// one band with their mean ends.
std::vector<chart::Band> knee_bands(const ReportData& data, std::string_view probe,
                                    const std::vector<const Entry*>& shown);

}  // namespace gpuseq::reports
