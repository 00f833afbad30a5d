#include "reports/comparison/load_side.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/journal.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/json_text.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::comparison {
namespace {

namespace fs = std::filesystem;

fs::path journal_of(const fs::path& dir) {
  return dir / results::kRecordsFile;
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
  std::string label =
      record.problem_label.empty() ? record.state.problem.to_string() : std::move(record.problem_label);
  return {.state = std::move(record.state),
          .phase = std::move(record.phase),
          .status = record.status,
          .failure = std::move(record.failure),
          .samples_s = std::move(record.samples_s),
          .witness = record.witness,
          .work = std::move(record.work),
          .problem_hash = std::move(record.problem_hash),
          .problem_label = std::move(label),
          .provenance = std::move(record.provenance),
          .date = std::move(record.date)};
}

/// None where no run.json says any: names can do without, and a journal can be compared alone.
results::AxisDefaults defaults_beside(const fs::path& journal) {
  const fs::path summary = journal.parent_path() / "run.json";
  std::error_code error;
  if (!fs::is_regular_file(summary, error)) return {};
  try {
    const nlohmann::json run = read_json(summary, Texts::printable);
    return run.is_object() ? results::AxisDefaults::from_json(run.value("defaults", nlohmann::json()))
                           : results::AxisDefaults();
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace

void add_process(Side& side, const fs::path& journal) {
  std::vector<ComparedRecord>& records = side.processes.emplace_back();
  results::Journal::read(journal, [&](results::Record record) {
    // Sizes on the way differ from process to process.
    if (record.phase != "size") records.push_back(compared(std::move(record)));
  });
  side.defaults.update(defaults_beside(journal));
}

Side load_side(const fs::path& path) {
  std::error_code error;
  Side side{.name = printable(path.string())};
  if (fs::is_regular_file(path, error)) {
    add_process(side, path);
  } else if (fs::is_regular_file(journal_of(path), error)) {
    add_process(side, journal_of(path));
  } else {
    for (const fs::path& journal : journals_below(path)) add_process(side, journal);
  }
  if (side.processes.empty())
    throw UsageError(fmt::format(
        "{}: is no journal (records.jsonl), no run folder, and no folder of run folders", path.string()));
  return side;
}

}  // namespace gpuseq::comparison
