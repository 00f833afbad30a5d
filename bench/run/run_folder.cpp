#include "bench/run/run_folder.hpp"

#include <fmt/format.h>

#include <sstream>

#include "bench/config/config_file.hpp"
#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/profile/machine_profile.hpp"
#include "bench/profile/profile_file.hpp"
#include "bench/profile/store/run_profiles.hpp"
#include "results/line_file.hpp"
#include "results/reading/migration.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/text/printable.hpp"
#include "runtime/time/utc_date.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Room for the journal of a large run, its report and its plots.
constexpr std::uintmax_t kNeededBytes = std::uintmax_t{16} << 20;

void make_folder(const fs::path& dir) {
  std::error_code error;
  fs::create_directories(dir, error);
  if (error)
    throw UsageError(fmt::format("the output folder {} cannot be made: {}", dir.string(), error.message()));
}

void require_writable(const fs::path& dir) {
  std::error_code error;
  const fs::path probe = dir / ".writable";
  try {
    write_file_atomically(probe, std::string(4096, '\n'));
  } catch (const ResourceError& failure) {
    throw UsageError(fmt::format("the output folder {} cannot be written: {}", dir.string(), failure.what()));
  }
  fs::remove(probe, error);
  const fs::space_info space = fs::space(dir, error);
  if (!error && space.available < kNeededBytes)
    throw ResourceError(fmt::format("the disk of the output folder {} has {} bytes left; a run needs {}",
                                    dir.string(), space.available, kNeededBytes));
}

nlohmann::ordered_json device_json(const DeviceInfo& device) {
  return {{"id", device.id},
          {"kind", device.kind == DeviceKind::cpu ? "cpu" : "cuda"},
          {"free_bytes", device.free_bytes},
          {"l2_bytes", device.l2_bytes}};
}

/// Numbers of these members of run.json are counts. @throws UsageError for another, with its pointer
void require_counts(const json& summary, const std::string& name) {
  for (const char* const member : {"schema", "invocation", "data"}) {
    const json values = summary.value(member, json()).flatten();  // by pointer
    for (const auto& [pointer, value] : values.items())
      if (value.is_number() && (!value.is_number_unsigned() || value.get<std::uint64_t>() > INT64_MAX))
        throw UsageError(fmt::format("{}: /{}{}: found {}; allowed: integers from 0 to {}", name, member,
                                     pointer, value.dump(), INT64_MAX));
  }
}

Invocation invocation_from(const json& given) {
  Invocation invocation;
  for (const json& device : given.at("devices"))
    invocation.devices.push_back({.id = device.at("id").get<std::string>(),
                                  .kind = device.at("kind") == "cpu" ? DeviceKind::cpu : DeviceKind::cuda,
                                  .free_bytes = device.at("free_bytes").get<std::size_t>(),
                                  .l2_bytes = device.value("l2_bytes", std::size_t{0})});
  invocation.benchmark_flags = given.at("benchmark_flags").get<std::vector<std::string>>();
  invocation.probes_only = given.at("probes_only").get<bool>();
  invocation.host_free_bytes = given.value("host_free_bytes", std::size_t{0});  // older runs have none
  if (const auto shard = given.find("shard"); shard != given.end())             // older runs have none
    invocation.shard = parse_shard(fmt::format("{}/{}", shard->at(0).get<int>(), shard->at(1).get<int>()));
  if (const auto overrides = given.find("overrides"); overrides != given.end())
    invocation.overrides = overrides->get<std::vector<std::string>>();
  invocation.data = given.value("data", invocation.data);
  invocation.of_winners = given.value("of_winners", invocation.of_winners);
  invocation.command = given.value("command", invocation.command);
  return invocation;
}

/// A file of a run folder that holds no records, and how its schema is told.
struct SummaryFile {
  const char* name;
  const char* version;  // the field
  int today;
};
constexpr SummaryFile kSummaries[] = {{"run.json", "schema", kRunSchema},
                                      {kRunProfilesFile, "schema", kRunProfilesSchema},
                                      {kProfileFile, "schema_version", kProfileSchemaVersion}};

bool migrate_records(const fs::path& journal) {
  if (!fs::exists(journal) || !results::has_old_records(journal)) return false;
  write_file_atomically(journal, results::migrated_records(journal));
  return true;
}

bool migrate_summary(const fs::path& folder, const SummaryFile& file) {
  const fs::path path = folder / file.name;
  if (!fs::exists(path)) return false;
  const nlohmann::ordered_json old = results::parse_line(read_file(path));
  if (!old.is_object() || !old.value(file.version, nlohmann::ordered_json(file.today)).is_number_integer() ||
      old.value(file.version, file.today) >= file.today)
    return false;
  nlohmann::ordered_json summary = results::migrated_summary(old);
  summary[file.version] = file.today;
  write_json(path, summary);
  return true;
}

