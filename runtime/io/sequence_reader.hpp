#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/byte_source.hpp"

namespace gpuseq {

/// One record of a FASTA or FASTQ file.
struct Sequence {
  std::string name;         // the first word of the header line; may be empty
  std::string description;  // the rest of the header line, without blanks around it
  std::string sequence;     // letters as in the file, case kept, lines joined; may be empty
  std::string quality;      // FASTQ only; as long as `sequence`
  std::size_t line = 0;     // of the header, from 1
};

struct SequenceReadOptions {
  /// Allowed letters of a sequence, upper case; lower case is treated the same. Default: IUPAC nucleotides.
  std::string alphabet = "ACGTUNRYSWKMBDHV";
  /// Characters that are ignored between letters. Blanks at the end of a FASTA line are always ignored.
  std::string ignored = "";
  /// Headers end at this character (NCBI's nr has further headers after Ctrl-A).
  std::optional<char> header_end = std::nullopt;
  /// Whether to skip records without a letter.
  bool skip_empty_sequences = false;
};

/// Start position of whole records that are read independently of earlier ones.
struct SequenceReadStart {
  char marker = 0;                     // '>' or '@', with which the file begins; 0: this is the file's begin
  std::size_t lines = 0, records = 0;  // number of earlier lines and records
};

/// Reads a FASTA (multi-line) or FASTQ (four-line) file record by record, gzip or plain, detected by content;
/// line ends LF or CRLF; blank lines between records are skipped. A FASTQ record without a letter may lack
/// its quality line, as after removal of blank lines. Stores one record at a time. Every error is a
/// UsageError with the file, and if applicable the record's number and name and the line; a record that
/// exceeds the host's memory is DoesNotFit.
class SequenceReader {
 public:
  /// @throws UsageError if the file is missing, a folder, unreadable, empty, or starts with
  /// neither '>' nor '@'
  explicit SequenceReader(const std::filesystem::path& path, SequenceReadOptions options = {});
  /// Reads the result of `bytes`, whole records from inside a file, which may be empty.
  /// @param path  for messages
  /// @throws UsageError like for a file if this is its begin
  SequenceReader(const std::filesystem::path& path, NextBytes bytes, SequenceReadOptions options,
                 const SequenceReadStart& start);
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;

  /// The next record, or nullopt after the last. @throws UsageError if it is malformed
  std::optional<Sequence> next();
  /// Replaces `record` by the next one and reuses its memory; false after the last.
  bool next(Sequence& record);
  /// The file's marker, and the number of records and lines read, up to the next record's header.
  SequenceReadStart position() const;
  /// The number of records without a letter, skipped or not.
  std::size_t empty_records() const;
  /// Counts the memory of kept records.
  GrowingMemory& memory();
  /// Whether the file has qualities.
  bool is_fastq() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Adds a warning with the number of records without a letter, if there are any.
/// @param fate  their treatment: "is skipped"
void warn_of_empty_records(std::vector<std::string>& notes, const std::filesystem::path& path,
                           std::size_t empty, std::string_view fate);

/// All records of a file. @throws UsageError like SequenceReader
std::vector<Sequence> read_sequences(const std::filesystem::path& path,
                                     const SequenceReadOptions& options = {});

}  // namespace gpuseq
