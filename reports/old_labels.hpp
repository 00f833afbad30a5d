#pragma once

#include <string>

#include "results/record.hpp"

namespace gpuseq::reports {

/// What names the problem of a record that was written before records had a label: the words of the five
/// families that there were. New families have none here.
std::string label_of_old_record(const results::Record& record);

}  // namespace gpuseq::reports
