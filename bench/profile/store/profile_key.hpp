#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "results/record.hpp"

namespace gpuseq::bench {

/// What a device's profile holds for: as long as none of it changes, probes measure the same thing on the
/// same hardware. Of a GPU its UUID, driver, compiler of kernels, highest clocks, power limit, ECC and MIG
/// with what a slice of it has; of a CPU its model, cores, threads, caches, highest clock, how the kernel
/// gives huge pages, and which machine it is in. Of both the probes (probe_version()).
struct ProfileKey {
  nlohmann::json fields;

  /// 16 hexadecimal digits: the profile's folder.
  std::string hash() const;
  friend bool operator==(const ProfileKey&, const ProfileKey&) = default;
};

/// Which machine this is, hashed with what it is for, so that nothing that others use is told. A virtual
/// machine is another one after every start, when it may be on another host; any other keeps the id that its
/// system was installed with. Where neither is told, what it calls itself.
std::string machine_identity(bool is_virtual, const std::filesystem::path& root = "/");

/// @param description  of the device, as it describes itself now
ProfileKey profile_key(const nlohmann::json& description);

/// The device of a record and what it differs in, where its provenance tells that it is not the device of a
/// key: "AMD EPYC with threads 8". Empty: nothing tells that.
std::string other_device(const ProfileKey& key, const results::Record& record);

/// Whether a record is of the device that a key is of, as far as its provenance tells: of a run that went on
/// elsewhere, or with other settings, some are not.
bool is_of(const ProfileKey& key, const results::Record& record);

}  // namespace gpuseq::bench
