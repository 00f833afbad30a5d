#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "bench/config/config.hpp"
#include "runtime/contract/point.hpp"
#include "runtime/system/scratch_folder.hpp"

namespace gpuseq::bench {

/// Whether an axis of a problem is this name, of a data entry.
bool is_named(const Point& problem, const std::string& name);

/// Files of the data entries. Of archives only what the problem names is unpacked.
/// @param scratch  takes what is unpacked where nothing is cached; is made when it is needed
std::map<std::string, std::filesystem::path> files_for(const Point& problem, const SuiteConfig& config,
                                                       std::unique_ptr<ScratchFolder>& scratch);

}  // namespace gpuseq::bench
