#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "results/line_file.hpp"
#include "results/record.hpp"
#include "results/record_head.hpp"

namespace gpuseq::results {

/// The journal in the folder of a run.
inline constexpr const char* kRecordsFile = "records.jsonl";

std::string record_key(const Record& record);

/// The append-only file of records, one JSON line each, and of their provenances: one line per process and
/// device, before the first record that refers to it. A supervisor and its worker may have the same journal
/// open: each append locks the file while it writes.
///
/// An appended record survives the death of the program. It is flushed to disk by the first append at least
/// `flush_interval` after the last flush, by flush_if_due(), and when the journal is closed. So a power
/// failure may lose the records appended within that interval after a flushed record. The last of them may be
/// partly written; it is dropped like a torn line.
class Journal {
 public:
  static constexpr std::chrono::milliseconds flush_interval{100};

  /// Opens for appending. Creates the folder and the file if missing, drops a torn last line, and checks that
  /// the disk has room for a record.
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  explicit Journal(std::filesystem::path path);

  const std::filesystem::path& path() const { return file_.path(); }

  /// Writes the line of made_readable(record), and before it the line of its provenance if this object has
  /// not written it yet.
  /// @returns the byte where the record begins
  /// @throws ResourceError if that fails (full disk); the file then still ends in the last whole record
  std::uint64_t append(const Record& record);
  /// Flushes records that are at least `flush_interval` old. @throws ResourceError
  void flush_if_due() { file_.flush_if_older(flush_interval); }

  /// Every whole record. A last line without an end (its writer was killed) is left out; a missing journal is
  /// an error.
  /// @throws UsageError with file, line and JSON pointer for any other malformed line, and for a problem with
  /// two hashes
  static std::vector<Record> load(const std::filesystem::path& path);
  /// Reads the same records one by one, in order. Equal facts and equal provenances share memory within each
  /// thread that reads the journal.
  /// @param read  may throw a UsageError, whose message is prefixed with file and line
  static void read(const std::filesystem::path& path, const std::function<void(Record)>& read);

  using ReadHead = std::function<void(const RecordHead&, std::size_t line, std::uint64_t begin)>;
  /// Reads only the heads, with line numbers and the bytes where lines begin.
  /// @throws UsageError with file and line if read_head() or `read` throws one
  static void read_heads(const std::filesystem::path& path, ReadLine how_far, const ReadHead& read);
  /// The record whose line begins at this byte. @throws UsageError if there is none
  static Record at(const std::filesystem::path& path, std::uint64_t begin);

  /// The last whole record, with the id of its provenance only; nullopt if there is none or the line is
  /// malformed.
  static std::optional<Record> last(const std::filesystem::path& path);

 private:
  LineFile file_;
  std::set<std::string, std::less<>> given_;  // ids of the provenances that this object has written
};

/// Finds duplicate records of a journal.
class OnceOnly {
 public:
  /// @param number  of the record in its journal, from 1
  /// @throws UsageError naming the earlier record of the same state, phase and repetition
  void check(const Record& record, std::size_t number);

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

/// Drops failed records (crash, timeout) from a journal that has another record of the same state, phase and
/// repetition: a worker killed after its last append has completed that state. Old versions wrote such
/// records without looking for the other. The file is replaced as a whole.
/// @returns a text for each dropped record
/// @throws UsageError naming the lines of any other two records of the same state, phase and repetition
std::vector<std::string> drop_doubled_failures(const std::filesystem::path& journal);

}  // namespace gpuseq::results
