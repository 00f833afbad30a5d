#include "kernels/papara/data/load.hpp"

#include <fmt/format.h>

#include <chrono>

#include "kernels/papara/data/evolution.hpp"
#include "kernels/papara/data/parsimony.hpp"
#include "kernels/papara/data/queries.hpp"
#include "kernels/papara/outline.hpp"
#include "kernels/papara/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/data_file.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::papara {
namespace {

constexpr u64 kQueryStream = 0x51756572696573;  // differs from the seed of the alignment

class Stopwatch {
 public:
  /// Seconds since the last call or the start.
  double lap_s() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

u32 size_of(const Point& point, std::string_view axis) {
  return static_cast<u32>(point.integer(axis));
}

/// The file of an axis; nullptr: evolved. @throws UsageError if a name is not a data entry
const std::filesystem::path* file_of(const ProblemSpec& spec, const std::string& axis) {
  return spec.point.word(axis) == "evolved" ? nullptr : &data_file(spec, axis, "evolved");
}

void load_alignment(const ProblemSpec& spec, LoadedProblem& loaded, ThreadPool& pool) {
  const auto* alignment_file = file_of(spec, "alignment");
  const auto* tree_file = file_of(spec, "tree");
  if (alignment_file != nullptr && tree_file != nullptr) {
    loaded.alignment = read_alignment(*alignment_file, alphabet_of(spec.point));
    loaded.tree = read_tree(*tree_file);
    return;
  }
  const u32 asked = size_of(spec.point, "references");
  const Evolution evolution{.tips = tips_for_edges(asked == 0 ? kEvolvedReferences : asked),
                            .sites = size_of(spec.point, "sites"),
                            .seed = spec.seed,
                            .alphabet = alphabet_of(spec.point)};
  require_host_memory(u64{evolution.tips} * (evolution.sites + 200),
                      "an evolved alignment");  // 200: bytes of the tree per tip
  auto [tree, alignment] = evolve(evolution, pool);
  loaded.tree = std::move(tree);
  loaded.alignment = std::move(alignment);
}

Queries load_queries(const ProblemSpec& spec, const ReferenceAlignment& alignment, ThreadPool& pool) {
  const u64 count = static_cast<u64>(spec.point.integer("query_count"));
  const auto sites = static_cast<u32>(alignment.sites());
  if (const auto* file = file_of(spec, "queries"))
    return read_queries(*file, alignment.alphabet, sites, count);
  const Sampling sampling{.count = count == 0 ? kEvolvedQueries : count,
                          .shortest = size_of(spec.point, "shortest_query"),
                          .longest = size_of(spec.point, "longest_query"),
                          .seed = spec.seed ^ kQueryStream};
  if (sampling.longest > sites)
    throw UsageError(fmt::format("longest_query: found {}, allowed: 1 to the {} sites of the alignment",
                                 sampling.longest, sites));
  require_host_memory(sampling.count * (sampling.longest + 64), "the queries");  // 64: name and offset
  return sample_queries(alignment, sampling, pool);
}

u32 references_asked(const ProblemSpec& spec, const Tree& tree) {
  const u32 asked = size_of(spec.point, "references");
  if (asked > tree.edges())
    throw UsageError(
        fmt::format("references: found {}, but the tree has {} edges (0 takes all)", asked, tree.edges()));
  return asked == 0 && spec.point.word("tree") == "evolved" ? kEvolvedReferences : asked;
}

References references_of(const ProblemSpec& spec, const LoadedProblem& loaded, ThreadPool& pool) {
  const u32 asked = references_asked(spec, loaded.tree);
  require_host_memory(u64{asked == 0 ? loaded.tree.edges() : asked} * loaded.alignment.sites() *
                          planes_of(loaded.alignment.alphabet),
                      "the ancestral states");
  return ancestral_states(loaded.tree, loaded.alignment, asked, pool);
}

/// Scores are 32-bit integers in all variants, with space above them for infinity.
void require_scores_fit(const Penalties& penalties, const Queries& queries) {
  constexpr u64 kMostScore = u64{1} << 29;
  const u64 worst = u64{queries.longest} * static_cast<u64>(penalties.mismatch + penalties.cgap);
  if (worst > kMostScore)
    throw UsageError(fmt::format("mismatch and cgap: a query of {} bases may cost {}, allowed: up to {}",
                                 queries.longest, worst, kMostScore));
}

/// Remarks that a user of files may not expect.
std::vector<std::string> notes_of(const PaparaProblem::State& state, const ProblemSpec& spec,
                                  const Tree& tree) {
  std::vector<std::string> notes;
  const u64 all = state.queries.names.size();
  if (state.queries.empty > 0)
    notes.push_back(fmt::format("warning: {} of {} queries are not aligned: they have no base",
                                state.queries.empty, all));
  if (const u64 long_ones = all - state.queries.count() - state.queries.empty; long_ones > 0)
    notes.push_back(
        fmt::format("warning: {} of {} queries are not aligned: they have more bases than the {} sites",
                    long_ones, all, state.references.sites));
  if (spec.point.word("tree") != "evolved" && state.references.count < tree.edges())
    notes.push_back(fmt::format("the first {} of {} edges", state.references.count, tree.edges()));
  return notes;
}

}  // namespace

LoadedProblem load_with_sources(const ProblemSpec& given) {
  ProblemSpec spec = given;
  spec.point = problem_space().complete(spec.point);
  LoadedProblem loaded;
  auto state = std::make_unique<PaparaProblem::State>();
  state->cache_dir = spec.cache_dir;
  state->threads = spec.threads;
  state->penalties = penalties_of(spec.point);
  ThreadPool pool(spec.threads);
  Stopwatch watch;
  load_alignment(spec, loaded, pool);
  state->queries = load_queries(spec, loaded.alignment, pool);
  const double load_s = watch.lap_s();
  require_scores_fit(state->penalties, state->queries);
  state->references = references_of(spec, loaded, pool);
  const double parsimony_s = watch.lap_s();
  state->notes = notes_of(*state, spec, loaded.tree);
  for (const char* role : {"alignment", "tree", "queries"})
    if (const auto* file = file_of(spec, role)) state->files.emplace(role, *file);
  state->origin = {{"alignment", spec.point.word("alignment")},
                   {"tree", spec.point.word("tree")},
                   {"queries", spec.point.word("queries")},
                   {"taxa", loaded.alignment.rows.size()},
                   {"edges", loaded.tree.edges()},
                   {"seed", spec.seed},
                   {"load_s", load_s},
                   {"preprocessing_s", parsimony_s}};
  state->finish();
  loaded.problem = std::make_unique<PaparaProblem>(std::move(state));
  return loaded;
}

std::unique_ptr<PaparaProblem> load_problem(const ProblemSpec& spec) {
  return load_with_sources(spec).problem;
}

}  // namespace gpuseq::papara
