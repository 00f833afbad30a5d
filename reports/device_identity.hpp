#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpuseq::reports {

struct Entry;
struct Run;

/// Whether two boards of one model, memory, driver and limits are two devices.
enum class Boards { apart, by_model };

/// What a device is, apart from what changes while it runs: name, UUID, memory, caches, ECC, MIG, power
/// limit, driver, toolkit; as 16 hexadecimal digits. The same device in two runs has one fingerprint; after a
/// change of its driver it is another device. Boards by model have no UUID.
std::string device_fingerprint(const Run& run, const Entry& entry, Boards boards = Boards::apart);

/// Gives entries their fingerprint and name. Devices of one name are told apart by what differs, the driver
/// first: "NVIDIA H200 (driver 580.65)", "NVIDIA H200 (cuda:1)", "AMD EPYC (run b)".
/// @returns names by run and device id
std::map<std::pair<std::size_t, std::string>, std::string> identify_devices(const std::vector<Run>& runs,
                                                                            std::vector<Entry>& entries,
                                                                            Boards boards = Boards::apart);

}  // namespace gpuseq::reports
