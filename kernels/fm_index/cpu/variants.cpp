#include <fmt/format.h>

#include "kernels/fm_index/axes.hpp"
#include "kernels/fm_index/cpu/session.hpp"
#include "kernels/fm_index/data/elias_fano.hpp"
#include "kernels/fm_index/estimate.hpp"
#include "kernels/fm_index/export.hpp"
#include "runtime/contract/axes.hpp"

namespace gpuseq::fm_index {
namespace {

using namespace std::string_literals;

Axis steps() {
  return listed_axis("k", {1, 2, 3, 4}, 1, "bases per step");
}
Axis prefix() {
  return integer_axis("prefix_symbols", {0, 8, 10, 12}, 10,
                      "bases of a query that one look-up in the prefix table replaces; 0: none", 0,
                      kMaxPrefixSymbols);
}

std::vector<Axis> sampled_layout() {
  // 16-bit lanes hold the rows of an entry and of one chunk more; larger entries are no use on a CPU anyway.
  constexpr std::int64_t kLargestD = 4096;
  return {steps(),
          integer_axis("d", {64, 128, 192, 256, 448}, 64, "rows of the BWT between two counters of a k-mer",
                       64, kLargestD, 64),
          listed_axis("counters", {"full"s, "alternate"s}, "full"s,
                      "full: each entry has the counters of all k-mers; alternate: even entries have one "
                      "half of them, odd entries the other"),
          prefix()};
}

std::vector<Axis> one_hot_layout() {
  return {steps(),
          listed_axis("d", {224, 480}, 224, "rows of the BWT per block: 224 in 32 bytes, 480 in 64 bytes"),
          prefix()};
}

Axis psi_steps() {
  return listed_axis("k", {8, 9, 10, 11, 12, 13, 14, 15, 16}, 8,
                     "bases per step; at most 64 k-mers per base of the reference");
}
std::vector<Axis> psi_table() {
  return {psi_steps(),
          listed_axis("search", {"linear"s, "binary"s, "interpolation"s}, "binary"s,
                      "search method among the entries of a k-mer"),
          prefix()};
}
std::vector<Axis> psi_lines() {
  return {psi_steps(),
          listed_axis("line_bytes", {16, 32, 64, 128}, 32,
                      "bytes of the line of a k-mer, which has its start row and entries"),
          prefix()};
}
std::vector<Axis> psi_interleaving() {
  return {integer_axis("queries_in_flight", {4, 8, 16, 32, 64}, 16,
                       "queries that a thread interleaves, eight steps at a time", 1, 4096),
          listed_axis("prefetch_to", {"l2"s, "l1"s}, "l2"s,
                      "cache level of the software prefetch for later steps"),
          listed_axis("early_exit", {"none"s, "leading_word"s}, "none"s,
                      "leading_word: the first k bases of a query are looked up first; if they do not occur, "
                      "the search ends"),
          simd_target_axis()};
}

std::vector<Axis> elias_fano_layout() {
  return {listed_axis("k", {3, 4, 5}, 4, "bases per step"),
          elias_fano_rows_axis("maximum rows of the BWT per line, which has d / 4^k entries on average"),
          listed_axis("line_bytes", {64, 128}, 64, "bytes of a line, which has a counter and entries"),
          prefix()};
}

std::vector<Axis> verify_layout() {
  return {listed_axis(
              "k", {8, 9, 10, 11, 12, 13, 14, 15, 16}, 8,
              "first bases of a query, which a table looks up; at most 64 k-mers per base of the reference"),
          listed_axis("row_bytes", {4, 8}, 8,
                      "bytes per row of the suffix array: 4 have the position of the suffix, 8 also its 16 "
                      "bases after the first k")};
}
Axis verify_interleaving() {
  return integer_axis("queries_in_flight", {4, 8, 16, 32, 64}, 32, "queries that a thread interleaves", 1,
                      4096);
}

std::vector<Axis> interleaving() {
  return {integer_axis("queries_in_flight", {8, 16, 32, 64, 96, 128}, 96, "queries that a thread interleaves",
                       1, 4096),
          listed_axis("prefetch_to", {"l2"s, "l1"s}, "l2"s,
                      "cache level of the software prefetch for later steps")};
}

SearchSpace space(std::vector<Axis> layout, std::vector<Axis> more,
                  std::vector<Constraint> constraints = {}) {
  layout.insert(layout.end(), more.begin(), more.end());
  layout.push_back(threads_axis());
  return {std::move(layout), std::move(constraints)};
}

std::vector<Axis> interleaving_by_lanes() {
  std::vector<Axis> axes = interleaving();
  axes.push_back(simd_target_axis());
  return axes;
}

u32 number(const Point& point, std::string_view axis) {
  return static_cast<u32>(point.integer(axis));
}

Layout sampled(const Point& point) {
  return {.kind = point.word("counters") == "alternate" ? LayoutKind::alternate : LayoutKind::full,
          .k = number(point, "k"),
          .d = number(point, "d")};
}
Layout one_hot(const Point& point) {
  return {.kind = LayoutKind::one_hot, .k = number(point, "k"), .d = number(point, "d")};
}
Layout psi(const Point& point) {
  return {.kind = LayoutKind::psi, .k = number(point, "k")};
}
Layout psi_lines(const Point& point) {
  return {.kind = LayoutKind::psi_lines, .k = number(point, "k"), .line_bytes = number(point, "line_bytes")};
}
Layout elias_fano(const Point& point) {
  return {.kind = LayoutKind::elias_fano,
          .k = number(point, "k"),
          .d = number(point, "d"),
          .line_bytes = number(point, "line_bytes")};
}
Layout verify(const Point& point) {
  return {.kind = LayoutKind::verify, .k = number(point, "k"), .row_bytes = number(point, "row_bytes")};
}

SearchJob one_after_the_other(const Point&) {
  return {};
}

SearchJob interleaved(const Point& point) {
  SearchJob job{};
  job.in_flight = number(point, "queries_in_flight");
  job.prefetch_to_l1 = point.word("prefetch_to") == "l1";
  return job;
}

SearchJob taking_turns(const Point& point) {
  SearchJob job{};
  job.in_flight = number(point, "queries_in_flight");
  return job;
}

SearchJob by_psi(const Point& point) {
  SearchJob job = interleaved(point);
  job.exit_early = point.word("early_exit") == "leading_word";
  return job;
}

SearchJob searching(const Point& point) {
  SearchJob job = by_psi(point);
  const std::string& search = point.word("search");
  job.search = search == "binary"          ? PsiSearch::binary
               : search == "interpolation" ? PsiSearch::interpolation
                                           : PsiSearch::linear;
  return job;
}

DispatchedKernel scalar(const Layout& layout, const Point&) {
  return scalar_kernel(layout);
}
DispatchedKernel prefetching(const Layout& layout, const Point&) {
  return prefetch_kernel(layout);
}
DispatchedKernel sampled_lanes(const Layout& layout, const Point& point) {
  return simd_kernel(layout, parse_simd_target(point.word("target")));
}
DispatchedKernel one_hot_lanes(const Layout& layout, const Point& point) {
  return one_hot_kernel(layout, parse_simd_target(point.word("target")));
}

DispatchedKernel psi_entries(const Layout& layout, const Point& point) {
  return psi_kernel(layout, parse_simd_target(point.word("target")));
}

DispatchedKernel compressed(const Layout& layout, const Point&) {
  return elias_fano_kernel(layout);
}

DispatchedKernel comparing(const Layout& layout, const Point&) {
  return verify_kernel(layout);
}

/// How a variant searches: on which layout, how queries take turns, with which kernel.
struct Way {
  Layout (*layout)(const Point&);  // of a text that is not wide
  SearchJob (*job)(const Point&);
  DispatchedKernel (*kernel)(const Layout&, const Point&);
  // For a library of its own: where the kernel is, its function, and whether that takes a target.
  std::string_view source = {}, function = {};
  bool by_target = true;
};

constexpr std::string_view kScalarSource = "kernels/fm_index/cpu/scalar.cpp",
                           kSimdSource = "kernels/fm_index/cpu/simd.cpp",
                           kOneHotSource = "kernels/fm_index/cpu/one_hot.cpp",
                           kPsiSource = "kernels/fm_index/cpu/psi.cpp";
constexpr Way kScalar{sampled, one_after_the_other, scalar, kScalarSource, "scalar_kernel", false},
    kPrefetch{sampled, interleaved, prefetching, kScalarSource, "prefetch_kernel", false},
    kSimd{sampled, interleaved, sampled_lanes, kSimdSource, "simd_kernel"},
    kOneHotSimd{one_hot, interleaved, one_hot_lanes, kOneHotSource, "one_hot_kernel"},
    kPsi{psi, searching, psi_entries, kPsiSource, "psi_kernel"},
    kPsiLines{psi_lines, by_psi, psi_entries, kPsiSource, "psi_kernel"},
    kVerify{verify, taking_turns, comparing}, kEliasFano{elias_fano, interleaved, compressed};

/// The statements that set a job as this one is, but for layout, index and queries.
std::string job_text(const SearchJob& job) {
  static constexpr std::string_view kSearches[] = {"linear", "binary", "interpolation"};
  return fmt::format(
      "  job.in_flight = {};\n"
      "  job.prefetch_to_l1 = {};\n"
      "  job.search = PsiSearch::{};\n"
      "  job.exit_early = {};\n",
      job.in_flight, job.prefetch_to_l1, kSearches[static_cast<std::size_t>(job.search)], job.exit_early);
}

/// The library of a point. Threads are its user's to choose.
Export exported_as(std::string_view name, Way way) {
  return [name, way](const Point& point) {
    const std::string target = way.by_target ? ", SimdTarget::" + point.word("target") : "";
    return exported_for_cpu(fmt::format("{} {}", name, point.to_string()), way.layout(point),
                            number(point, "prefix_symbols"),
                            {.source = way.source,
                             .kernel = fmt::format("{}(layout{})", way.function, target),
                             .job = job_text(way.job(point))});
  };
}

u32 prefix_symbols(const Layout& layout, const Point& point) {
  return layout.verify() ? 0 : number(point, "prefix_symbols");
}

EstimateCost cost_of(Way way) {
  return [way](const StateOutline& state) {
    const Layout layout = way.layout(state.point);
    static_cast<void>(way.kernel(layout, state.point));  // throws where there is none
    return search_cost(layout, prefix_symbols(layout, state.point), state);
  };
}

Prepare by(Way way) {
  return prepare_by<FmProblem>([way](FmProblem& problem, const Point& point, Device&) {
    SearchJob job = way.job(point);
    job.layout = way.layout(point);
    job.layout.wide = problem.wide();
    job.queries = problem.queries().view();
    problem.require(job.layout);
    // Before the index: an unsupported target is quick.
    const DispatchedKernel kernel = way.kernel(job.layout, point);
    return make_cpu_session(problem, kernel, job, prefix_symbols(job.layout, point),
                            static_cast<int>(point.integer("threads")));
  });
}

}  // namespace

std::vector<Variant> cpu_variants() {
  return {
      {.name = "scalar",
       .summary = "one query at a time per thread",
       .space = space(sampled_layout(), {}),
       .prepare = by(kScalar),
       .cost = cost_of(kScalar),
       .exported = exported_as("scalar", kScalar)},
      {.name = "prefetch",
       .summary = "interleaved queries, each with a software prefetch of its next entry",
       .space = space(sampled_layout(), interleaving()),
       .prepare = by(kPrefetch),
       .cost = cost_of(kPrefetch),
       .exported = exported_as("prefetch", kPrefetch)},
      {.name = "simd",
       .summary = "one query per vector lane, interleaved vectors with software prefetch",
       .space = space(sampled_layout(), interleaving_by_lanes()),
       .prepare = by(kSimd),
       .cost = cost_of(kSimd),
       .exported = exported_as("simd", kSimd)},
      {.name = "one_hot_simd",
       .summary = "one-hot bit-vectors of each k-mer: one block per step, vectorised",
       .space = space(one_hot_layout(), interleaving_by_lanes()),
       .prepare = by(kOneHotSimd),
       .cost = cost_of(kOneHotSimd),
       .exported = exported_as("one_hot_simd", kOneHotSimd)},
      {.name = "psi_simd",
       .summary = "psi table: predecessor search for l and h among the entries of a k-mer",
       .space = space(psi_table(), psi_interleaving()),
       .prepare = by(kPsi),
       .cost = cost_of(kPsi),
       .exported = exported_as("psi_simd", kPsi)},
      {.name = "psi_lines_simd",
       .summary =
           "psi table with one line per k-mer: one block per step, at an address independent of l and h",
       .space = space(psi_lines(), psi_interleaving()),
       .prepare = by(kPsiLines),
       .cost = cost_of(kPsiLines),
       .exported = exported_as("psi_lines_simd", kPsiLines)},
      {.name = "elias_fano_prefetch",
       .summary = "Elias-Fano compressed bit-vectors of each k-mer: one line per step",
       .space = space(elias_fano_layout(), interleaving(),
                      {{"lines_filled", std::string(elias_fano_fill_rule()),
                        [](const Point& point) { return is_filled(elias_fano(point)); }}}),
       .prepare = by(kEliasFano),
       .cost = cost_of(kEliasFano)},
      {.name = "verify_prefetch",
       .summary = "suffix array without FM-index: k bases are looked up, the others compared with the text",
       .space = space(verify_layout(), {verify_interleaving()}),
       .prepare = by(kVerify),
       .cost = cost_of(kVerify)}};
}

}  // namespace gpuseq::fm_index
