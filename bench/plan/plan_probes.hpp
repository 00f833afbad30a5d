#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "bench/config/selection.hpp"
#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The states of one probe as its part of a config asks for them: axes given for every device, and under
/// "cpu" and "cuda" one or several sub-spaces for that kind, which take precedence.
/// @throws UsageError as plan()
std::vector<State> plan_probe(const Family& probe, const nlohmann::json& given, const Place& place,
                              std::span<const DeviceInfo> devices, bool with_cuda);

}  // namespace gpuseq::bench
