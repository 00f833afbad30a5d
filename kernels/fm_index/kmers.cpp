#include "kernels/fm_index/kmers.hpp"

#include <fmt/format.h>

#include "kernels/fm_index/data/query_packing.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::fm_index {
namespace {

/// @param where  they come from
void require_numbers(u64 kmers, u32 kmer_bases, const std::string& where) {
  const u64 most = kMostUnits / (packed_words(kmer_bases) / 4);
  if (kmers >= most)
    throw UsageError(
        fmt::format("{}: more than {} {}-mers; give a smaller query_count", where, most - 1, kmer_bases));
}

void add_kmers(Queries& queries, std::string_view read, u32 kmer_bases) {
  queries.first_kmers.push_back(queries.total);
  const u64 count = kmers_in(read.size(), kmer_bases);
  for (u64 at = 0; at < count; ++at) queries.add(read.substr(at, kmer_bases));
}

}  // namespace

Queries read_kmers(const std::filesystem::path& path, u64 count, u32 kmer_bases) {
  SequenceReader reader(path);
  Queries result;
  Sequence record;
  while ((count == 0 || result.names.size() < count) && reader.next(record)) {
    const u64 more = kmers_in(record.sequence.size(), kmer_bases);
    require_numbers(result.total + more, kmer_bases, path.string());
    reader.memory().make_room(result.packed, more * packed_words(kmer_bases));
    for (auto* const numbers : {&result.begin, &result.bases, &result.source})
      reader.memory().make_room(*numbers, more);
    reader.memory().make_room_in_each(result.first_kmers, result.names);
    reader.memory().take(record.name.size());
    add_kmers(result, record.sequence, kmer_bases);
    result.names.push_back(record.name);
  }
  result.empty_records = reader.empty_records();
  if (result.names.size() < count)
    throw UsageError(fmt::format("query_count: found {}, but {} has {} reads (0 takes all)", count,
                                 path.string(), result.names.size()));
  return result;
}

Queries kmers_of(const Queries& reads, u32 kmer_bases) {
  u64 count = 0;
  for (const u32 bases : reads.bases) count += kmers_in(bases, kmer_bases);
  require_numbers(count, kmer_bases, fmt::format("{} reads", reads.total));
  const u64 words = packed_words(kmer_bases);
  require_host_memory(count * (words * 4 + 12), "the k-mers");
  Queries result;
  result.packed.reserve(count * words);
  for (auto* const numbers : {&result.begin, &result.bases, &result.source}) numbers->reserve(count);
  for (u32 read = 0; read < reads.begin.size(); ++read) add_kmers(result, reads.letters(read), kmer_bases);
  return result;
}

}  // namespace gpuseq::fm_index
