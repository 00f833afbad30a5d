#pragma once

#include <string_view>

namespace gpuseq::results {

/// record.schema.json: the JSON Schema (draft 7) of one line of a journal.
std::string_view record_schema();

}  // namespace gpuseq::results
