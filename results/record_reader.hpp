#pragma once

#include "results/json_parser.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// @param pool  where given, facts and provenance that it has already are shared
/// @throws UsageError naming the JSON pointer when a field is missing or of the wrong type, or the schema
/// version is newer than this program's.
Record read_record(const JsonElement& json, JsonPool* pool = nullptr);

/// The same without provenance and date, which `json` need not have.
Record read_but_provenance(const JsonElement& json, JsonPool* pool);

}  // namespace gpuseq::results
