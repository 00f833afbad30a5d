#pragma once

#include "results/json_parser.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// The record's provenance is its id; Provenances::resolve() replaces it.
/// @param pool  if given, shares equal facts
/// @throws UsageError with the JSON pointer if a field is missing or has the wrong type, or if the schema
/// version is not the program's.
Record read_record(const JsonElement& json, JsonPool* pool = nullptr);

}  // namespace gpuseq::results
