#pragma once

#include "reports/figure.hpp"

/// The drawings that fm_index_figures() lists. Figure and table numbers are those of the paper.
namespace gpuseq::reports::fm_index {

// fm_index_memory.cpp: what does not need a search.
Drawing footprint(const Figure& figure, const ReportData& data, const Published& published);
Drawing random_access(const Figure& figure, const ReportData& data, const Published& published);
Drawing devices(const Figure& figure, const ReportData& data, const Published& published);

// fm_index_rates.cpp: rates as lines.
Drawing threads(const Figure& figure, const ReportData& data, const Published& published);
Drawing schemes(const Figure& figure, const ReportData& data, const Published& published);
Drawing reference_size(const Figure& figure, const ReportData& data, const Published& published);
Drawing layouts(const Figure& figure, const ReportData& data, const Published& published);

// fm_index_rows.cpp: a row per variant or scheme.
Drawing best(const Figure& figure, const ReportData& data, const Published& published);
Drawing instructions(const Figure& figure, const ReportData& data, const Published& published);
Drawing ceilings(const Figure& figure, const ReportData& data, const Published& published);

}  // namespace gpuseq::reports::fm_index
