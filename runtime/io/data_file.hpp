#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq {

/// The file of the data entry that an axis of the problem names.
/// @param words  what the axis may say instead, for the message
/// @throws UsageError for a name that is no data entry
const std::filesystem::path& data_file(const ProblemSpec& spec, const std::string& axis,
                                       std::string_view words);

/// The files that are one with a file and lie beside it under other extensions: a .psq volume of a BLAST
/// database has its places in a .pin and its names in a .phr file. Empty for any other file.
std::vector<std::filesystem::path> companions_of(const std::filesystem::path& file);

}  // namespace gpuseq
