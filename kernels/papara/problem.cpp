#include "kernels/papara/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/papara/problem_state.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

void check_references(const References& references) {
  if (references.codes.size() != references.count * references.row_bytes())
    throw UsageError(fmt::format("references: found {} codes, allowed: {} references of {} sites ({})",
                                 references.codes.size(), references.count, references.sites,
                                 alphabet_word(references.alphabet)));
  const u32 planes = planes_of(references.alphabet);
  for (u32 row = 0; row < references.count; ++row)
    for (const u8 code : references.row(row).plane(planes - 1))
      if (code > (kStateMask | kCgapFlag))
        throw UsageError(
            fmt::format("references: found {} for the highest bits of a site, allowed: 0 to 31", code));
}

void check_queries(const Queries& queries, Alphabet alphabet, u32 sites) {
  const std::size_t count = queries.bases.size();
  if (queries.begin.size() != count || queries.source.size() != count)
    throw UsageError(fmt::format("queries: found {} lengths, {} places and {} sources, allowed: as many each",
                                 count, queries.begin.size(), queries.source.size()));
  u32 longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const u32 bases = queries.bases[i];
    if (bases == 0 || bases > sites)
      throw UsageError(
          fmt::format("queries: query {} has {} bases, allowed: 1 to the {} sites", i, bases, sites));
    if (queries.begin[i] > queries.codes.size() || bases > queries.codes.size() - queries.begin[i] ||
        queries.source[i] >= queries.names.size())
      throw UsageError(fmt::format("queries: query {} lies outside the codes or the names", i));
    longest = std::max(longest, bases);
  }
  if (longest != queries.longest)
    throw UsageError(
        fmt::format("queries: the longest is said to have {} bases and has {}", queries.longest, longest));
  for (const u8 code : queries.codes)
    if (code == 0 || code >= code_count(alphabet))
      throw UsageError(
          fmt::format("queries: found the code {}, allowed: 1 to {}", code, code_count(alphabet) - 1));
}

void check_penalties(const Penalties& penalties) {
  const auto& [mismatch, cgap, gap_open, gap_extend, insertion] = penalties;
  if (std::min({mismatch, cgap, gap_open, gap_extend, insertion}) < 0 || gap_open < gap_extend)
    throw UsageError(fmt::format(
        "penalties: found mismatch {}, cgap {}, gap_open {}, gap_extend {}, insertion {}, allowed: "
        "at least 0, and gap_open at least gap_extend",
        mismatch, cgap, gap_open, gap_extend, insertion));
}

}  // namespace

void PaparaProblem::State::finish() {
  check_penalties(penalties);
  check_references(references);
  check_queries(queries, references.alphabet, references.sites);
  const std::array<u32, 4> sizes{references.count, references.sites, queries.count(),
                                 static_cast<u32>(queries.names.size())};
  const std::array<i32, 5> costs{penalties.mismatch, penalties.cgap, penalties.gap_open, penalties.gap_extend,
                                 penalties.insertion};
  Hash content;
  // Hashes the alphabet unless it is dna, as the same bytes mean other letters.
  if (references.alphabet != Alphabet::dna) content.update(alphabet_word(references.alphabet));
  content.update(std::span<const u32>(sizes)).update(std::span<const i32>(costs));
  content.update(std::span<const u8>(references.codes)).update(std::span<const u8>(queries.codes));
  content.update(std::span<const u64>(queries.begin)).update(std::span<const u32>(queries.bases));
  content.update(std::span<const u32>(queries.source));
  hash = content.hex16();
}

PaparaProblem::PaparaProblem(std::unique_ptr<State> state) : state_(std::move(state)) {}
PaparaProblem::~PaparaProblem() = default;

std::string PaparaProblem::hash() const {
  return state_->hash;
}
const References& PaparaProblem::references() const {
  return state_->references;
}
const Queries& PaparaProblem::queries() const {
  return state_->queries;
}
const Penalties& PaparaProblem::penalties() const {
  return state_->penalties;
}
const std::filesystem::path& PaparaProblem::cache_dir() const {
  return state_->cache_dir;
}
std::vector<std::string> PaparaProblem::notes() const {
  return state_->notes;
}

double PaparaProblem::cells() const {
  return all_cells(state_->references, state_->queries);
}

std::string PaparaProblem::label(const Point& problem) const {
  std::string label;
  for (const char* axis : {"alignment", "queries"})
    if (const std::string data = data_name(problem, axis); data != "evolved") label += data + ", ";
  label += fmt::format("{} queries", state_->queries.count());
  if (data_name(problem, "queries") == "evolved") {
    const auto shortest = problem.integer("shortest_query"), longest = problem.integer("longest_query");
    const std::string_view letters = letters_word(state_->references.alphabet);
    label += shortest == longest ? fmt::format(" of {} {}", longest, letters)
                                 : fmt::format(" of {} to {} {}", shortest, longest, letters);
  }
  return label +
         fmt::format(" x {} references of {} sites", state_->references.count, state_->references.sites);
}

nlohmann::json PaparaProblem::describe() const {
  const State& state = *state_;
  const auto& [mismatch, cgap, gap_open, gap_extend, insertion] = state.penalties;
  const References& references = state.references;
  u64 cgap_sites = 0;
  for (u32 row = 0; row < references.count; ++row)
    for (const u8 code : references.row(row).plane(planes_of(references.alphabet) - 1))
      cgap_sites += (code & kCgapFlag) != 0;
  u64 bases = 0;
  for (const u32 length : state.queries.bases) bases += length;
  const auto share = [](u64 part, u64 of) {
    return of == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(of);
  };
  nlohmann::json result = state.origin;
  result.update({{"alphabet", alphabet_word(references.alphabet)},
                 {"references", references.count},
                 {"sites", references.sites},
                 {"cgap_share", share(cgap_sites, u64{references.count} * references.sites)},
                 {"query_count", state.queries.names.size()},
                 {"queries_aligned", state.queries.count()},
                 {"query_bases", bases},
                 {"mean_query_bases", share(bases, state.queries.count())},
                 {"longest_query_bases", state.queries.longest},
                 {"cells", cells()},
                 {"mismatch", mismatch},
                 {"cgap", cgap},
                 {"gap_open", gap_open},
                 {"gap_extend", gap_extend},
                 {"insertion", insertion},
                 {"notes", state.notes}});
  return result;
}

std::map<std::string, std::filesystem::path> PaparaProblem::write_files(const std::filesystem::path&) const {
  for (const char* role : {"alignment", "tree", "queries"})
    if (!state_->files.contains(role))
      throw ResourceError(fmt::format("other programs read files: {} is evolved", role));
  return state_->files;
}

std::span<const Pair> PaparaProblem::checked() const {
  State& state = *state_;
  std::call_once(state.checked_once, [&] {
    ThreadPool pool(state.threads);
    state.checked = score_pairs(choose_pairs(state.references, state.queries, kCheckedCells),
                                state.references, state.queries, state.penalties, pool);
  });
  return state.checked.pairs;
}

std::span<const i32> PaparaProblem::expected() const {
  checked();
  return state_->checked.scores;
}

std::unique_ptr<PaparaProblem> make_problem(References references, Queries queries,
                                            const Penalties& penalties) {
  auto state = std::make_unique<PaparaProblem::State>();
  state->references = std::move(references);
  state->queries = std::move(queries);
  state->penalties = penalties;
  state->finish();
  return std::make_unique<PaparaProblem>(std::move(state));
}

}  // namespace gpuseq::papara
