#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/profile/store/profile_key.hpp"

namespace gpuseq::bench {

/// A device's profile as the cache has it: the records of probes that it is made of.
struct KeptProfile {
  std::string made, added;  // UTC: when it was begun or renewed, and when it last got records
  std::vector<results::Record> records;
};

/// The same without the device, whose number changes with what else is in a machine.
std::string point_name(const results::StateKey& key);

/// Profiles in the cache, a folder each, named for its key:
///   records.jsonl  as in a run's folder
///   machine.json   the profile that is made of them, for `machine` and for people
///   profile.json   the whole key, the dates, and a checksum of records.jsonl; written last
/// They are believed only where no other user can have made or changed them (private_file.hpp). Programs that
/// run at once wait for each other.
class ProfileStore {
 public:
  /// @param cache  of the program; empty: nothing is kept
  explicit ProfileStore(const std::filesystem::path& cache);

  std::filesystem::path folder_of(const ProfileKey& key) const;

  /// @param device  what its records are to call the device
  /// @param remark  is set to why a profile that is there cannot be used; one that is damaged is thrown away
  std::optional<KeptProfile> find(const ProfileKey& key, const std::string& device,
                                  std::string& remark) const;

  enum class How { join, renew };
  /// Adds records of probes to a profile, which is made if need be. Of a point the fastest few passes are
  /// kept.
  /// @param how  renew: what the profile had is thrown away
  /// @param description  of the device, for machine.json
  /// @returns why it could not be kept; empty: it is
  std::string add(const ProfileKey& key, const nlohmann::json& description,
                  std::span<const results::Record> records, How how) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gpuseq::bench
