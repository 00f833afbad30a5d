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

/// Whole records of a FASTA or FASTQ file, to be parsed apart from the others.
struct SequencePiece {
  u64 number = 0;                       // from 0 on
  u64 offset = 0, size = 0;             // in the file; of one that is decompressed or a pipe, of its bytes
  std::string bytes;                    // empty until loaded
  std::exception_ptr damage = nullptr;  // thrown by the file behind the bytes; then this is the last piece
};

/// Cuts a FASTA or FASTQ file between records, gzip or plain, without parsing it. A plain file is read by
/// load(), on any thread; of others next() has the bytes.
///
/// In FASTA every line that begins with '>' begins a record. In FASTQ a quality may begin with '@': a record
/// is taken to begin at a '@' two lines before a '+', which is so in every file that is well formed. Of
/// others a piece may begin inside a record: whoever parses pieces must go on from one that is refused as one
/// stream.
class SequencePieces {
 public:
  /// @param piece_bytes  of a piece, about: it ends where the first record behind so many begins
  /// @throws UsageError if the file is missing, a folder or unreadable
  explicit SequencePieces(const std::filesystem::path& path, u64 piece_bytes);

  /// The next piece; nullopt after the last. From one thread at a time.
  /// @throws DoesNotFit for a record that the host's memory does not hold
  std::optional<SequencePiece> next();
  /// Reads the bytes of a piece that has none yet. From any thread. @throws UsageError if reading fails;
  /// DoesNotFit
  void load(SequencePiece& piece) const;
  /// What the first line with text begins with, known after the first piece; 0: there is none.
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
  FileDescriptor file_;  // of a plain file, else none
  u64 file_bytes_ = 0;
  std::optional<ByteSource> source_;  // of others
  std::string held_;                  // from source_
  u64 held_from_ = 0;                 // bytes of it that are in pieces
  bool ended_ = false;
  std::exception_ptr damage_;  // which source_ has ended with
  GrowingMemory memory_;
};

}  // namespace gpuseq
