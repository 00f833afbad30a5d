#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gpuseq::bench {

/// A paragraph for people about an element of run.json's `tuned`: the best, its rate, its binding resource
/// and its memory footprint, how the race distinguished it from others, and the candidates tied with it.
std::string why_text(const nlohmann::ordered_json& winner);

}  // namespace gpuseq::bench
