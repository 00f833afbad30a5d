#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// Conditions for which a device's profile is valid: while they are unchanged, probes measure the same on the
/// same hardware. For a GPU its UUID, driver, compiler of kernels, highest clocks, power limit, ECC and MIG
/// with the size of its slice. For a CPU its model, cores, threads, caches, highest clock, huge page settings
/// of the kernel, and its machine. For both the probes (probe_version()).
struct ProfileKey {
  nlohmann::json fields;

  /// 16 hexadecimal digits: the profile's folder.
  std::string hash() const;
  friend bool operator==(const ProfileKey&, const ProfileKey&) = default;
};

/// Identity of this machine, hashed with its purpose, so that no identifier of other programs is revealed. A
/// virtual machine has a new identity after every start, as it may then be on another host. Any other machine
/// keeps the id of its installation. If neither is available, it is the host name.
std::string machine_identity(bool is_virtual, const std::filesystem::path& root = "/");

/// @param description  of the device in its current state
ProfileKey profile_key(const nlohmann::json& description);

/// If a record's provenance shows another device than that of a key, the device and the difference: "AMD EPYC
/// with threads 8". Empty otherwise.
std::string other_device(const ProfileKey& key, const results::Record& record);

/// Whether a record's provenance matches the device of a key, as far as it is known. Some records do not, if
/// a run continued on another machine or with other settings.
bool is_of(const ProfileKey& key, const results::Record& record);

}  // namespace gpuseq::bench
