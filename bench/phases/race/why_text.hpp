#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// Of an element of run.json's `tuned`, a paragraph for people: who is best of what, how fast, what binds it
/// and what it holds, how it was told apart from whom, and whom it ties with.
std::string why_text(const nlohmann::ordered_json& winner);

}  // namespace gpuseq::bench
