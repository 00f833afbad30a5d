#include "reports/comparison/load_side.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::comparison {
namespace {

namespace fs = std::filesystem;

fs::path journal_of(const fs::path& dir) {
  return dir / "records.jsonl";
}

std::vector<fs::path> journals_below(const fs::path& dir) {
  std::error_code error;
  std::vector<fs::path> journals;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir, error))
    if (fs::is_regular_file(journal_of(entry.path()), error)) journals.push_back(journal_of(entry.path()));
  std::sort(journals.begin(), journals.end());
  return journals;
}

ComparedRecord compared(results::Record&& record) {
  return {.state = std::move(record.state),
          .phase = std::move(record.phase),
          .status = record.status,
          .failure = std::move(record.failure),
          .samples_s = std::move(record.samples_s),
          .work = std::move(record.work),
          .problem_hash = std::move(record.problem_hash),
          .provenance = std::move(record.provenance),
          .date = std::move(record.date)};
}

}  // namespace

std::vector<ComparedRecord> load_process(const fs::path& journal) {
  std::vector<ComparedRecord> records;
  results::Journal::read(journal,
                         [&](results::Record record) { records.push_back(compared(std::move(record))); });
  return records;
}

Side load_side(const fs::path& path) {
  std::error_code error;
  Side side{.name = path.string()};
  if (fs::is_regular_file(path, error)) {
    side.processes.push_back(load_process(path));
  } else if (fs::is_regular_file(journal_of(path), error)) {
    side.processes.push_back(load_process(journal_of(path)));
  } else {
    for (const fs::path& journal : journals_below(path)) side.processes.push_back(load_process(journal));
  }
  if (side.processes.empty())
    throw UsageError(fmt::format(
        "{}: is no journal (records.jsonl), no run folder, and no folder of run folders", path.string()));
  return side;
}

}  // namespace gpuseq::comparison
