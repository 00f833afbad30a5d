#include "bench/profile/store/profile_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <iterator>
#include <map>

#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "results/journal.hpp"
#include "results/reading/provenances.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/private_file.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
using results::Record;

constexpr int kSchema = 2;
constexpr std::size_t kMostPasses = 6, kFastestPasses = 3;  // per point
constexpr const char* kAbout = "profile.json";

/// Locks a profile's folder with flock() during its lifetime; has no effect if the file system has no locks.
class FolderLock {
 public:
  FolderLock(const fs::path& folder, int operation)
      : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    while (file_ && flock(file_.get(), operation) != 0 && errno == EINTR) {
    }
  }

 private:
  FileDescriptor file_;
};

/// @param why_not  set for an intact profile that cannot be used: of another schema, whose program may still
/// use it, or of another machine
/// @throws UsageError, nlohmann::json::exception if the files do not belong together
std::optional<KeptProfile> whole_profile(const ProfileKey& key, const std::string& about,
                                         const std::string& records, std::string& why_not) {
  const json said = parse_json(about, kAbout, Texts::printable);
  if (said.at("schema").get<int>() != kSchema) {
    why_not = "is of another version of this program";
    return std::nullopt;
  }
  if (said.at("records_hash").get<std::string>() != hash_hex16(records))
    throw UsageError("records.jsonl does not match profile.json");
  require_utc_dates(said, {"made", "added"}, kAbout);
  const auto of_another = [&](const std::string& machine) {
    why_not = fmt::format("is of another machine, {}; it is ignored", machine);
    return std::nullopt;
  };
  const json& fields = said.at("key");
  if (fields != key.fields)
    return of_another(fmt::format("{} ({})", hash_json(fields), text_of(fields, "name")));
  KeptProfile profile{.made = said.at("made").get<std::string>(),
                      .added = said.at("added").get<std::string>(),
                      .records = results::records_of_lines(records)};
  for (const Record& record : profile.records)
    if (const std::string other = other_device(key, record); !other.empty()) return of_another(other);
  return profile;
}

void throw_away(const fs::path& folder) {
  std::error_code ignored;
  for (const char* file : {kAbout, results::kRecordsFile, kProfileFile}) fs::remove(folder / file, ignored);
}

/// @param remark  set as by ProfileStore::find()
std::optional<KeptProfile> read_kept(const fs::path& folder, const ProfileKey& key, std::string& remark) {
  const std::optional<std::string> about = read_private_file(folder / kAbout, remark);
  if (!remark.empty()) return std::nullopt;
  const std::optional<std::string> records = read_private_file(folder / results::kRecordsFile, remark);
  if (!remark.empty() || (!about && !records)) return std::nullopt;
  const auto damaged = [&](const std::string& what) -> std::optional<KeptProfile> {
    throw_away(folder);
    remark = fmt::format("the machine profile in {} was damaged and is deleted: {}", folder.string(), what);
    return std::nullopt;
  };
  if (!about || !records) return damaged(fmt::format("it has no {}", about ? results::kRecordsFile : kAbout));
  try {
    std::string why_not;
    std::optional<KeptProfile> profile = whole_profile(key, *about, *records, why_not);
    if (!profile) remark = fmt::format("the machine profile in {} {}", folder.string(), why_not);
    return profile;
  } catch (const UsageError& error) {
    return damaged(error.what());
  } catch (const json::exception& error) {
    return damaged(reason_of(error));
  }
}

double least_time(const Record& record) {
  return record.statistics->min_s / record.work.amount;
}

/// Whether two records are the same, from a run that was finished twice.
bool is_same(const Record& a, const Record& b) {
  return a.date == b.date && a.samples_s == b.samples_s;
}

/// The fastest passes of each point, and the latest of the others, which show the spread of passes. Without
/// duplicates, numbered, points in the order of appearance.
std::vector<Record> fewer_passes(std::vector<Record> records) {
  std::vector<std::vector<Record>> points;
  std::map<std::string, std::size_t> places;
  for (Record& record : records) {
    const auto [place, is_new] = places.emplace(point_name(record.state), points.size());
    if (is_new) points.emplace_back();
    points[place->second].push_back(std::move(record));
  }
  std::vector<Record> kept;
  for (std::vector<Record>& passes : points) {
    std::ranges::stable_sort(passes, {}, least_time);
    passes.erase(std::unique(passes.begin(), passes.end(), is_same), passes.end());
    if (passes.size() > kMostPasses) {
      std::stable_sort(passes.begin() + kFastestPasses, passes.end(),
                       [](const Record& a, const Record& b) { return a.date > b.date; });
      passes.resize(kMostPasses);
    }
    std::ranges::stable_sort(passes, {}, &Record::date);
    for (int i = 0; Record & record : passes) {
      record.repetition = i++;
      kept.push_back(std::move(record));
    }
  }
  return kept;
}

