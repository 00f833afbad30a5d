#pragma once

#include <string>

#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// What the runs found in sentences, with what a reader must know beside them.
std::string headlines_html(const ReportData& data);

}  // namespace gpuseq::reports
