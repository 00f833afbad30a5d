#pragma once

#include <ostream>

#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// Writes the records as data for the page's scripts. First what the table of records shows and filters by,
/// one array a column, which the page reads as it opens.
void write_record_columns(std::ostream& out, const ReportData& data);

/// Then the rest of each record (samples, provenance, counters ...), packed in script elements of
/// kRecordsPerChunk records, each read when the first of its records is opened.
void write_record_details(std::ostream& out, const ReportData& data);

inline constexpr std::size_t kRecordsPerChunk = 256;

}  // namespace gpuseq::reports