void call_device(std::vector<Record>& records, const std::string& device) {
  for (Record& record : records) record.state.device = device;
}

/// The profile with more records; nullopt if they are older than the profile, or already in it.
std::optional<KeptProfile> together(const std::optional<KeptProfile>& before, std::span<const Record> records,
                                    ProfileStore::How how) {
  KeptProfile profile{
      .made = std::ranges::min(records, {}, &Record::date).date, .added = utc_now(), .records = {}};
  const bool is_dated = before && before->made <= utc_now();  // else a clock was wrong
  const auto is_older = [&](const Record& record) { return is_dated && record.date < before->made; };
  if (before && how == ProfileStore::How::join) {
    profile.made = before->made;
    profile.records = before->records;
  }
  std::ranges::copy_if(records, std::back_inserter(profile.records), std::not_fn(is_older));
  if (profile.records.empty()) return std::nullopt;
  call_device(profile.records, records.front().state.device);
  profile.records = fewer_passes(std::move(profile.records));
  const auto is_known = [&](const Record& record) {
    return std::ranges::any_of(before->records, [&](const Record& old) { return is_same(old, record); });
  };
  if (before && std::ranges::all_of(profile.records, is_known)) return std::nullopt;
  return profile;
}

std::string write(const fs::path& path, std::string_view text) {
  return write_private_file(path, std::array<std::string_view, 1>{text});
}

}  // namespace

std::string point_name(const results::StateKey& key) {
  results::StateKey name = key;
  name.device.clear();
  return name.to_string();
}

ProfileStore::ProfileStore(const fs::path& cache)
    : folder_(cache.empty() ? fs::path() : cache / "profiles") {}

fs::path ProfileStore::folder_of(const ProfileKey& key) const {
  return folder_.empty() ? fs::path() : folder_ / key.hash();
}

std::optional<KeptProfile> ProfileStore::find(const ProfileKey& key, const std::string& device,
                                              std::string& remark) const {
  remark.clear();
  const fs::path folder = folder_of(key);
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return std::nullopt;
  if (remark = why_not_private(folder); !remark.empty()) return std::nullopt;
  const FolderLock lock(folder, LOCK_EX);  // exclusive, as a damaged profile is deleted
  std::optional<KeptProfile> profile = read_kept(folder, key, remark);
  if (profile) call_device(profile->records, device);
  return profile;
}

std::string ProfileStore::add(const ProfileKey& key, const json& description, std::span<const Record> records,
                              How how) const {
  if (folder_.empty()) return "nothing is cached";
  if (records.empty()) return {};
  const fs::path folder = folder_of(key);
  if (std::string reason = make_private_folder(folder); !reason.empty()) return reason;
  const FolderLock lock(folder, LOCK_EX);
  std::string remark;
  const std::optional<KeptProfile> before = read_kept(folder, key, remark);
  const std::string device = records.front().state.device;
  const std::optional<KeptProfile> profile = together(before, records, how);
  if (!profile) return {};
  const ordered_json shown = machine_profile({{"name", "card"},
                                              {"started", profile->made},
                                              {"finished", profile->added},
                                              {"devices", {{device, description}}}},
                                             profile->records);
  const std::string text = results::lines_of(profile->records);
  const ordered_json about{{"schema", kSchema},
                           {"made", profile->made},
                           {"added", profile->added},
                           {"records_hash", hash_hex16(text)},
                           {"key", key.fields}};
  for (const auto& [file, content] :
       {std::pair(results::kRecordsFile, text), std::pair(kProfileFile, shown.dump(2) + "\n"),
        std::pair(kAbout, about.dump(2) + "\n")})
    if (std::string reason = write(folder / file, content); !reason.empty()) return reason;
  return {};
}

}  // namespace gpuseq::bench
