#include "kernels/papara/data/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/papara/data/reference_alignment.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::papara {
namespace {

/// Bases without gaps.
std::vector<u8> stripped(Alphabet alphabet, std::string_view letters) {
  std::vector<u8> bases;
  bases.reserve(letters.size());
  for (const char letter : letters)
    if (!is_gap(letter)) bases.push_back(letter_code(alphabet, letter));
  return bases;
}

u8 random_base(Alphabet alphabet, Random& random) {
  return code_of(alphabet, static_cast<u32>(random.below(letters_of(alphabet))));
}

u8 other_base(Alphabet alphabet, u8 base, Random& random) {
  const u32 set = sets_of(alphabet)[base], letters = letters_of(alphabet);
  if (!std::has_single_bit(set)) return random_base(alphabet, random);
  const u64 other = static_cast<u32>(std::countr_zero(set)) + 1 + random.below(letters - 1);
  return code_of(alphabet, static_cast<u32>(other % letters));
}

void copy_with_errors(Alphabet alphabet, std::span<const u8> row, const Sampling& sampling,
                      std::span<u8> query, Random& random) {
  u64 at = row.size() > query.size() ? random.below(row.size() - query.size() + 1) : 0;
  for (u8& base : query) {
    const double indel = random.uniform();
    if (indel < sampling.indel_share / 2) {
      base = random_base(alphabet, random);  // an insertion: the row's base is used for the next base
      continue;
    }
    if (indel < sampling.indel_share) ++at;
    base = at < row.size() ? row[at] : random_base(alphabet, random);
    ++at;
    if (random.uniform() < sampling.substitution_share) base = other_base(alphabet, base, random);
  }
}

/// Names, lengths and offsets of the queries, without bases.
Queries empty_queries(const Sampling& sampling) {
  if (sampling.shortest == 0 || sampling.shortest > sampling.longest)
    throw UsageError(fmt::format("shortest_query: found {}, allowed: 1 to longest_query, which is {}",
                                 sampling.shortest, sampling.longest));
  if (sampling.count > std::numeric_limits<u32>::max())
    throw UsageError(fmt::format("query_count: found {}, allowed: less than 2^32", sampling.count));
  Queries queries;
  Random random(sampling.seed);
  u64 bases = 0;
  for (u32 query = 0; query < sampling.count; ++query) {
    queries.names.push_back(fmt::format("q{}", query + 1));
    queries.source.push_back(query);
    queries.begin.push_back(bases);
    queries.bases.push_back(sampling.shortest +
                            static_cast<u32>(random.below(sampling.longest - sampling.shortest + 1)));
    queries.longest = std::max(queries.longest, queries.bases.back());
    bases += queries.bases.back();
  }
  queries.codes.resize(bases);
  return queries;
}

}  // namespace

void append_query(Queries& queries, std::string name, std::span<const u8> codes, u32 most) {
  if (!codes.empty() && codes.size() <= most) {
    queries.begin.push_back(queries.codes.size());
    queries.bases.push_back(static_cast<u32>(codes.size()));
    queries.source.push_back(static_cast<u32>(queries.names.size()));
    queries.codes.insert(queries.codes.end(), codes.begin(), codes.end());
    queries.longest = std::max(queries.longest, queries.bases.back());
  }
  queries.empty += codes.empty() ? 1 : 0;
  queries.names.push_back(std::move(name));
}

Queries read_queries(const std::filesystem::path& path, Alphabet alphabet, u32 sites, u64 count) {
  SequenceReadOptions options;
  options.alphabet = std::string(all_letters(alphabet)) + "-.?";
  SequenceReader reader(path, options);
  Queries queries;
  while (count == 0 || queries.names.size() < count) {
    auto record = reader.next();
    if (!record) break;
    if (queries.names.size() == std::numeric_limits<u32>::max())
      throw UsageError(fmt::format("{}: more than {} queries", path.string(), queries.names.size()));
    if (record->name.empty()) record->name = fmt::format("{}", queries.names.size() + 1);
    reader.memory().make_room(queries.codes, record->sequence.size());
    reader.memory().make_room_in_each(queries.names, queries.begin, queries.bases, queries.source);
    reader.memory().take(record->name.size());
    append_query(queries, std::move(record->name), stripped(alphabet, record->sequence), sites);
  }
  if (queries.names.size() < count)
    throw UsageError(fmt::format("query_count: found {}, but {} has {} queries (0 takes all)", count,
                                 path.string(), queries.names.size()));
  return queries;
}

Queries sample_queries(const ReferenceAlignment& alignment, const Sampling& sampling, ThreadPool& pool) {
  Queries queries = empty_queries(sampling);
  if (alignment.rows.empty() || queries.count() == 0) return queries;
  std::vector<std::vector<u8>> rows(alignment.rows.size());
  pool.parallel_for(rows.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      rows[row] = stripped(alignment.alphabet, alignment.rows[row]);
  });
  pool.parallel_for(queries.count(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t query = begin; query < end; ++query) {
      Random random(sampling.seed, query);
      const auto codes = std::span(queries.codes).subspan(queries.begin[query], queries.bases[query]);
      copy_with_errors(alignment.alphabet, rows[random.below(rows.size())], sampling, codes, random);
    }
  });
  return queries;
}

}  // namespace gpuseq::papara
