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

/// The append-only file of records, one JSON line each, and of their provenances: a line once for each
/// process and device, before the first record that refers to it. A supervisor and its worker may hold the
/// same journal at once: each append locks the file while it lasts.
///
/// A record that was appended survives any death of the program. It is brought to the disk by the first
/// append at least `flush_interval` after the last time, by flush_if_due(), and when the journal is closed.
/// So a loss of power may cost the records that were appended within that interval after one that was
/// flushed, which is as much measuring at most; of the last of them a part may be left, which is dropped as a
/// torn line is.
class Journal {
 public:
  static constexpr std::chrono::milliseconds flush_interval{100};

  /// Opens for appending; creates the folder and the file where missing, drops a torn last line, and checks
  /// that the disk has room for a record.
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  explicit Journal(std::filesystem::path path);

  const std::filesystem::path& path() const { return file_.path(); }

  /// Writes the line of made_readable(record), and that of its provenance before it where this object has not
  /// yet. @returns the byte where the record begins @throws ResourceError if
  /// that fails (full disk); the file then still ends in the last whole record
  std::uint64_t append(const Record& record);
  /// Brings to the disk what is there since `flush_interval` and longer. @throws ResourceError
  void flush_if_due() { file_.flush_if_older(flush_interval); }

  /// Every whole record. A last line without its end (a writer was killed) is left out; a journal that does
  /// not exist is an error.
  /// @throws UsageError with file, line and JSON pointer for anything else that is no record, and for a
  /// problem
  ///   of two hashes
  static std::vector<Record> load(const std::filesystem::path& path);
  /// The same one by one, in order. Equal facts and equal provenance are one in memory, or as many as there
  /// are threads that read a long journal.
  /// @param read  may throw a UsageError, which file and line are put before
  static void read(const std::filesystem::path& path, const std::function<void(Record)>& read);

  using ReadHead = std::function<void(const RecordHead&, std::size_t line, std::uint64_t begin)>;
  /// The heads alone, with the number of each line and the byte where it begins.
  /// @throws UsageError with file and line for what read_head() or `read` throws as one
  static void read_heads(const std::filesystem::path& path, ReadLine how_far, const ReadHead& read);
  /// The record whose line begins at this byte. @throws UsageError if none does
  static Record at(const std::filesystem::path& path, std::uint64_t begin);

  /// The last whole record, with the id of its provenance only; nullopt: there is none, or the line is none.
  static std::optional<Record> last(const std::filesystem::path& path);

 private:
  LineFile file_;
  std::set<std::string, std::less<>> given_;  // ids of the provenances that this object has written
};

/// Finds records that a journal has twice.
class OnceOnly {
 public:
  /// @param number  of the record in its journal, from 1
  /// @throws UsageError naming the record of the same state, phase and repetition
  void check(const Record& record, std::size_t number);

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

/// Takes failed records (crash, timeout) out of a journal that has another record of the same state, phase
/// and repetition: a worker that is killed after its last append has finished that state. Versions that did
/// not look for the record have written such. The file is replaced as a whole.
/// @returns a text for each record that was dropped
/// @throws UsageError naming the lines of any other two records of the same state, phase and repetition
std::vector<std::string> drop_doubled_failures(const std::filesystem::path& journal);

}  // namespace gpuseq::results
