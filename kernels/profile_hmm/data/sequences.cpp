#include "kernels/profile_hmm/data/sequences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <optional>
#include <ostream>
#include <utility>

#include "kernels/profile_hmm/data/blast_volume.hpp"
#include "kernels/profile_hmm/data/bytes_ahead.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_pieces.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/huge_vector.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::profile_hmm {
namespace {

constexpr std::size_t kLettersOfLine = 60;

/// The letters that residue_code() accepts, without lower case.
std::string fasta_alphabet() {
  std::string letters;
  for (int letter = 0; letter < 128; ++letter)
    if (residue_code(static_cast<char>(letter)) && !(letter >= 'a' && letter <= 'z'))
      letters += static_cast<char>(letter);
  return letters;
}

/// Approximate residues of the whole file, to reserve memory and avoid copies of the first megabytes.
u64 likely_residues(const std::filesystem::path& path, u64 most_sequences) {
  constexpr u64 kExpansion = 2, kMost = u64{64} << 20;  // gzip ratio of proteins; limit of the reservation
  if (most_sequences > 0 || !is_file_to_open_again(path)) return 0;
  std::error_code error;
  const u64 bytes = std::filesystem::file_size(path, error);
  return error ? 0 : std::min(kMost, kExpansion * bytes);
}

gpuseq::SequenceReader reader_of(const std::filesystem::path& path, NextBytes bytes, char marker) {
  return {path,
          std::move(bytes),
          {.alphabet = fasta_alphabet(), .ignored = " \t\r", .header_end = '\x01'},
          {.marker = marker}};
}

/// Appends the remaining records; stops at `most_sequences` sequences unless it is 0.
void append_records(const std::filesystem::path& path, gpuseq::SequenceReader& reader, u64 most_sequences,
                    Sequences& sequences) {
  if (reader.is_fastq())
    throw UsageError(fmt::format("{}: the file is FASTQ, allowed: FASTA", path.string()));
  std::array<u8, 256> codes{};
  for (int letter = 0; letter < 128; ++letter)
    codes[static_cast<std::size_t>(letter)] = residue_code(static_cast<char>(letter)).value_or(0);
  Sequence record;
  while ((most_sequences == 0 || sequences.count() < most_sequences) && reader.next(record)) {
    const auto fail = [&](const std::string& what) {
      throw UsageError(
          fmt::format("{}:{}: record {}: {}", path.string(), record.line, sequences.count() + 1, what));
    };
    if (record.name.empty()) fail("the header has no name");
    if (record.sequence.size() > kMostResidues)
      fail(fmt::format("'{}' has {} residues, allowed: {} (hmmsearch ends there)", record.name,
                       record.sequence.size(), kMostResidues));
    for (char& letter : record.sequence)
      letter = static_cast<char>(codes[static_cast<unsigned char>(letter)]);
    reader.memory().make_room(sequences.codes, record.sequence.size());
    reader.memory().make_room_in_each(sequences.names, sequences.begin);
    reader.memory().take(record.name.size());
    sequences.append(std::move(record.name),
                     {reinterpret_cast<const u8*>(record.sequence.data()), record.sequence.size()});
  }
}

/// Bytes of sequences without their letters.
u64 table_bytes(u64 count) {
  return count * (sizeof(std::string) + sizeof(u64));
}

/// Concatenates parts of a file in their order and frees each after copying. @throws DoesNotFit
Sequences joined(const std::filesystem::path& path, std::vector<Sequences> parts) {
  u64 residues = 0, count = 0;
  for (const Sequences& part : parts) {
    residues += part.residues();
    count += part.count();
  }
  require_host_memory(residues + table_bytes(count), "reading " + path.string());
  Sequences all;
  all.codes.reserve(residues);
  advise_huge_pages(all.codes.data(), all.codes.capacity());
  all.names.reserve(count);
  all.begin.reserve(count + 1);
  for (Sequences& part : parts) {
    const u64 before = all.residues();
    all.codes.insert(all.codes.end(), part.codes.begin(), part.codes.end());
    all.names.insert(all.names.end(), std::move_iterator(part.names.begin()),
                     std::move_iterator(part.names.end()));
    for (u64 i = 0; i < part.count(); ++i) all.begin.push_back(before + part.begin[i + 1]);
    part = {};
  }
  return all;
}

/// Reads a large plain file with all threads. nullopt for other files, and if anything is rejected: reading
/// in order then reports the line and the record. @throws DoesNotFit
std::optional<Sequences> read_in_pieces(const std::filesystem::path& path) {
  constexpr u64 kPieceBytes = 256 << 10, kLeastPieces = 4;
  std::error_code error;
  if (!is_file_to_open_again(path) || std::filesystem::file_size(path, error) < kLeastPieces * kPieceBytes ||
      error || ByteSource(path).is_gzip())
    return std::nullopt;
  SequencePieces cut(path, kPieceBytes);
  std::vector<SequencePiece> pieces;
  while (auto piece = cut.next()) pieces.push_back(std::move(*piece));
  std::vector<Sequences> parts(pieces.size());
  GrowingMemory memory("reading " + path.string());  // for the sum of all parts; each part alone always fits
  std::mutex counting;
  const auto parse = [&](std::size_t i) {
    cut.load(pieces[i]);
    const std::string bytes = std::exchange(pieces[i].bytes, {});
    std::string_view rest = bytes;
    const auto next_bytes = [&] { return std::exchange(rest, {}); };
    gpuseq::SequenceReader reader = reader_of(path, next_bytes, i == 0 ? char{0} : cut.marker());
    parts[i].codes.reserve(bytes.size());
    append_records(path, reader, 0, parts[i]);
    const u64 headers = bytes.size() - parts[i].residues();
    const std::lock_guard lock(counting);
    memory.take(parts[i].codes.capacity() + headers + table_bytes(parts[i].count()));
  };
  std::atomic<bool> refused = false;
  ThreadPool(0, false).parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    try {
      for (std::size_t i = begin; i < end && !refused; ++i) parse(i);
    } catch (const UsageError&) {
      refused = true;
    }
  });
  if (refused) return std::nullopt;
  return joined(path, std::move(parts));
}

