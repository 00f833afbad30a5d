#include "kernels/fm_index/data/queries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "kernels/fm_index/data/query_packing.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr std::size_t kQueriesPerTask = 4096;

/// So many of `count` things, evenly spread: whether this is one, and how many of those before it are.
bool chosen(u64 at, u32 percent) {
  return (at + 1) * percent / 100 > at * percent / 100;
}
u64 chosen_before(u64 at, u32 percent) {
  return at * percent / 100;
}

bool occurs(const Sampling& sampling, u64 position) {
  return chosen(position, sampling.occurring_percent);
}

/// Among queries that occur as among the others, so that an N changes no share.
bool has_n(const Sampling& sampling, u64 position) {
  const u64 occurring = chosen_before(position, sampling.occurring_percent);
  return chosen(occurs(sampling, position) ? occurring : position - occurring, sampling.n_percent);
}

u32 bases_of(const Sampling& sampling, u64 position) {
  constexpr u64 kLengthStream = 0x4c656e67746873;  // apart from the seed of the places
  const u32 least = sampling.least_bases();
  if (least == sampling.bases) return least;
  Random random(sampling.seed ^ kLengthStream, position);
  return least + static_cast<u32>(random.below(sampling.bases - least + 1));
}

/// Queries of the lengths that are asked for with nothing in them yet.
Queries empty_queries(const Sampling& sampling) {
  const u64 most = packed_words(sampling.bases) / 4;
  if (sampling.count * std::max<u64>(most, 1) >= kMostUnits)
    throw UsageError(fmt::format("query_count: found {}, allowed for queries of {} bases: fewer than {}",
                                 sampling.count, sampling.bases, kMostUnits / std::max<u64>(most, 1)));
  require_host_memory(sampling.count * (most * 16 + 12), "the queries");
  Queries result;
  result.total = sampling.count;
  for (auto* const numbers : {&result.begin, &result.bases, &result.source}) numbers->reserve(sampling.count);
  u64 units = 0;
  for (u64 i = 0; i < sampling.count; ++i) {
    if (has_n(sampling, i)) continue;
    const u32 bases = bases_of(sampling, i);
    result.begin.push_back(static_cast<u32>(units));
    result.bases.push_back(bases);
    result.source.push_back(static_cast<u32>(i));
    result.total_bases += bases;
    result.longest = std::max(result.longest, bases);
    units += packed_words(bases) / 4;
  }
  result.packed.resize(units * 4);
  return result;
}

void put_random(u32* packed, u32 bases, Random& random) {
  for (u64 i = 0; i < bases; ++i) put_base(packed, i, static_cast<u32>(random() >> 62));
}

/// A query on its way out of a column.
struct Walk {
  u64 query = 0;
  u64 row = 0;
  u32 at = 0;
  u32 starts = 0;
  Random random{0};
};

/// Walks the queries [begin, end): several at a time, so that their memory accesses overlap.
class Walkers {
 public:
  Walkers(const ColumnRank& rank, const Sampling& sampling, Queries& queries, u64 begin, u64 end)
      : rank_(rank), sampling_(sampling), queries_(queries), next_(begin), end_(end) {}

  void run() {
    constexpr std::size_t kWalks = 32;
    std::vector<Walk> walks;
    for (Walk walk; walks.size() < kWalks && begin_query(walk);) walks.push_back(walk);
    for (std::size_t i = 0; !walks.empty(); i = i + 1 < walks.size() ? i + 1 : 0) {
      if (i >= walks.size()) i = 0;
      if (step(walks[i]) || begin_query(walks[i])) continue;
      walks[i] = walks.back();
      walks.pop_back();
    }
  }

 private:
  u32* packed(u64 query) { return queries_.packed.data() + u64{queries_.begin[query]} * 4; }

  /// Takes the next query that needs a walk; false when there is none.
  bool begin_query(Walk& walk) {
    for (; next_ < end_; ++next_) {
      const u64 position = queries_.source[next_];
      Random random(sampling_.seed, position);
      if (!occurs(sampling_, position)) {
        put_random(packed(next_), queries_.bases[next_], random);
      } else if (queries_.bases[next_] > 0) {
        walk = {.query = next_++, .row = 0, .at = 0, .starts = 0, .random = random};
        start(walk);
        return true;
      }
    }
    return false;
  }

  void start(Walk& walk) {
    constexpr u32 kStarts = 1000;
    const u32 bases = queries_.bases[walk.query];
    if (++walk.starts > kStarts)
      throw UsageError(
          fmt::format("query_bases: no query of {} bases can be walked out of a synthetic reference "
                      "of {} bases",
                      bases, rank_.rows() - 1));
    std::fill_n(packed(walk.query), packed_words(bases), 0u);
    walk.at = 0;
    walk.row = walk.random.below(rank_.rows());
    rank_.prefetch(walk.row);
  }

