#pragma once

#include <string>

#include "reports/page/page_figures.hpp"
#include "reports/report_data.hpp"

/// What the page says of machines and runs, as HTML; empty where nothing is known.
namespace gpuseq::reports::machine_cards {

/// A card a device: what decides its speed, its curve with its levels, the rest closed. Runs on one device
/// share its card.
std::string machines(const ReportData& data, PlotWriter& plots);

/// A card a run: program, host, dates, configuration.
std::string provenance(const ReportData& data);

}  // namespace gpuseq::reports::machine_cards
