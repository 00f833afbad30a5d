#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/figures/profile_hmm/points.hpp"

/// Curves over the length of the model, which all figures but table 2 are.
namespace gpuseq::reports::profile_hmm {

/// Something of a record that a panel shows. Published values say by `name` which they are of.
struct Measure {
  std::string name;
  chart::Quantity y;
  std::function<std::optional<Rate>(const ReportData&, const Entry&)> value;
};
Measure gcups();
Measure registers();
Measure occupancy();
Measure l1_hit_rate();
Measure read_only_hit_rate();  // of a model's costs, which global loads bring
Measure l2_hit_rate();

/// The line that a record belongs to.
struct Line {
  std::string series, dash = {};
};

struct Curves {
  std::vector<std::string> filters;                            // a panel each, and measure, and place
  std::function<std::optional<Line>(const Entry&)> line = {};  // none: not of this figure
  std::vector<Measure> measures = {};                          // of the fastest record of a line
  std::string series_title = {}, dash_title = {};
  std::vector<std::string> series = {};         // in the order of the legend
  std::size_t least_series = 1;                 // what a panel compares
  std::string base = {};                        // series that others are compared with, length by length
  const char* need = "";                        // said where there is nothing to draw
  Contestants contestants = Contestants::ours;  // with peers: those that time the filter alone
};

/// Published values of the figure stand in panels of the same filter and measure. `at` of a value: filter
/// (else any), model_length, measure (else gcups), series (else "published"), and `on`, which panels it is
/// for: "gpu", "1 thread" or "threads" of a CPU; and `unless`, the peer that takes its place where the run
/// measured it. Guides have no model_length.
Drawing over_model_length(const Curves& curves, const Figure& figure, const ReportData& data,
                          const Published& published);

}  // namespace gpuseq::reports::profile_hmm
