#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/headlines.hpp"
#include "reports/page/exec_use.hpp"
#include "reports/report_data.hpp"

namespace gpuseq::reports {

/// An entry of a run's `tuned`, with its device's name and a record of its state.
struct Winner {
  Reached reached = {};
  std::size_t run = 0;
  const Entry* entry = nullptr;  // of the last phase that measured it; null where no record is left
};

/// Of all runs, in their order. They point into `data`.
std::vector<Winner> winners_of(const ReportData& data);

/// A line for a shell that runs a winner on files of one's own: the files stand in capitals, REFERENCE and
/// ANSWERS. Empty where `exec` does not take the family or the variant.
std::string exec_line(const Winner& winner, const ExecUses& uses);

/// A line for a shell that measures a winner's state again, that state alone. Empty without a record of it,
/// or where the run does not say which config it had.
std::string measure_line(const Winner& winner, const ReportData& data);

/// Text as one word of a shell: in single quotes where it needs them.
std::string shell_word(const std::string& text);

/// Text as an expression in RE2's syntax that matches it and nothing else.
std::string literal_expression(const std::string& text);

/// The page's winners by family, each with its lines and its JSON; empty where there are none.
std::string winners_html(const ReportData& data, const ExecUses& uses);

}  // namespace gpuseq::reports
