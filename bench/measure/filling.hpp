#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether the problem of a kernel's ok record fills its device: by its rate over size where the run found
/// the size; of a GPU else by the threads that the launch has and the device can have resident, and by the
/// launch's time. nullopt of anything but kernels.
/// @param on_the_way  the run's records of phase "size"
/// @param device  its description
/// @param ended_by  why the problem did not grow any more; may be empty
std::optional<results::Filling> filling_of(const results::Record& record,
                                           std::span<const results::Record> on_the_way,
                                           const nlohmann::json& device, const std::string& ended_by);

}  // namespace gpuseq::bench