  /// One base; false when the query is complete.
  bool step(Walk& walk) {
    if (walk.row == rank_.dollar_row()) {
      start(walk);
      return true;
    }
    const u32 symbol = rank_.symbol(walk.row);
    put_base(packed(walk.query), walk.at++, symbol);
    if (walk.at == queries_.bases[walk.query]) return false;
    walk.row = rank_.lf(symbol, walk.row);
    rank_.prefetch(walk.row);
    return true;
  }

  const ColumnRank& rank_;
  const Sampling& sampling_;
  Queries& queries_;
  u64 next_, end_;
};

}  // namespace

void Queries::add(std::string_view letters) {
  const u64 start = packed.size(), position = total++;
  packed.resize(start + packed_words(letters.size()));
  if (!pack_query(letters, packed.data() + start)) {
    packed.resize(start);
    return;
  }
  begin.push_back(static_cast<u32>(start / 4));
  bases.push_back(static_cast<u32>(letters.size()));
  source.push_back(static_cast<u32>(position));
  total_bases += letters.size();
  longest = std::max(longest, bases.back());
}

std::string Queries::letters(u32 query) const {
  std::string result;
  const u32* symbols = packed.data() + u64{begin[query]} * 4;
  for (u32 i = bases[query]; i-- > 0;) result += "ACGT"[symbols[i / 16] >> (2 * (i % 16)) & 3];
  return result;
}

std::string Queries::name_in_file(u64 position) const {
  const auto named = [this](u64 record) {
    return record < names.size() && !names[record].empty() ? names[record] : std::to_string(record + 1);
  };
  if (first_kmers.empty()) return named(position);
  const auto read = std::prev(std::ranges::upper_bound(first_kmers, position));
  return fmt::format("{}:{}", named(static_cast<u64>(read - first_kmers.begin())), position - *read + 1);
}

std::vector<u32> Queries::in_file_order() const {
  std::vector<u32> order(source.size());
  std::iota(order.begin(), order.end(), 0u);
  if (!std::ranges::is_sorted(source))
    std::ranges::sort(order, {}, [this](u32 query) { return source[query]; });
  return order;
}

Queries read_queries(const std::filesystem::path& path, u64 count) {
  SequenceReader reader(path);
  Queries result;
  Sequence record;
  while ((count == 0 || result.total < count) && reader.next(record)) {
    const u64 words = packed_words(record.sequence.size());
    if ((result.packed.size() + words) / 4 >= kMostUnits)
      throw UsageError(fmt::format("{}: more than {} units of 64 bases; give a smaller query_count",
                                   path.string(), kMostUnits));
    if (record.sequence.size() > std::numeric_limits<u32>::max())
      throw UsageError(fmt::format("{}:{}: record {} '{}': {} bases, allowed: up to {}", path.string(),
                                   record.line, result.total + 1, record.name, record.sequence.size(),
                                   std::numeric_limits<u32>::max()));
    reader.memory().make_room(result.packed, words);
    reader.memory().make_room_in_each(result.begin, result.bases, result.source, result.names);
    reader.memory().take(record.name.size());
    result.add(record.sequence);
    result.names.push_back(record.name);
  }
  result.empty_records = reader.empty_records();
  if (result.total < count)
    throw UsageError(fmt::format("query_count: found {}, but {} has {} queries (0 takes all)", count,
                                 path.string(), result.total));
  return result;
}

Queries sample_queries(std::span<const u8> text, const Sampling& sampling, ThreadPool& pool) {
  if (sampling.bases > text.size() && sampling.occurring_percent > 0)
    throw UsageError(
        fmt::format("query_bases: found {}, but the reference that queries are taken from has {} bases",
                    sampling.bases, text.size()));
  Queries result = empty_queries(sampling);
  pool.parallel_for(result.begin.size(), kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
    for (u64 query = begin; query < end; ++query) {
      const u64 position = result.source[query];
      const u32 bases = result.bases[query];
      Random random(sampling.seed, position);
      u32* packed = result.packed.data() + u64{result.begin[query]} * 4;
      if (!occurs(sampling, position)) {
        put_random(packed, bases, random);
        continue;
      }
      const u64 last = random.below(text.size() - bases + 1) + bases;
      for (u64 i = 0; i < bases; ++i) put_base(packed, i, text[last - 1 - i]);
    }
  });
  return result;
}

Queries walk_queries(const ColumnRank& rank, const Sampling& sampling, ThreadPool& pool) {
  Queries result = empty_queries(sampling);
  pool.parallel_for(result.begin.size(), kQueriesPerTask, [&](std::size_t begin, std::size_t end) {
    Walkers(rank, sampling, result, begin, end).run();
  });
  return result;
}

}  // namespace gpuseq::fm_index
