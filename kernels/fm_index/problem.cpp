#include "kernels/fm_index/problem.hpp"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <map>

#include "kernels/fm_index/data/cache.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/data/layout_members.hpp"
#include "kernels/fm_index/data/psi.hpp"
#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "kernels/fm_index/data/verify.hpp"
#include "kernels/fm_index/kmers.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/query_order.hpp"
#include "kernels/fm_index/traffic.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_index {
namespace {

using Tell = std::function<void(const std::string&)>;

/// Memory that building takes until layouts are made. The first column and its ranks, 2 and
/// 4 bits per base, come when the memory of sorting is free again, but for the suffix array.
std::string memory_of(u64 bases, int threads) {
  const bool buckets = bases < kSort64;
  const u64 sorting = sorting_bytes(bases, buckets, threads);
  const u64 positions = bases * (buckets ? sizeof(u32) : sizeof(u64));
  const auto shown = [](u64 bytes) { return with_decimal_prefix(static_cast<double>(bytes), "bytes"); };
  return fmt::format(
      "{} bases of text; the suffix array takes {}, sorting it {} more, then ranks and their column {}; {} "
      "are available",
      bases, shown(positions), shown(sorting - positions), shown(bases / 4 * 3), shown(free_host_bytes()));
}

}  // namespace

struct FmProblem::State {
  ProblemSpec spec;
  std::string reference_name, queries_name;
  bool synthetic = false;
  QueryOrder order = QueryOrder::as_given;
  Reference reference;  // no text when synthetic
  Bwt bwt;
  std::optional<SuffixArray> suffixes;  // kept only where no cache holds them
  std::optional<BwtCache> cache;        // of a real text
  bool from_cache = false;
  Queries queries;
  std::string hash;
  double load_s = 0, sort_s = 0, order_s = 0;
  /// The seconds of the work before queries are loaded.
  struct Seconds {
    double reference = 0, cache = 0, sorting = 0, transform = 0, ranks = 0;
  } seconds;
  std::vector<std::string> notes;

  std::unique_ptr<ColumnRank> rank;
  Layout last_layout;
  u32 last_prefix_symbols = 0;
  std::shared_ptr<const Index> last_index;
  std::map<RowsRead, Traffic> last_traffic;  // of this index
  bool has_expected = false;
  std::vector<u32> checked;
  std::vector<Interval<u64>> expected;

  State(const ProblemSpec& problem_spec, const Tell& tell);

  void load_reference(const Tell& tell, ThreadPool& pool);
  Queries read_query_file() const;
  /// Begins with a small file of queries while the text is opened; without a future where there is none, or
  /// no second thread.
  std::future<Queries> read_beside() const;
  void load_queries(std::future<Queries> beside, ThreadPool& pool);
  void put_in_order(ThreadPool& pool);
  /// The BWT of the text, from the cache or by sorting.
  void sort(const Tell& tell, ThreadPool& pool);
  SuffixArray take_suffixes(ThreadPool& pool);
  Index build(const Layout& layout, u32 prefix_symbols, ThreadPool& pool);
  void make_expected();
  const ColumnRank& column_rank(ThreadPool& pool);
};

FmProblem::State::State(const ProblemSpec& problem_spec, const Tell& tell) : spec(problem_spec) {
  spec.point = problem_space().complete(spec.point);
  reference_name = spec.point.word("reference");
  queries_name = spec.point.word("queries");
  const auto start = std::chrono::steady_clock::now();
  std::future<Queries> beside = read_beside();
  ThreadPool pool(spec.threads);
  load_reference(tell, pool);
  const auto ranking = std::chrono::steady_clock::now();
  column_rank(pool);  // every layout is made with it
  seconds.ranks = seconds_since(ranking);
  load_queries(std::move(beside), pool);
  put_in_order(pool);
  Hash content;
  content.update(std::span<const u8>(reference.text));
  if (synthetic) content.update(std::span<const u64>(bwt.columns[0].planes));
  content.update(std::span<const u64>(&bwt.columns[0].dollar_row, 1));
  content.update(std::span<const u32>(queries.packed)).update(std::span<const u32>(queries.bases));
  content.update(std::span<const u32>(queries.source)).update(std::span<const u64>(&queries.total, 1));
  hash = content.hex16();
  load_s = seconds_since(start);
}

