#pragma once

#include <map>
#include <optional>
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

/// The curves of random accesses that say most of a device: those of independent accesses and all threads,
/// where it has them. nullopt where it has none.
std::optional<BandwidthPanel> main_panel(const ReportData& data, const std::string& device_name);

/// The blocks that one access usually fetches: 64 B on a CPU, 32 and 128 B on a GPU, or what was probed
/// nearest to them.
std::vector<double> usual_blocks(const BandwidthPanel& panel);

}  // namespace gpuseq::reports
