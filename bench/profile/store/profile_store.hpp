#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/profile/store/profile_key.hpp"

namespace gpuseq::bench {

/// A device's profile in the cache, as records of probes.
struct KeptProfile {
  std::string made, added;  // UTC: times of its creation or renewal, and of the last added records
  std::vector<results::Record> records;
};

/// A state's key without the device, whose number depends on the other devices in a machine.
std::string point_name(const results::StateKey& key);

/// Profiles in the cache, each in a folder named by its key:
///   records.jsonl  as in a run's folder
///   machine.json   the profile made of them, for `machine` and for users
///   profile.json   the whole key, the dates, and a checksum of records.jsonl; written last
/// They are used only if no other user can have created or changed them (private_file.hpp). Programs that run
/// at the same time wait for each other.
class ProfileStore {
 public:
  /// @param cache  of the program; empty: no profile is kept
  explicit ProfileStore(const std::filesystem::path& cache);

  std::filesystem::path folder_of(const ProfileKey& key) const;

  /// @param device  name of the device in the returned records
  /// @param remark  set to why an existing profile cannot be used; a damaged one is deleted
  std::optional<KeptProfile> find(const ProfileKey& key, const std::string& device,
                                  std::string& remark) const;

  enum class How { join, renew };
  /// Adds records of probes to a profile, which is created if needed. Only the fastest few passes of a point
  /// are kept.
  /// @param how  renew: drop the old records of the profile
  /// @param description  of the device, for machine.json
  /// @returns why the profile could not be kept; empty on success
  std::string add(const ProfileKey& key, const nlohmann::json& description,
                  std::span<const results::Record> records, How how) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gpuseq::bench