void FmProblem::State::load_reference(const Tell& tell, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const u64 asked = static_cast<u64>(spec.point.integer("reference_bases"));
  const u64 bases = asked == 0 ? kGeneratedBases : asked;
  if (reference_name == "synthetic") {
    synthetic = true;
    require_host_memory(bases / 4 * 3, "a synthetic reference with its rank structure");  // 2 + 4 bits each
    bwt = synthetic_bwt(bases, spec.seed, pool);
    return;
  }
  if (reference_name == "random") {
    require_host_memory(bases, "a random reference");
    reference = random_reference(bases, spec.seed, pool);
  } else {
    const auto& file = data_file(spec, "reference", "random, synthetic");
    reference = read_reference(file, asked);
    warn_of_empty_records(notes, file, reference.empty_records, "is skipped");
  }
  constexpr u64 kStrainStream = 0x53747261696e73;
  add_strains(reference, strains_of(spec.point), spec.seed ^ kStrainStream, pool);
  seconds.reference = seconds_since(start);
  sort(tell, pool);
}

void FmProblem::State::sort(const Tell& tell, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  cache.emplace(spec.cache_dir, reference.text);
  if (auto cached = cache->load_bwt(pool)) {
    bwt = std::move(*cached);
    from_cache = true;
  } else {
    tell(memory_of(reference.text.size(), pool.size()));
    auto phase = std::chrono::steady_clock::now();
    SuffixArray sorted = sort_suffixes(reference.text, pool);
    seconds.sorting = seconds_since(std::exchange(phase, std::chrono::steady_clock::now()));
    bwt = bwt_of(reference.text, sorted, pool);
    seconds.transform = seconds_since(phase);
    if (!cache->store(bwt, sorted)) suffixes = std::move(sorted);
  }
  if (!cache->note().empty()) notes.push_back(cache->note());
  sort_s = seconds_since(start);
  seconds.cache = sort_s - seconds.sorting - seconds.transform;
}

Queries FmProblem::State::read_query_file() const {
  const u64 count = static_cast<u64>(spec.point.integer("query_count"));
  const u32 kmer_bases = static_cast<u32>(spec.point.integer("kmer_bases"));
  const auto& file = data_file(spec, "queries", "sampled");
  return kmer_bases == 0 ? read_queries(file, count) : read_kmers(file, count, kmer_bases);
}

std::future<Queries> FmProblem::State::read_beside() const {
  constexpr u64 kSmall = u64{1} << 26;  // little compared with the memory of a text and the time to refuse it
  const auto file = spec.files.find(queries_name);
  std::error_code error;
  if (spec.threads == 1 || queries_name == "sampled" || file == spec.files.end() ||
      !is_file_to_open_again(file->second) || std::filesystem::file_size(file->second, error) > kSmall ||
      error)
    return {};
  return std::async(std::launch::async, [this] { return read_query_file(); });
}

void FmProblem::State::load_queries(std::future<Queries> beside, ThreadPool& pool) {
  if (queries_name != "sampled") {
    queries = beside.valid() ? beside.get() : read_query_file();
    warn_of_empty_records(notes, data_file(spec, "queries", "sampled"), queries.empty_records,
                          "is an empty query");
    return;
  }
  const u32 kmer_bases = static_cast<u32>(spec.point.integer("kmer_bases"));
  constexpr u64 kQueryStream = 0x51756572696573;  // apart from the seed of the reference
  const Sampling sampling = sampling_of(spec.point, spec.seed ^ kQueryStream);
  queries = synthetic ? walk_queries(column_rank(pool), sampling, pool)
                      : sample_queries(reference.text, sampling, pool);
  if (kmer_bases > 0) queries = kmers_of(queries, kmer_bases);
}

void FmProblem::State::put_in_order(ThreadPool& pool) {
  order = query_order(spec.point.word("query_order"));
  if (order == QueryOrder::as_given) return;
  const auto start = std::chrono::steady_clock::now();
  queries = reordered(queries, order, pool);
  order_s = seconds_since(start);
}

