#include "kernels/exact_match/problem.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <mutex>

#include "kernels/exact_match/data/cache.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/io/number_text.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kMostCheckedBases = 1'000'000;

/// Queries to check: all, or evenly spaced ones with about kMostCheckedBases bases.
std::vector<u64> queries_to_check(const Queries& queries) {
  const u64 step = queries.bases() / kMostCheckedBases + 1;
  std::vector<u64> chosen;
  for (u64 query = 0; query < queries.count(); query += step) chosen.push_back(query);
  return chosen;
}

template <typename Data>
std::filesystem::path write_as_fasta(const std::filesystem::path& path, const Data& data) {
  std::ofstream out(path);
  write_fasta(out, data);
  out.close();
  if (!out) throw_unwritable(path, errno);
  return path;
}

}  // namespace

struct MatchProblem::State {
  Reference reference;
  Queries queries;
  Search search;
  std::filesystem::path cache_dir;
  int threads = 0;
  nlohmann::json origin = nlohmann::json::object();
  std::vector<std::string> notes;

  std::shared_ptr<SuffixTree> tree;
  double tree_s = 0, asked_s = 0;  // seconds of the whole tree, and of the last request
  bool from_cache = false;
  std::once_flag checked_once;
  std::vector<u64> checked;
  MatchList expected;

  void load(const ProblemSpec& spec);
  void make_tree(NodeOrder order);
};

void MatchProblem::State::load(const ProblemSpec& spec) {
  const Point point = problem_space().complete(spec.point);
  const auto size = [&](const char* axis) { return static_cast<u64>(point.integer(axis)); };
  const std::string &from = point.word("reference"), &asking = point.word("queries");
  const auto start = std::chrono::steady_clock::now();
  if (from == "random") {
    reference =
        random_reference({.bases = size("reference_bases") == 0 ? kGeneratedBases : size("reference_bases"),
                          .sequences = static_cast<u32>(size("reference_sequences")),
                          .repeat_percent = static_cast<u32>(size("repeat_percent")),
                          .seed = spec.seed});
  } else {
    const auto& file = data_file(spec, "reference", "random");
    reference = read_reference(file);
    warn_of_empty_records(notes, file, reference.empty_records, "is skipped");
  }
  if (asking == "random") {
    queries =
        simulate_reads(reference, {.count = size("query_count") == 0 ? kSimulatedReads : size("query_count"),
                                   .bases = static_cast<u32>(size("query_bases")),
                                   .errors_per_1000 = static_cast<u32>(size("errors_per_1000")),
                                   .seed = spec.seed + 1});
  } else {
    const auto& file = data_file(spec, "queries", "random");
    queries = read_queries(file, size("query_count"));
    warn_of_empty_records(notes, file, queries.count_empty(), "matches nothing");
  }
  search = search_of(point);
  cache_dir = spec.cache_dir;
  threads = spec.threads;
  origin = {{"reference", from}, {"queries", asking}, {"seed", spec.seed}, {"load_s", seconds_since(start)}};
}

void MatchProblem::State::make_tree(NodeOrder order) {
  ThreadPool pool(threads);
  LoadedTree loaded = load_tree(cache_dir, reference.text, order, pool);
  tree = std::make_shared<SuffixTree>(std::move(loaded.tree));
  tree_s = loaded.elapsed_s;
  from_cache = loaded.from_cache;
  if (!loaded.note.empty()) notes.push_back(loaded.note);
}

std::unique_ptr<MatchProblem> load_problem(const ProblemSpec& spec) {
  auto state = std::make_unique<MatchProblem::State>();
  state->load(spec);
  return std::make_unique<MatchProblem>(std::move(state));
}

std::unique_ptr<MatchProblem> make_problem(Reference reference, Queries queries, const Search& search,
                                           std::filesystem::path cache_dir) {
  auto state = std::make_unique<MatchProblem::State>();
  state->reference = std::move(reference);
  state->queries = std::move(queries);
  state->search = search;
  state->cache_dir = std::move(cache_dir);
  return std::make_unique<MatchProblem>(std::move(state));
}

MatchProblem::MatchProblem(std::unique_ptr<State> state) : state_(std::move(state)) {}
MatchProblem::~MatchProblem() = default;

std::string MatchProblem::hash() const {
  const State& state = *state_;
  Hash content;
  content.update(std::span<const u8>(state.reference.text))
      .update(std::span<const u32>(state.reference.begin));
  content.update(std::span<const u8>(state.queries.letters))
      .update(std::span<const u64>(state.queries.begin));
  const std::array<u32, 3> search{state.search.min_length, static_cast<u32>(state.search.mode),
                                  state.search.strands()};
  return content.update(std::span<const u32>(search)).hex16();
}

