#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

/// Records and summaries of schemas before this program's.
namespace gpuseq::results {

/// Whether a journal has a record of an older schema.
/// @throws UsageError if it cannot be read
bool has_old_records(const std::filesystem::path& journal);

/// The lines of a journal whose records are all of older schemas, as a journal of today's schema. Samples,
/// points and the hashes of problems stay as they are.
/// @throws UsageError with file and line for what is no such record
std::string migrated_records(const std::filesystem::path& journal);

/// A run.json, machine.json or another summary with the names that this program gives its fields.
nlohmann::ordered_json migrated_summary(const nlohmann::ordered_json& old);

}  // namespace gpuseq::results
