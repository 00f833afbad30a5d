#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace gpuseq::bench {

/// Name of a profile's file in the folder of its run.
inline constexpr const char* kProfileFile = "machine.json";

/// Reads a machine.json and checks it against configs/machine.schema.json.
/// @param path  the file, or a folder that contains it
/// @throws UsageError naming the file and the JSON pointer
nlohmann::ordered_json read_profile(const std::filesystem::path& path);

}  // namespace gpuseq::bench
