#pragma once

#include <string>

#include "reports/published.hpp"
#include "reports/report_data.hpp"

/// The tables of the page, as HTML; empty where there is nothing to tell.
namespace gpuseq::reports::page_tables {

std::string machines(const ReportData& data);
std::string winners(const ReportData& data);
std::string knees(const ReportData& data);
std::string failures(const ReportData& data);
std::string records(const ReportData& data);
std::string published(const Published& published);
std::string provenance(const ReportData& data);

}  // namespace gpuseq::reports::page_tables
