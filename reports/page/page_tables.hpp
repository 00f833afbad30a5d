#pragma once

#include <string>

#include "reports/published.hpp"
#include "reports/report_data.hpp"

/// The tables of the page that need no script, as HTML; empty where there is nothing to tell.
namespace gpuseq::reports::page_tables {

/// States without a number, those of one reason together.
std::string failures(const ReportData& data);
std::string published(const Published& published);

}  // namespace gpuseq::reports::page_tables
