#include "bench/profile/store/fill_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/profile/store/profile_store.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "bench/profile/store/spot_check.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::ordered_json;
using results::Record;

/// Passes with fewer samples are not precise enough to keep.
constexpr std::size_t kFewestSamplesOfPass = 3;

/// One in this many points of a run may differ from the profile, as disturbed.
constexpr std::size_t kFewAreDisturbed = 10;

bool may_be_kept(const Record& record) {
  return record.kind == "probe" && record.status == results::Status::ok && record.statistics &&
         record.samples_s.size() >= kFewestSamplesOfPass && record.work.amount > 0;
}

/// The states of a passed spot check, whose records only repeat the profile.
std::set<std::string> found_again(const ordered_json& of) {
  if (!of.is_object() || of.at("stands") != "profile") return {};
  const auto states = of.at("check").get<std::vector<std::string>>();
  return {states.begin(), states.end()};
}

ProfileStore::How how_to_add(const ProfileStore& store, const ProfileKey& key, const std::string& device,
                             const ordered_json& of, std::span<const Record> records, int repetitions) {
  if (of.is_object() && of.at("stands") == "profile") return ProfileStore::How::join;
  std::string remark;
  const std::optional<KeptProfile> profile = store.find(key, device, remark);
  if (!profile) return ProfileStore::How::renew;
  if (of.is_object() && of.contains("spot_check")) return ProfileStore::How::renew;
  const SpotCheck check = compare_points(profile->records, records, repetitions);
  const auto differ =
      static_cast<std::size_t>(std::ranges::count(check.points, false, &CheckedPoint::agrees));
  return kFewAreDisturbed * differ > check.points.size() ? ProfileStore::How::renew : ProfileStore::How::join;
}

}  // namespace

std::vector<std::string> fill_profiles(const std::filesystem::path& dir, const SuiteConfig& config,
                                       std::span<const DeviceInfo> devices, std::span<const Record> records,
                                       int repetitions, bool renew) {
  std::vector<std::string> remarks;
  if (config.cache_dir.empty() || config.sampling.cold_cache) return remarks;
  const ProfileStore store(config.cache_dir);
  const ordered_json profiles = profiles_of_run(dir);
  for (const DeviceInfo& device : devices) {
    const ordered_json of = profiles.value(device.id, ordered_json());
    if (of.is_object() && of.at("stands").is_null()) continue;  // the run ended before the decision
    const std::set<std::string> again = found_again(of);
    std::vector<Record> own;
    std::ranges::copy_if(records, std::back_inserter(own), [&](const Record& record) {
      return record.state.device == device.id && may_be_kept(record) &&
             !(record.repetition < kMostChecks * repetitions && again.contains(record.state.to_string()));
    });
    if (own.empty()) continue;
    const nlohmann::json description = open_device(device.id)->describe();
    const ProfileKey key = profile_key(description);
    std::erase_if(own, [&](const Record& record) { return !is_of(key, record); });
    if (own.empty()) continue;
    const ProfileStore::How how =
        renew ? ProfileStore::How::renew : how_to_add(store, key, device.id, of, own, repetitions);
    if (const std::string reason = store.add(key, description, own, how); !reason.empty())
      remarks.push_back(fmt::format("the machine profile of {} could not be kept: {}", device.id, reason));
  }
  return remarks;
}

}  // namespace gpuseq::bench