const ColumnRank& FmProblem::State::column_rank(ThreadPool& pool) {
  if (!rank) rank = std::make_unique<ColumnRank>(bwt, pool);
  return *rank;
}

SuffixArray FmProblem::State::take_suffixes(ThreadPool& pool) {
  if (suffixes) return std::move(*std::exchange(suffixes, std::nullopt));
  if (auto cached = cache->load_suffixes()) return std::move(*cached);
  if (!spec.cache_dir.empty())
    notes.push_back(cache->note().empty() ? cache->path().string() + " is gone; sorted again"
                                          : cache->note());
  SuffixArray sorted = sort_suffixes(reference.text, pool);
  cache->store(bwt, sorted);
  return sorted;
}

Index FmProblem::State::build(const Layout& layout, u32 prefix_symbols, ThreadPool& pool) {
  const ColumnRank& ranks = column_rank(pool);
  if (layout.verify()) {
    if (suffixes) return build_verify_index(layout, reference.text, *suffixes, ranks, pool);
    return build_verify_index(layout, reference.text, take_suffixes(pool), ranks, pool);
  }
  const auto start = std::chrono::steady_clock::now();
  if (!layout.by_psi() && layout.k <= kMaxK) derive_columns(bwt, layout.k, pool);
  const double columns_s = seconds_since(start);
  Index index = build_index(bwt, ranks, layout, prefix_symbols, pool);
  index.columns_s = columns_s;
  return index;
}

void FmProblem::State::make_expected() {
  if (has_expected) return;
  ThreadPool pool(spec.threads);
  checked = checked_queries(queries.begin.size());
  expected = synthetic ? search_column(bwt, queries, checked, pool)
                       : search_suffixes(reference.text, take_suffixes(pool), queries, checked, pool);
  has_expected = true;
}

std::unique_ptr<FmProblem> load_problem(const ProblemSpec& spec, const Tell& tell) {
  return std::make_unique<FmProblem>(std::make_unique<FmProblem::State>(spec, tell));
}

FmProblem::FmProblem(std::unique_ptr<State> state) : state_(std::move(state)) {}
FmProblem::~FmProblem() = default;

std::string FmProblem::hash() const {
  return state_->hash;
}
bool FmProblem::synthetic() const {
  return state_->synthetic;
}
u64 FmProblem::bases() const {
  return state_->bwt.rows - 1;
}
std::span<const u8> FmProblem::text() const {
  return state_->reference.text;
}

const Reference& FmProblem::reference() const {
  return state_->reference;
}
const Bwt& FmProblem::bwt() const {
  return state_->bwt;
}
const ColumnRank& FmProblem::rank() const {
  return *state_->rank;
}
SuffixArray FmProblem::take_suffixes() {
  ThreadPool pool(state_->spec.threads);
  return state_->take_suffixes(pool);
}

std::optional<std::filesystem::path> FmProblem::source_file() const {
  const State& state = *state_;
  const auto file = state.spec.files.find(state.reference_name);
  const bool read = file != state.spec.files.end() && state.spec.point.integer("reference_bases") == 0;
  const Reference& text = state.reference;
  const bool whole = text.records == 1 && text.left_out == 0 && text.empty_records == 0;  // of one strain
  return read && whole ? std::optional(file->second) : std::nullopt;
}

bool FmProblem::wide() const {
  return state_->bwt.rows >= u64{1} << 32;
}
const Queries& FmProblem::queries() const {
  return state_->queries;
}
bool FmProblem::ordered() const {
  return state_->order != QueryOrder::as_given;
}
std::string FmProblem::why_no_bound() const {
  return fm_index::why_no_bound(state_->spec.point);
}
double FmProblem::order_s() const {
  return state_->order_s;
}
const std::filesystem::path& FmProblem::cache_dir() const {
  return state_->spec.cache_dir;
}
std::vector<std::string> FmProblem::notes() const {
  return state_->notes;
}

std::span<const u32> FmProblem::checked() const {
  state_->make_expected();
  return state_->checked;
}

