#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/contract/family.hpp"

namespace gpuseq {

/// The file of the data entry that an axis of the problem names.
/// @param words  what the axis may say instead, for the message
/// @throws UsageError for a name that is no data entry
const std::filesystem::path& data_file(const ProblemSpec& spec, const std::string& axis,
                                       std::string_view words);

}  // namespace gpuseq
