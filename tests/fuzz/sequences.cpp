#include <optional>
#include <utility>

#include "runtime/io/sequence_pieces.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/runtime/gzip.hpp"

// FASTA and FASTQ, plain and gzip. Data that are read as one stream are read alike in pieces and compressed.

using namespace gpuseq;

namespace {

void check(const Sequence& record, bool fastq) {
  fuzz::require(record.quality.size() == (fastq ? record.sequence.size() : 0), "a quality of another length");
}

/// Records as text, to compare them; nullopt: refused.
std::optional<std::string> as_stream(const std::filesystem::path& file) {
  std::string all;
  const bool read = fuzz::accepts(file.filename().string(), [&] {
    SequenceReader reader(file);
    while (const auto record = reader.next()) {
      check(*record, reader.is_fastq());
      all += record->name + '\1' + record->description + '\1' + record->sequence + '\1' + record->quality +
             '\1' + std::to_string(record->line) + '\n';
    }
  });
  return read ? std::optional(all) : std::nullopt;
}

/// The same from pieces; of those that have been read, line numbers count on.
std::string in_pieces(const std::filesystem::path& file, u64 piece_bytes) {
  std::string all;
  SequencePieces pieces(file, piece_bytes);
  SequenceReadStart start;
  for (u64 number = 0; auto piece = pieces.next(); ++number) {
    fuzz::require(piece->number == number, "pieces out of order");
    start.marker = pieces.marker();
    pieces.load(*piece);
    fuzz::require(piece->bytes.size() == piece->size && piece->damage == nullptr, "a piece of another size");
    const auto bytes = [at = std::string_view(piece->bytes)]() mutable { return std::exchange(at, {}); };
    SequenceReader reader(file, bytes, {}, start);
    while (const auto record = reader.next())
      all += record->name + '\1' + record->description + '\1' + record->sequence + '\1' + record->quality +
             '\1' + std::to_string(record->line) + '\n';
    start = reader.position();
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content = fuzz::text_of(data, size);
  const auto file = fuzz::folder().write("reads.fa", content);
  const auto stream = as_stream(file);
  const bool compress = size % 8 == 0 && !content.starts_with("\x1f\x8b");  // it takes long
  if (compress)
    fuzz::require(as_stream(fuzz::folder().write("reads.fa.gz", gzip(content))) == stream,
                  "compressed, it reads otherwise");
  if (!stream) return 0;
  for (const u64 piece_bytes : {u64{1}, u64{50}})
    fuzz::require(in_pieces(file, piece_bytes) == *stream, "in pieces, it reads otherwise");
  return 0;
}
