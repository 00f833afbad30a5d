#pragma once

#include "results/json_parser.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// The record's provenance is its id: Provenances::resolve() puts what it stands for in its place.
/// @param pool  where given, facts that it has already are shared
/// @throws UsageError naming the JSON pointer when a field is missing or of the wrong type, or the schema
/// version is not this program's.
Record read_record(const JsonElement& json, JsonPool* pool = nullptr);

}  // namespace gpuseq::results
