#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

/// Converts records and summaries of older schemas.
namespace gpuseq::results {

/// Whether a journal has a record of an older schema.
/// @throws UsageError if it cannot be read
bool has_old_records(const std::filesystem::path& journal);

/// Converts a journal whose records all have older schemas to the current schema. Samples, points and the
/// hashes of problems are unchanged.
/// @throws UsageError with file and line for a line that is not such a record
std::string migrated_records(const std::filesystem::path& journal);

/// A run.json, machine.json or another summary with the current names of fields.
nlohmann::ordered_json migrated_summary(const nlohmann::ordered_json& old);

}  // namespace gpuseq::results