/// A file of the checkout by its path there.
std::string_view below_root(std::string_view file) {
  const std::string root = source_root().string() + "/";
  return file.starts_with(root) ? file.substr(root.size()) : file;
}

}  // namespace

LockedFolder make_run_folder(const fs::path& dir) {
  const RunFolder folder{fs::absolute(dir).lexically_normal()};
  make_folder(folder.dir);
  RunLock lock(folder.dir);
  if (fs::exists(folder.records()) || fs::exists(folder.summary()))
    throw UsageError(
        fmt::format("the output folder {} holds a run already; go on with it by --resume, or name "
                    "another by --output",
                    folder.dir.string()));
  require_writable(folder.dir);
  return {folder, std::move(lock)};
}

LockedFolder lock_run_folder(const fs::path& dir) {
  const RunFolder folder{fs::absolute(dir).lexically_normal()};
  if (!fs::exists(folder.summary())) read_start(folder);  // says so; a lock would be a file in a wrong folder
  return {folder, RunLock(folder.dir)};
}

void write_start(const RunFolder& folder, const SuiteConfig& config, const Invocation& invocation,
                 const results::AxisDefaults& defaults, const DataContents& data) {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : invocation.devices) devices.push_back(device_json(device));
  nlohmann::ordered_json summary{{"schema", kRunSchema},
                                 {"name", config.name},
                                 {"started", utc_now()},
                                 {"finished", nullptr},
                                 {"complete", false},
                                 {"program", program_json()},
                                 {"config", with_paths_from_root(config.document)},
                                 {"config_hash", config.hash()},
                                 {"config_source", printable(below_root(config.source))},
                                 {"invocation",
                                  {{"devices", devices},
                                   {"benchmark_flags", invocation.benchmark_flags},
                                   {"probes_only", invocation.probes_only},
                                   {"shard", {invocation.shard.index, invocation.shard.count}},
                                   {"overrides", invocation.overrides},
                                   {"data", invocation.data},
                                   {"of_winners", invocation.of_winners},
                                   {"command", invocation.command},
                                   {"host_free_bytes", invocation.host_free_bytes}}},
                                 {"data", data_json(data, config)},
                                 {"devices", nlohmann::ordered_json::object()},
                                 {"defaults", defaults.to_json()}};
  write_json(folder.summary(), summary);
}

void write_benchmark_files(const std::vector<results::Record>& records, const RunFolder& folder,
                           const BenchmarkFlags& flags) {
  std::ostringstream json;
  write_benchmark_report(records, "json", json);
  write_file_atomically(folder.benchmark(), json.str());
  if (!flags.out.empty()) {
    std::ostringstream text;
    write_benchmark_report(records, flags.out_format, text);
    write_file_atomically(flags.out, text.str());
  }
}

BegunRun read_start(const RunFolder& folder) {
  if (!fs::exists(folder.summary()))
    throw UsageError(
        fmt::format("{}: no run.json here, so there is no run to go on with", folder.dir.string()));
  BegunRun run;
  run.summary = read_json(folder.summary());
  const std::string name = folder.summary().string();
  require_utc_dates(run.summary, {"started", "finished"}, name);
  try {
    require_counts(run.summary, name);
    if (const int schema = run.summary.at("schema").get<int>(); schema != kRunSchema)
      throw UsageError(fmt::format("{}: /schema: found {}, allowed: {}{}", name, schema, kRunSchema,
                                   schema < kRunSchema ? "; `gpuseq-bench migrate RUN` converts a run" : ""));
    run.config = config_from_json(run.summary.at("config"),
                                  run.summary.at("config_source").get<std::string>(), folder.dir);
    run.invocation = invocation_from(run.summary.at("invocation"));
    if (run.summary.contains("data")) run.data = data_from_json(run.summary["data"]);
  } catch (const json::exception& error) {
    throw UsageError(fmt::format("{}: is no run.json of this program: {}", name, reason_of(error)));
  }
  return run;
}

int migrate_run(const fs::path& dir) {
  const LockedFolder locked = lock_run_folder(dir);
  const fs::path& folder = locked.folder.dir;
  // Records come first: where this is cut off between two files, the next call converts the others.
  int files = migrate_records(locked.folder.records());
  for (const auto& [today, before] :
       {std::pair(kProfileRecordsFile, "card-records.jsonl"), std::pair(kRunProfilesFile, "cards.json")})
    if (fs::exists(folder / before)) fs::rename(folder / before, folder / today);
  files += migrate_records(folder / kProfileRecordsFile);
  for (const SummaryFile& file : kSummaries) files += migrate_summary(folder, file);
  return files;
}

}  // namespace gpuseq::bench
