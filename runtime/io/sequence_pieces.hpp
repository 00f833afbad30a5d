#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/cuda/device/host_device.cuh"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/file_descriptor.hpp"

namespace gpuseq {

/// Whole records of a FASTA or FASTQ file, for parsing independently of the others.
struct SequencePiece {
  u64 number = 0;                       // from 0 on
  u64 offset = 0, size = 0;             // in the file; for gzip and pipes in the decompressed bytes
  std::string bytes;                    // empty until loaded
  std::exception_ptr damage = nullptr;  // error of the file after these bytes; then this is the last piece
};

/// Cuts a FASTA or FASTQ file between records, gzip or plain, without parsing it. load() reads a plain file,
/// on any thread; for others next() returns the bytes.
///
/// In FASTA every line that begins with '>' begins a record. In FASTQ a quality may begin with '@': a
/// record is assumed to begin at a '@' two lines before a '+', which is correct for every well-formed
/// file. In a malformed file a piece may begin inside a record: parsers must read the file from a rejected
/// piece on as one stream.
class SequencePieces {
 public:
  /// @param piece_bytes  approximate: a piece ends at the first record that begins after this many bytes
  /// @throws UsageError if the file is missing, a folder or unreadable
  explicit SequencePieces(const std::filesystem::path& path, u64 piece_bytes);

  /// The next piece; nullopt after the last. Call from one thread at a time.
  /// @throws DoesNotFit for a record that exceeds the host's memory
  std::optional<SequencePiece> next();
  /// Reads the bytes of a piece that has none yet. Any thread may call it. @throws UsageError if
  /// reading fails; DoesNotFit
  void load(SequencePiece& piece) const;
  /// The first character of the first line with text, known after the first piece; 0: there is none.
  char marker() const { return marker_.value_or(0); }

 private:
  std::optional<SequencePiece> next_plain();
  std::optional<SequencePiece> next_stream();
  u64 end_in_file();
  u64 end_in_stream();
  void hold(u64 bytes);
  std::string_view held() const { return std::string_view(held_).substr(held_from_); }
  void read_at(u64 offset, char* to, u64 bytes) const;

  std::filesystem::path path_;
  u64 piece_bytes_;
  u64 number_ = 0, at_ = 0;
  std::optional<char> marker_;
  FileDescriptor file_;  // of a plain file, else empty
  u64 file_bytes_ = 0;
  std::optional<ByteSource> source_;  // of other files
  std::string held_;                  // from source_
  u64 held_from_ = 0;                 // bytes of held_ that are already in pieces
  bool ended_ = false;
  std::exception_ptr damage_;  // error at the end of source_
  GrowingMemory memory_;
};

}  // namespace gpuseq
