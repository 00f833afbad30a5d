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
  std::string description;  // the rest of the header line, without the blanks between
  std::string sequence;     // letters as they are in the file, case kept, lines joined; may be empty
  std::string quality;      // FASTQ only; as long as `sequence`
  std::size_t line = 0;     // of the header, from 1
};

struct SequenceReadOptions {
  /// Letters that a sequence may hold, upper case; lower case is taken alike. Default: IUPAC nucleotides.
  std::string alphabet = "ACGTUNRYSWKMBDHV";
  /// Characters that are left out where they stand between letters. Blanks at the end of a line of FASTA
  /// always are.
  std::string ignored = "";
  /// What follows this character in a header is left out (NCBI's nr has further headers behind Ctrl-A).
  std::optional<char> header_end = std::nullopt;
  /// Leaves records without a letter out.
  bool skip_empty_sequences = false;
};

/// Where in a file whole records begin that are read apart from those before.
struct SequenceReadStart {
  char marker = 0;                     // '>' or '@', which the file begins with; 0: this is its begin
  std::size_t lines = 0, records = 0;  // before
};

/// Reads a FASTA (multi-line) or FASTQ (four-line) file record by record, gzip or plain, told apart by
/// content; line ends LF or CRLF; blank lines between records are skipped. A read without a letter may lack
/// the line of its quality, as where blank lines were cut off. Holds one record at a
/// time. Every error is a UsageError with the file, and where it applies the record's number and name and the
/// line; a record that the host's memory does not hold is DoesNotFit.
class SequenceReader {
 public:
  /// @throws UsageError if the file is missing, a folder, unreadable, empty, or starts with neither '>' nor
  /// '@'
  explicit SequenceReader(const std::filesystem::path& path, SequenceReadOptions options = {});
  /// Reads what `bytes` gives, whole records from inside a file; there none at all is no error.
  /// @param path  for messages
  /// @throws UsageError as for a file where this is its begin
  SequenceReader(const std::filesystem::path& path, NextBytes bytes, SequenceReadOptions options,
                 const SequenceReadStart& start);
  ~SequenceReader();
  SequenceReader(SequenceReader&&) noexcept;
  SequenceReader& operator=(SequenceReader&&) noexcept;

  /// The next record, or nullopt after the last. @throws UsageError if what follows is malformed
  std::optional<Sequence> next();
  /// Replaces `record` by the next one, in its memory; false after the last.
  bool next(Sequence& record);
  /// What has been read: the file's marker, records, and lines up to the next record's header.
  SequenceReadStart position() const;
  /// How many records without a letter there were, skipped or not.
  std::size_t empty_records() const;
  /// For what is kept of the records.
  GrowingMemory& memory();
  /// Whether the file has qualities.
  bool is_fastq() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Adds a warning with their number where a file has records without a letter.
/// @param fate  what becomes of them: "is skipped"
void warn_of_empty_records(std::vector<std::string>& notes, const std::filesystem::path& path,
                           std::size_t empty, std::string_view fate);

/// All records of a file. @throws UsageError as SequenceReader does
std::vector<Sequence> read_sequences(const std::filesystem::path& path,
                                     const SequenceReadOptions& options = {});

}  // namespace gpuseq
