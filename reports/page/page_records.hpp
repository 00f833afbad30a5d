#pragma once

#include <string>

#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// The records as data for the page's scripts. First what the table of records shows and filters by, one
/// array a column, which the page reads as it opens.
std::string record_columns_html(const ReportData& data);

/// Then the rest of each record (samples, provenance, counters ...), packed in script elements of
/// kRecordsPerChunk records, each read when the first of its records is opened.
std::string record_details_html(const ReportData& data);

inline constexpr std::size_t kRecordsPerChunk = 256;

}  // namespace gpuseq::reports
