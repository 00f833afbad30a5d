#include "results/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <span>

#include "results/names/problem_hashes.hpp"
#include "results/reading/provenances.hpp"
#include "results/reading/readable_record.hpp"
#include "results/record_batch.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::results {

namespace fs = std::filesystem;

namespace {

std::string doubled_text(const std::string& key, const char* unit, std::size_t first) {
  return fmt::format("the same state, phase and repetition as in {} {}: {}", unit, first, key);
}

/// The lines of failed records that duplicate the key of another record, with their keys.
std::map<std::size_t, std::string> doubled_failures(const fs::path& journal) {
  struct Seen {
    std::size_t line;
    bool died;
  };
  std::map<std::string, Seen> seen;
  std::map<std::size_t, std::string> doubled;
  const auto take = [&](const RecordHead& head, std::size_t number, std::uint64_t) {
    const bool died = head.worker_died();
    const auto [first, is_new] = seen.emplace(head.key(), Seen{number, died});
    if (is_new) return;
    if (!died && !first->second.died)
      throw UsageError(doubled_text(first->first, "line", first->second.line));
    doubled.emplace(died ? number : first->second.line, first->first);
    if (!died) first->second = {number, false};
  };
  Journal::read_heads(journal, ReadLine::whole, take);
  return doubled;
}

/// Calls `read`, and prefixes the message of a UsageError with the line's place.
template <typename Read>
void with_place(const fs::path& path, std::size_t line, Read read) {
  try {
    read();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}:{}: {}", path.string(), line, error.what()));
  }
}

/// One thread for small journals, where starting more costs more than it saves; else a limited number, as
/// each thread uses memory.
int threads_for(const fs::path& journal) {
  constexpr std::uintmax_t kLargeBytes = 4 << 20;
  constexpr int kMost = 16;
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(journal, error);
  return error || bytes < kLargeBytes ? 1 : std::min(available_cpus(), kMost);
}

}  // namespace

std::string record_key(const Record& record) {
  return record_key(record.state.to_string(), record.phase, record.repetition);
}

Journal::Journal(fs::path path) : file_(std::move(path), "journal") {}

std::uint64_t Journal::append(const Record& record) {
  const Record readable = made_readable(record);
  const std::string id = provenance_id(readable.provenance);
  std::vector<nlohmann::ordered_json> lines;
  if (!given_.contains(id)) lines.push_back(provenance_line(readable.provenance));
  const std::size_t before = lines.empty() ? 0 : json_line(lines.front()).size();
  lines.push_back(to_json(readable));
  const std::uint64_t begin = file_.append(lines, flush_interval) + before;
  given_.insert(id);
  return begin;
}

std::vector<Record> Journal::load(const fs::path& path) {
  std::vector<Record> records;
  read(path, [&](Record record) { records.push_back(std::move(record)); });
  return records;
}

void Journal::read(const fs::path& path, const std::function<void(Record)>& read) {
  RecordBatch batch(threads_for(path));
  ProblemHashes hashes;
  Provenances provenances;
  const auto take = [&](std::size_t number, std::optional<Record> record, const std::exception_ptr& error) {
    with_place(path, number, [&] {
      if (error) std::rethrow_exception(error);
      provenances.resolve(*record);
      hashes.check(*record, fmt::format("line {}", number));
      read(std::move(*record));
    });
  };
  read_raw_lines(path, [&](std::string_view line, std::size_t number) {
    bool is_record = true;
    try {
      is_record = !provenances.take(line);
    } catch (const UsageError&) {
      batch.read(take);  // reports earlier errors first
      with_place(path, number, [] { throw; });
    }
    if (is_record) batch.add(line, number);
    if (batch.is_full()) batch.read(take);
  });
  batch.read(take);
}

void Journal::read_heads(const fs::path& path, ReadLine how_far, const ReadHead& read) {
  std::uint64_t begin = 0;
  Provenances provenances;
  read_raw_lines(path, [&](std::string_view line, std::size_t number) {
    with_place(path, number, [&] {
      if (!provenances.take(line)) read(read_head(line, how_far), number, begin);
    });
    begin += line.size() + 1;
  });
}

Record Journal::at(const fs::path& path, std::uint64_t begin) {
  std::ifstream file(path);
  file.seekg(static_cast<std::streamoff>(begin));
  std::string line;
  std::getline(file, line);
  try {
    Record record = RecordLineReader().read(line);
    Provenances provenances;
    file.clear();
    file.seekg(0);
    while (!provenances.has(record) && std::getline(file, line)) provenances.take(line);
    provenances.resolve(record);
    return record;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: at byte {}: {}", path.string(), begin, error.what()));
  }
}

std::optional<Record> Journal::last(const fs::path& path) {
  const std::optional<std::string> line = last_line(path);
  if (!line) return std::nullopt;
  try {
    return RecordLineReader().read(*line);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void OnceOnly::check(const Record& record, std::size_t number) {
  const auto [first, is_new] = numbers_.emplace(record_key(record), number);
  if (!is_new) throw UsageError(doubled_text(first->first, "record", first->second));
}

std::vector<std::string> drop_doubled_failures(const fs::path& journal) {
  const std::map<std::size_t, std::string> doubled = doubled_failures(journal);
  std::vector<std::string> said;
  if (doubled.empty()) return said;
  std::string kept;
  read_raw_lines(journal, [&](std::string_view line, std::size_t number) {
    if (!doubled.contains(number)) kept.append(line) += '\n';
  });
  write_file_atomically(journal, kept);
  for (const auto& [line, key] : doubled)
    said.push_back(fmt::format("{}:{}: dropped a failure of a state that has its record: {}",
                               journal.string(), line, key));
  return said;
}

}  // namespace gpuseq::results
