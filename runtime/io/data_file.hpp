#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq {

/// The file of the data entry that an axis of the problem names.
/// @param words  other values of the axis, for the message
/// @throws UsageError if a name is not a data entry
const std::filesystem::path& data_file(const ProblemSpec& spec, const std::string& axis,
                                       std::string_view words);

/// A plain or compressed file with another extension: plain unless only the compressed one (.gz) exists.
std::filesystem::path file_beside(std::filesystem::path file, const char* extension);

/// The files that belong to a file and are in the same folder with other extensions: .pin and .phr files of a
/// .psq volume of a BLAST database, .bim and .fam files of PLINK's .bed. Empty for any other file.
std::vector<std::filesystem::path> companions_of(const std::filesystem::path& file);

}  // namespace gpuseq
