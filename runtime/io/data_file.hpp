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

/// A file, plain or packed, under another extension: plain unless only the packed one (.gz) is there.
std::filesystem::path file_beside(std::filesystem::path file, const char* extension);

/// The files that are one with a file and lie next to it under other extensions: .pin and .phr files of a
/// .psq volume of a BLAST database, .bim and .fam files of PLINK's .bed. Empty for any other file.
std::vector<std::filesystem::path> companions_of(const std::filesystem::path& file);

}  // namespace gpuseq
