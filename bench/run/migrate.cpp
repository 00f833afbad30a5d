#include "bench/run/migrate.hpp"

#include "bench/base/json_file.hpp"
#include "bench/cards/run_cards.hpp"
#include "bench/machine/card.hpp"
#include "bench/machine/card_file.hpp"
#include "bench/run/run_folder.hpp"
#include "bench/run/run_lock.hpp"
#include "results/line_file.hpp"
#include "results/reading/migration.hpp"
#include "runtime/io/atomic_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// A file of a run folder that holds no records, and how its schema is told.
struct SummaryFile {
  const char* name;
  const char* version;  // the field
  int today;
};
constexpr SummaryFile kSummaries[] = {{"run.json", "schema", kRunSchema},
                                      {kRunCardsFile, "schema", kRunCardsSchema},
                                      {kCardFile, "schema_version", kCardSchemaVersion}};

bool migrate_records(const fs::path& journal) {
  if (!fs::exists(journal) || !results::has_old_records(journal)) return false;
  write_file_atomically(journal, results::migrated_records(journal));
  return true;
}

bool migrate_summary(const fs::path& folder, const SummaryFile& file) {
  const fs::path path = folder / file.name;
  if (!fs::exists(path)) return false;
  const ordered_json old = results::parse_line(read_file(path));
  if (!old.is_object() || old.value(file.version, file.today) >= file.today) return false;
  ordered_json summary = results::migrated_summary(old);
  summary[file.version] = file.today;
  write_json(path, summary);
  return true;
}

}  // namespace

int migrate_run(const fs::path& dir) {
  const LockedFolder locked = lock_run_folder(dir);
  const fs::path& folder = locked.folder.dir;
  // Records come first: where this is cut off between two files, the next call converts the others.
  int files = migrate_records(locked.folder.records());
  for (const auto& [today, before] :
       {std::pair(kCardRecordsFile, "card-records.jsonl"), std::pair(kRunCardsFile, "cards.json")})
    if (fs::exists(folder / before)) fs::rename(folder / before, folder / today);
  files += migrate_records(folder / kCardRecordsFile);
  for (const SummaryFile& file : kSummaries) files += migrate_summary(folder, file);
  return files;
}

}  // namespace gpuseq::bench
