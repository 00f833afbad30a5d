#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Whether the problem of a kernel's ok record fills its device. If the run searched for the size, it is
/// judged by the rate over size. Otherwise, for a GPU, by the launch's time and its threads compared with the
/// resident threads of the device. nullopt for records that are not of kernels.
/// @param on_the_way  the run's records of phase "size"
/// @param device  description of the device
/// @param ended_by  why the search for the size ended; may be empty
std::optional<results::Filling> filling_of(const results::Record& record,
                                           std::span<const results::Record> on_the_way,
                                           const nlohmann::json& device, const std::string& ended_by);

}  // namespace gpuseq::bench
