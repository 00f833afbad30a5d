#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/line_file.hpp"
#include "results/record.hpp"

namespace gpuseq::results {

/// A state that was begun and not finished; what a supervisor blames when its worker dies.
struct InFlight {
  std::string key;    // StateKey::to_string()
  std::string phase;  // of the record it would have become
  friend bool operator==(const InFlight&, const InFlight&) = default;
};

/// The append-only file of records, one JSON line each, flushed to the disk per record. A supervisor and its
/// worker may hold the same journal at once: each append locks the file while it lasts.
class Journal {
 public:
  /// Opens for appending; creates the folder and the file where missing, drops a torn last line, and checks
  /// that the disk has room for a record.
  /// @throws UsageError if the path cannot be written; ResourceError if the disk is full
  explicit Journal(std::filesystem::path path);

  const std::filesystem::path& path() const { return file_.path(); }

  /// Writes one line and flushes it. @throws ResourceError if that fails (full disk); the file then still
  /// ends in the last whole record
  void append(const Record& record);

  /// The marker is a small file beside the journal, replaced atomically. @throws ResourceError
  void mark_in_flight(const std::string& key, const std::string& phase) const;
  void clear_in_flight() const;
  /// The marker that is there, of this process or of one that died; nullopt: none, or not readable.
  std::optional<InFlight> in_flight() const;

  /// Every whole record. A last line without its end (a writer was killed) is left out; a journal that does
  /// not exist is an error.
  /// @throws UsageError with file, line and JSON pointer for anything else that is no record
  static std::vector<Record> load(const std::filesystem::path& path);

 private:
  LineFile file_;
};

}  // namespace gpuseq::results