Sequences read_fasta(const std::filesystem::path& path, u64 most_sequences) {
  if (most_sequences == 0)
    if (auto sequences = read_in_pieces(path)) return std::move(*sequences);
  gpuseq::SequenceReader reader = reader_of(path, bytes_ahead(path), 0);
  Sequences sequences;
  sequences.codes.reserve(likely_residues(path, most_sequences));
  advise_huge_pages(sequences.codes.data(), sequences.codes.capacity());
  append_records(path, reader, most_sequences, sequences);
  return sequences;
}

}  // namespace

u32 Sequences::longest() const {
  u32 most = 0;
  for (u64 i = 0; i < count(); ++i) most = std::max(most, length(i));
  return most;
}

u64 Sequences::count_empty() const {
  u64 empty = 0;
  for (u64 i = 0; i < count(); ++i) empty += length(i) == 0 ? 1 : 0;
  return empty;
}

void Sequences::append(std::string name, std::span<const u8> residues) {
  names.push_back(std::move(name));
  codes.insert(codes.end(), residues.begin(), residues.end());
  begin.push_back(codes.size());
}

Sequences read_sequences(const std::filesystem::path& path, u64 most_sequences) {
  return path.extension() == ".psq" ? read_blast_volume(path, most_sequences)
                                    : read_fasta(path, most_sequences);
}

std::string warning_of_empty(const Sequences& sequences) {
  const u64 empty = sequences.count_empty();
  return empty == 0 ? ""
                    : fmt::format("warning: {} of {} sequences have no residues and get no score", empty,
                                  sequences.count());
}

void write_fasta(std::ostream& out, const Sequences& sequences) {
  std::string text;
  for (u64 i = 0; i < sequences.count(); ++i) {
    text += '>' + sequences.names[i] + '\n';
    const auto row = sequences.row(i);
    for (std::size_t from = 0; from < row.size(); from += kLettersOfLine) {
      for (const u8 code : row.subspan(from, std::min(kLettersOfLine, row.size() - from)))
        text += code == kGap ? '.' : kResidueLetters[code];  // hmmsearch rejects '-' in FASTA
      text += '\n';
    }
    if (text.size() <= 1 << 20) continue;
    out << text;
    text.clear();
  }
  out << text;
}

}  // namespace gpuseq::profile_hmm
