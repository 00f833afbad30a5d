#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

/// Kernel Tuner's formats (van Werkhoven 2019): exports the results of a space, so that Kernel Tuner's
/// strategies run on them without a GPU, and other tuners can be compared with them.
namespace gpuseq::bench {

/// One problem of a family on one device, with all of its variants as one space: the variant is a parameter,
/// and a parameter that a variant lacks is -1 or, among words, "none". All states do the same work, so that
/// the objective is the time.
struct MeasuredSpace {
  std::string name;  // base name of its files: "fm_index-cpu", with a number from the second problem on
  std::string family, device, problem;
  std::vector<std::string> parameters;
  std::vector<const results::Record*> records;  // the first of each state in the sweep
};

/// The spaces of the runs' sweep, without external tools and probes.
std::vector<MeasuredSpace> measured_spaces(std::span<const results::Record> records);

/// The space's cache file, in format 1.1.0. The space has only the points in `cache`: give it a restriction
/// to these.
nlohmann::ordered_json kernel_tuner_cache(const MeasuredSpace& space);

/// The space's results in the T4 format, version 1.0.0.
nlohmann::ordered_json t4_results(const MeasuredSpace& space);

/// Writes <name>.cache.json and <name>.t4.json of all spaces. @returns the files
/// @throws UsageError if the folder cannot be created; ResourceError if it cannot be written
std::vector<std::filesystem::path> export_spaces(std::span<const results::Record> records,
                                                 const std::filesystem::path& folder);

}  // namespace gpuseq::bench
