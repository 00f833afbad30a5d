#include "kernels/fm_index/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/data/query_packing.hpp"
#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_index/problem.hpp"
#include "kernels/fm_index/psi_traffic.hpp"
#include "kernels/fm_index/traffic/step_blocks.hpp"
#include "kernels/fm_index/verify_traffic.hpp"

namespace gpuseq::fm_index {
namespace {

constexpr u64 kUnitBases = 64;

u64 units_of(u64 bases) {
  return packed_words(bases) / 4;
}

/// The sum of so many numbers, evenly distributed from `least` to `most` with this mean. By Hoeffding's
/// inequality one of 10^16 seeds exceeds it.
u64 sum_at_most(u64 count, u64 least, u64 most, double mean) {
  const double numbers = static_cast<double>(count), range = static_cast<double>(most - least);
  const double sum = numbers * mean + 4.3 * range * std::sqrt(numbers);
  return std::min(count * most, static_cast<u64>(std::ceil(sum)));
}

QuerySizes of_sampled(const Point& problem) {
  const Sampling sampling = sampling_of(problem, 0);
  const SampledQueries sampled = sampled_queries(problem);
  const u64 least = sampling.least_bases(), longest = sampling.bases;
  if (const auto kmer_bases = static_cast<u64>(problem.integer("kmer_bases")); kmer_bases > 0) {
    const double mean = static_cast<double>(sampled.count + 1) / static_cast<double>(sampling.count);
    const u64 kmers = least == longest ? sampled.count
                                       : sum_at_most(sampling.count, kmers_in(least, kmer_bases),
                                                     kmers_in(longest, kmer_bases), mean);
    return {.known = true,
            .count = kmers,
            .bases = kmers * kmer_bases,
            .units = kmers * units_of(kmer_bases),
            .least = kmer_bases,
            .longest = kmer_bases};
  }
  const u64 count = sampled.searched;
  const u64 bases = sum_at_most(count, least, longest, static_cast<double>(least + longest) / 2);
  return {.known = true,
          .count = count,
          .bases = bases,
          .units = least == longest
                       ? count * units_of(longest)
                       : std::min(count * units_of(longest), (bases + (kUnitBases - 1) * count) / kUnitBases),
          .least = least,
          .longest = longest};
}

QuerySizes of_file(const Point& problem, u64 letters) {
  if (const auto kmer_bases = static_cast<u64>(problem.integer("kmer_bases")); kmer_bases > 0)
    return {.known = true,
            .count = letters,
            .bases = letters * kmer_bases,
            .units = letters * units_of(kmer_bases),
            .least = kmer_bases,
            .longest = kmer_bases};
  const auto asked = static_cast<u64>(problem.integer("query_count"));
  const u64 most = (letters + 1) / 2;  // an empty FASTA record: `>` and the end of a line
  const u64 count = asked == 0 ? most : std::min(asked, most);
  return {.known = true,
          .count = count,
          .bases = letters,
          .units = (letters + (kUnitBases - 1) * count) / kUnitBases,
          .least = 0,
          .longest = letters};
}

/// The estimate of count_traffic()'s counts.
Traffic estimated_traffic(const Layout& layout, u32 prefix_symbols, const SearchSizes& sizes,
                          bool synthetic) {
  if (layout.psi()) return estimated_psi_traffic(layout, prefix_symbols, sizes);
  if (layout.verify()) return estimated_verify_traffic(layout, sizes, synthetic);
  const StepSizes steps = step_sizes(sizes, prefix_symbols, layout.k, sizes.deep_bases());
  // l and h are in one entry, or in two. In an even text at most one in 32 narrow intervals is in two.
  const double narrow = steps.all - steps.wide;
  const double pairs =
      sizes.even ? std::min(2 * narrow, narrow * 9 / 8 + steps.slack) + 2 * steps.wide : 2 * steps.all;
  Traffic traffic{
      .blocks = most_places_of_mapping(layout) * pairs + lookups_at_most(sizes, prefix_symbols),
      .footprint_bytes = sizes.bases == 0 ? 0 : entries_bytes_at_most(layout, sizes.rows(), sizes.even),
      .access = kSearchAccess};
  if (layout.elias_fano()) {
    // Queries that the prefix table answers alone read sectors of it.
    const bool no_steps = sizes.queries.known && steps.all == 0;
    traffic.block_bytes = layout.line_bytes;
    traffic.least_block_bytes = no_steps ? kSectorBytes : layout.line_bytes;
    return traffic;
  }
  // With alternate counters a counter may be in the next entry.
  const u64 whole = u64{layout.entry_bytes()} * (layout.alternate() ? 2 : 1);
  const u64 rows = layout.one_hot() ? whole : u64{layout.chunks()} * layout.chunk_bytes() + kSectorBytes / 2;
  const u64 longest = std::max(kOneBlockBytes, (rows + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
  traffic.block_bytes = static_cast<std::size_t>(std::min(whole, longest));
  traffic.least_block_bytes = kSectorBytes;
  return traffic;
}

}  // namespace

QuerySizes query_sizes(const StateOutline& state) {
  if (state.problem.word("queries") == "sampled") return of_sampled(state.problem);
  const u64 letters = state.letters("queries", 0, {});
  return letters == 0 ? QuerySizes() : of_file(state.problem, letters);
}

u32 SearchSizes::deep_bases() const {
  u32 symbols = 0;
  while (symbols < 32 && (rows() >> (2 * symbols)) > 1) ++symbols;
  return symbols + 1;
}

SearchSizes search_sizes(const StateOutline& state) {
  const std::string& reference = state.problem.word("reference");
  const bool generated = reference == "random" || reference == "synthetic";
  return {.bases = reference_bases(state),
          .even = generated && strains_of(state.problem).count == 1,
          .queries = query_sizes(state)};
}

double lookups_at_most(const SearchSizes& sizes, u32 prefix_symbols) {
  const bool any = prefix_symbols > 0 && sizes.queries.longest > 0;
  return any ? static_cast<double>(sizes.queries.count) : 0;
}

u64 steps_of_query(u64 bases, u32 prefix_symbols, u32 k) {
  const auto whole = static_cast<u32>(std::min<u64>(bases, std::numeric_limits<u32>::max()));
  return (whole - prefix_length(whole, prefix_symbols, k)) / k;
}

StepSizes step_sizes(const SearchSizes& sizes, u32 prefix_symbols, u32 k, u32 deep_bases) {
  constexpr u64 kLeastSlack = 40;
  const QuerySizes& queries = sizes.queries;
  const double count = static_cast<double>(queries.count);
  const u64 most = steps_of_query(queries.longest, prefix_symbols, k);
  StepSizes steps{.slack = kLeastSlack * sizes.scale(kMostWalked)};
  double scaled = 1;  // walked queries may be shorter than the others
  if (queries.are_alike()) {
    steps.all = count * static_cast<double>(most);
  } else if (most > 0) {
    // The most steps per base: the prefix table answers the smallest share of the longest query.
    constexpr double kShorter = 1.2;
    const double answered = prefix_symbols + 1 >= k ? prefix_symbols + 1 - k : 0;
    const auto longest = static_cast<double>(queries.longest);
    steps.all = static_cast<double>(queries.bases) * (longest - answered) / longest / k;
    if (queries.count > kMostWalked) scaled = kShorter;
  }
  const u64 opening = queries.are_alike()       ? queries.longest - most * k
                      : prefix_symbols + 1 >= k ? prefix_symbols + 1 - k
                                                : 0;
  const u64 wide = deep_bases <= opening ? 0 : std::min(most, (deep_bases - opening + k - 1) / k);
  steps.wide = std::min(steps.all, scaled * count * static_cast<double>(wide));
  return steps;
}

u64 index_bytes_at_most(const Layout& layout, const SearchSizes& sizes) {
  if (sizes.bases == 0) return 0;
  return entries_bytes_at_most(layout, sizes.rows(), sizes.even) + superblocks_bytes(layout, sizes.rows());
}

Layout layout_for(Layout layout, const SearchSizes& sizes) {
  layout.wide = layout.may_be_wide() && sizes.rows() >= u64{1} << 32;
  return layout;
}

Cost search_cost(const Layout& narrow, u32 prefix_symbols, const StateOutline& state) {
  const SearchSizes sizes = search_sizes(state);
  const Layout layout = layout_for(narrow, sizes);
  const u64 interval_bytes = layout.wide ? sizeof(Interval<u64>) : sizeof(Interval<u32>);
  // Throws where there is no such layout.
  const Traffic traffic =
      estimated_traffic(layout, prefix_symbols, sizes, state.problem.word("reference") == "synthetic");
  Cost cost{.work = {.amount = static_cast<double>(sizes.queries.bases), .unit = kQueryBases},
            .held = HeldMemory()
                        .add(kIndexPart, index_bytes_at_most(layout, sizes))
                        .add(kPrefixTablePart, prefix_bytes(layout, prefix_symbols))
                        .add(kQueriesPart, sizes.queries.bytes())
                        .add(kOutputPart, sizes.queries.count * interval_bytes),
            .traffic = std::nullopt,
            .instructions = std::nullopt,
            .why_no_bound = why_no_bound(state.problem)};
  if (cost.why_no_bound.empty()) cost.traffic = traffic;
  return cost;
}

}  // namespace gpuseq::fm_index
