#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/io/sequence_reader.hpp"

namespace gpuseq::exact_match {

/// Codes of letters: A C G T in either case are 0...3 and complement each other as 3 - code. Every other
/// letter matches nothing, not even itself (as `mummer -n` has it): it is kSeparator in a reference and
/// kNoBase in a query, so that comparing codes needs no further test.
inline constexpr u8 kSeparator = 4;
inline constexpr u8 kNoBase = 5;

/// A base's code, or `other` for any other letter.
constexpr u8 base_code(char letter, u8 other) {
  constexpr std::string_view kBases = "acgt";
  const std::size_t code = kBases.find(static_cast<char>(letter | 0x20));
  return code == std::string_view::npos ? other : static_cast<u8>(code);
}

/// Suffix positions have 31 bits.
inline constexpr u64 kMostTextLetters = (u64{1} << 31) - 1;

/// The sequences of a reference as one text: separator, sequence, separator, sequence, ..., separator. A
/// match begins behind a letter and ends before one that exist, whatever they are.
struct Reference {
  std::vector<std::string> names;  // first words of the headers
  std::vector<u8> text;            // codes
  std::vector<u32> begin;          // [names + 1] of each sequence in the text; last: the text's size
  u64 others = 0;                  // letters that are no base
  u64 empty_records = 0;           // of the file, which are none of the sequences

  u32 count() const { return static_cast<u32>(names.size()); }
  u32 length(u32 sequence) const { return begin[sequence + 1] - begin[sequence] - 1; }
  u64 letters() const { return text.size() - count() - 1; }
  /// The sequence that holds a position of the text which is a letter of one.
  u32 sequence_at(u32 position) const;
};

/// A reference with nothing in it, for append().
Reference empty_reference();

/// @throws UsageError if the text would be longer than kMostTextLetters
void append(Reference& reference, std::string_view name, std::string_view letters);

/// All records of a FASTA or FASTQ file, gzip or plain, but for those without a letter.
/// @throws UsageError if the file is malformed, has no base, or is too long
Reference read_reference(const std::filesystem::path& path);

/// Queries as one array: kNoBase, query, kNoBase, query, ..., kNoBase: the letters before and behind a query
/// can be read and match nothing.
struct Queries {
  std::vector<std::string> names;  // first words of the headers
  std::vector<u8> letters;         // codes
  std::vector<u64> begin;          // [count + 1] of each query in letters; last: the size of letters
  u64 longest = 0;

  u64 count() const { return begin.size() - 1; }
  u64 length(u64 query) const { return begin[query + 1] - begin[query] - 1; }
  /// Letters of all queries: the work, for each strand.
  u64 bases() const { return letters.size() - count() - 1; }
  u64 count_empty() const;
  std::span<const u8> codes(u64 query) const {
    return std::span(letters).subspan(begin[query], length(query));
  }
};

Queries empty_queries();
void append(Queries& queries, std::string_view name, std::string_view letters);

/// Reads the queries of a FASTA or FASTQ file, gzip or plain, of any length, empty ones too, block by block.
class QueryReader {
 public:
  /// @throws UsageError as SequenceReader does
  explicit QueryReader(const std::filesystem::path& path);
  /// Goes on where a reader is. @param path  for messages
  QueryReader(const std::filesystem::path& path, SequenceReader reader);
  /// Queries of about `letters` letters, or `count` queries if that is not 0; none after the last.
  /// @throws UsageError if what follows is malformed
  Queries next(u64 letters, u64 count = 0);
  SequenceReadStart position() const { return reader_.position(); }

 private:
  std::filesystem::path path_;
  SequenceReader reader_;
  Sequence record_;
};

/// All queries of a file.
/// @param count  take only so many from the start; 0: all
/// @throws UsageError if the file is malformed, or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, u64 count);

/// The reverse complement of codes; letters that are no base stay none.
/// @param to  as long as `from`, not the same
void reverse_complement(std::span<const u8> from, std::span<u8> to);

/// Codes as letters, those that are no base as N.
std::string letters_of(std::span<const u8> codes);

/// Each record on two lines.
void write_fasta(std::ostream& out, const Reference& reference);
void write_fasta(std::ostream& out, const Queries& queries);

}  // namespace gpuseq::exact_match
