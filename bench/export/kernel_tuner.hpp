#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/record.hpp"

/// Kernel Tuner's formats (van Werkhoven 2019): what was measured of a space, so that its own strategies run
/// on it without a GPU, and other tuners compare themselves.
namespace gpuseq::bench {

/// One problem of a family on one device, with all of its variants as one space: the variant is a parameter,
/// and a parameter that a variant lacks is -1 or, among words, "none". All states of it do the same work, so
/// that the objective is the time.
struct MeasuredSpace {
  std::string name;  // of its files: "fm_index-cpu", with a number behind from the second problem on
  std::string family, device, problem;
  std::vector<std::string> parameters;
  std::vector<const results::Record*> records;  // the first of each state in the sweep
};

/// The spaces of the sweep of runs; other programs and probes are in none.
std::vector<MeasuredSpace> measured_spaces(std::span<const results::Record> records);

/// Its cache file, of format 1.1.0. The space holds the points that `cache` has and no other: give it a
/// restriction that says so.
nlohmann::ordered_json kernel_tuner_cache(const MeasuredSpace& space);

/// Its results in the T4 format, version 1.0.0.
nlohmann::ordered_json t4_results(const MeasuredSpace& space);

/// Writes <name>.cache.json and <name>.t4.json of all spaces. @returns the files
/// @throws UsageError if the folder cannot be made; ResourceError if it cannot be written
std::vector<std::filesystem::path> export_spaces(std::span<const results::Record> records,
                                                 const std::filesystem::path& folder);

}  // namespace gpuseq::bench