std::string MatchProblem::label(const Point& problem) const {
  const State& state = *state_;
  std::string label = fmt::format("l = {}, {} queries", state.search.min_length, state.queries.count());
  if (const std::string data = data_name(problem, "queries"); data != "random") {
    label += " of " + data;
  } else {
    const double errors = static_cast<double>(problem.integer("errors_per_1000")) / 10;
    label += fmt::format(" of {} bases, {},", problem.integer("query_bases"),
                         errors > 0 ? fmt::format("{} % errors", errors) : "no errors");
  }
  const std::string reference = data_name(problem, "reference");
  label += fmt::format(" in {} ({})", reference == "random" ? "a random text" : reference,
                       with_decimal_prefix(static_cast<double>(state.reference.letters()), "bases"));
  if (state.search.mode != Mode::maxmatch)
    label += fmt::format(", {}", kModeNames[static_cast<u8>(state.search.mode)]);
  return label + (state.search.both_strands ? ", both strands" : "");
}

nlohmann::json MatchProblem::describe() const {
  const State& state = *state_;
  nlohmann::json facts = state.origin;
  facts.update({{"reference_bases", state.reference.letters()},
                {"reference_sequences", state.reference.count()},
                {"reference_others", state.reference.others},
                {"query_count", state.queries.count()},
                {"query_bases", state.queries.bases()},
                {"longest_query_bases", state.queries.longest},
                {"min_length", state.search.min_length},
                {"mode", kModeNames[static_cast<u8>(state.search.mode)]},
                {"both_strands", state.search.both_strands},
                {"notes", state.notes}});
  if (state.tree)
    facts.update({{"tree_s", state.tree_s},
                  {"from_cache", state.from_cache},
                  {"tree_bytes", state.tree->bytes()},
                  {"tree_nodes", state.tree->nodes.size()}});
  return facts;
}

std::map<std::string, std::filesystem::path> MatchProblem::write_files(
    const std::filesystem::path& folder) const {
  return {{"reference", write_as_fasta(folder / "reference.fa", state_->reference)},
          {"queries", write_as_fasta(folder / "queries.fa", state_->queries)}};
}

Verification MatchProblem::check(const Answers& answers) const {
  const State& state = *state_;
  std::vector<u64> all(state.queries.count());
  for (u64 query = 0; query < all.size(); ++query) all[query] = query;
  ThreadPool pool(state.threads);
  const MatchList list = Oracle(state.reference, state.search).find(state.queries, all, pool);
  Answers expected;
  for (u64 strand = 0; strand < list.end.size(); ++strand)
    expected[state.queries.names[strand / state.search.strands()]] +=
        static_cast<double>(list.of(strand).size());
  for (const auto& [name, count] : answers)
    if (!expected.contains(name))
      return {.passed = false, .checked = 0, .reason = fmt::format("no query is named \"{}\"", name)};
  u64 checked = 0;
  for (const auto& [name, count] : expected) {
    const auto found = answers.find(name);
    const double answer = found == answers.end() ? 0 : found->second;
    ++checked;
    if (answer != count)
      return {.passed = false,
              .checked = checked,
              .reason = fmt::format("query {}: expected {} matches, found {}", name, count, answer)};
  }
  return {.passed = true, .checked = checked, .reason = ""};
}

const Reference& MatchProblem::reference() const {
  return state_->reference;
}
const Queries& MatchProblem::queries() const {
  return state_->queries;
}
const Search& MatchProblem::search() const {
  return state_->search;
}
const std::filesystem::path& MatchProblem::cache_dir() const {
  return state_->cache_dir;
}
int MatchProblem::threads() const {
  return state_->threads;
}
std::vector<std::string> MatchProblem::notes() const {
  return state_->notes;
}

std::shared_ptr<const SuffixTree> MatchProblem::tree(NodeOrder order) {
  State& state = *state_;
  const auto is_so = [&] { return state.tree && state.tree->order == order; };
  if (!is_so() && state.tree.use_count() != 1) state.make_tree(order);  // other owners keep their tree
  if (!is_so()) order_nodes(*state.tree, order);
  state.asked_s = state.tree_s;
  return state.tree;
}

std::vector<TreePart> MatchProblem::parts(u64 count, NodeOrder order) {
  State& state = *state_;
  const std::span<const u8> text = state.reference.text;
  const auto ranges = split_text(text.size(), count, std::max<u64>(state.queries.longest, 1));
  if (ranges.size() == 1) return {whole(tree(order))};
  ThreadPool pool(state.threads);
  LoadedParts loaded = load_parts(state.cache_dir, text, ranges, order, pool);
  state.asked_s = loaded.elapsed_s;
  state.notes.insert(state.notes.end(), loaded.notes.begin(), loaded.notes.end());
  return std::move(loaded.parts);
}

double MatchProblem::tree_s() const {
  return state_->asked_s;
}

std::span<const u64> MatchProblem::checked() const {
  expected();
  return state_->checked;
}

const MatchList& MatchProblem::expected() const {
  State& state = *state_;
  std::call_once(state.checked_once, [&] {
    ThreadPool pool(state.threads);
    state.checked = queries_to_check(state.queries);
    state.expected = Oracle(state.reference, state.search).find(state.queries, state.checked, pool);
  });
  return state.expected;
}

}  // namespace gpuseq::exact_match
