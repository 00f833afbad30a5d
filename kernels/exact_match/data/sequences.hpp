#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/io/sequence_reader.hpp"

namespace gpuseq::exact_match {

/// Codes of letters: A C G T in either case are 0...3, and the complement is 3 - code. Every other letter
/// matches nothing, not even itself (as in `mummer -n`): it is kSeparator in a reference and kNoBase in a
/// query, so that comparing codes is enough.
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

/// The sequences of a reference as one text: separator, sequence, separator, sequence, ..., separator. Every
/// match has a letter before and after it.
struct Reference {
  std::vector<std::string> names;  // first words of the headers
  std::vector<u8> text;            // codes
  std::vector<u32> begin;          // [names + 1] start of each sequence in the text; last: the text's size
  u64 others = 0;                  // letters that are not a base
  u64 empty_records = 0;           // records of the file without letters, which are not in the sequences

  u32 count() const { return static_cast<u32>(names.size()); }
  u32 length(u32 sequence) const { return begin[sequence + 1] - begin[sequence] - 1; }
  u64 letters() const { return text.size() - count() - 1; }
  /// The sequence with a position of the text. @pre the position is not a separator
  u32 sequence_at(u32 position) const;
};

/// An empty reference for append().
Reference empty_reference();

/// @throws UsageError if the text would be longer than kMostTextLetters
void append(Reference& reference, std::string_view name, std::string_view letters);

/// All records of a FASTA or FASTQ file, gzip or plain, except those without a letter.
/// @throws UsageError if the file is malformed, has no base, or is too long
Reference read_reference(const std::filesystem::path& path);

/// Queries as one array: kNoBase, query, kNoBase, query, ..., kNoBase: the letters before and after a query
/// are readable and match nothing.
struct Queries {
  std::vector<std::string> names;  // first words of the headers
  std::vector<u8> letters;         // codes
  std::vector<u64> begin;          // [count + 1] start of each query in letters; last: the size of letters
  u64 longest = 0;

  u64 count() const { return begin.size() - 1; }
  u64 length(u64 query) const { return begin[query + 1] - begin[query] - 1; }
  /// Letters of all queries: the amount of work per strand.
  u64 bases() const { return letters.size() - count() - 1; }
  u64 count_empty() const;
  std::span<const u8> codes(u64 query) const {
    return std::span(letters).subspan(begin[query], length(query));
  }
};

Queries empty_queries();
void append(Queries& queries, std::string_view name, std::string_view letters);

/// Reads the queries of a FASTA or FASTQ file, gzip or plain, of any length including 0, block by block.
class QueryReader {
 public:
  /// @throws UsageError like SequenceReader
  explicit QueryReader(const std::filesystem::path& path);
  /// Continues a reader. @param path  for messages
  QueryReader(const std::filesystem::path& path, SequenceReader reader);
  /// Queries with about `letters` letters, or `count` queries if that is not 0; none after the last.
  /// @throws UsageError if the file is malformed
  Queries next(u64 letters, u64 count = 0);
  SequenceReadStart position() const { return reader_.position(); }

 private:
  std::filesystem::path path_;
  SequenceReader reader_;
  Sequence record_;
};

/// All queries of a file.
/// @param count  read only the first `count`; 0: all
/// @throws UsageError if the file is malformed, or has fewer than `count` records
Queries read_queries(const std::filesystem::path& path, u64 count);

/// The reverse complement of codes; codes that are not a base stay unchanged.
/// @param to  as long as `from`, not the same
void reverse_complement(std::span<const u8> from, std::span<u8> to);

/// Codes as letters, codes that are not a base as N.
std::string letters_of(std::span<const u8> codes);

/// Writes each record in two lines.
void write_fasta(std::ostream& out, const Reference& reference);
void write_fasta(std::ostream& out, const Queries& queries);

}  // namespace gpuseq::exact_match