std::span<const Interval<u64>> FmProblem::expected() const {
  state_->make_expected();
  return state_->expected;
}

std::string FmProblem::label(const Point& problem) const {
  std::string label = data_name(problem, "reference");
  if (const Strains strains = strains_of(problem); strains.count > 1)
    label += fmt::format(", {} strains, {} of 1000 bases mutated", strains.count, strains.mutations_per_1000);
  label += ", " + with_decimal_prefix(static_cast<double>(bases()), "bases");
  const std::string queries = data_name(problem, "queries");
  const bool sampled = queries == "sampled";
  const Sampling sampling = sampling_of(problem, 0);
  const std::string lengths = sampling.least_bases() == sampling.bases
                                  ? fmt::format("{} bases", sampling.bases)
                                  : fmt::format("{} to {} bases", sampling.least_bases(), sampling.bases);
  if (const auto kmer_bases = problem.integer("kmer_bases"); kmer_bases > 0)
    label += fmt::format(", {}-mers of ", kmer_bases) + (sampled ? "reads of " + lengths : queries);
  else
    label += sampled ? ", queries of " + lengths : ", queries " + queries;
  if (sampled && sampling.occurring_percent < 100)
    label += fmt::format(", {} % occur", sampling.occurring_percent);
  if (sampled && sampling.n_percent > 0) label += fmt::format(", {} % with N", sampling.n_percent);
  return ordered() ? fmt::format("{}, {}", label, words_of(state_->order)) : label;
}

nlohmann::json FmProblem::describe() const {
  const State& state = *state_;
  return {{"reference", state.reference_name},
          {"reference_bases", bases()},
          {"reference_records", state.reference.records},
          {"letters_left_out", state.reference.left_out},
          {"synthetic", state.synthetic},
          {"wide", wide()},
          {"queries", state.queries_name},
          {"query_count", state.queries.total},
          {"queries_searched", state.queries.begin.size()},
          {"query_bases", state.queries.total_bases},
          {"longest_query_bases", state.queries.longest},
          {"seed", state.spec.seed},
          {"load_s", state.load_s},
          {"build_s", state.sort_s},
          {"reference_s", state.seconds.reference},
          {"cache_s", state.seconds.cache},
          {"sorting_s", state.seconds.sorting},
          {"transform_s", state.seconds.transform},
          {"ranks_s", state.seconds.ranks},
          {"from_cache", state.from_cache},
          {"notes", state.notes}};
}

void FmProblem::require(const Layout& layout) const {
  if (layout.psi()) require_psi(layout, bases() + 1);
  if (layout.elias_fano()) require_elias_fano(bases() + 1);
  if (layout.verify()) require_verify(layout, bases() + 1, synthetic());
}

std::shared_ptr<const Index> FmProblem::index(const Layout& layout, u32 prefix_symbols) {
  State& state = *state_;
  if (state.last_index && same(layout, state.last_layout) && prefix_symbols == state.last_prefix_symbols)
    return state.last_index;
  state.last_index.reset();  // its memory is needed for the next
  state.last_traffic.clear();
  ThreadPool pool(state.spec.threads);
  require(layout);
  state.last_index = std::make_shared<const Index>(state.build(layout, prefix_symbols, pool));
  state.last_layout = layout;
  state.last_prefix_symbols = prefix_symbols;
  return state.last_index;
}

Traffic FmProblem::count_traffic(const Index& index, RowsRead rows_read) const {
  // Without a bound nothing is computed from heat.
  const HeatWalk heat{.most_visits = why_no_bound().empty() ? HeatWalk().most_visits : 0,
                      .threads = state_->spec.threads};
  const auto count = [&] {
    return fm_index::count_traffic(index, state_->queries, rows_read, kMostWalked,
                                   strains_of(state_->spec.point), heat);
  };
  if (&index != state_->last_index.get()) return count();
  const auto known = state_->last_traffic.find(rows_read);
  return known != state_->last_traffic.end() ? known->second
                                             : state_->last_traffic.emplace(rows_read, count()).first->second;
}

}  // namespace gpuseq::fm_index
