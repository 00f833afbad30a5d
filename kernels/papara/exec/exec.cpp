#include "kernels/papara/exec/exec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/papara/exec/aligned_output.hpp"
#include "kernels/papara/exec/traceback.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::papara {
namespace {

std::vector<Alignment> align_best(const PaparaProblem& problem, std::span<const Best> best) {
  std::vector<Alignment> alignments(best.size());
  ThreadPool pool;
  pool.parallel_for(best.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t query = begin; query < end; ++query)
      alignments[query] = align(problem.references().row(best[query].reference), problem.queries().row(query),
                                problem.penalties());
  });
  for (u32 query = 0; query < best.size(); ++query)
    if (alignments[query].score != best[query].score)
      throw std::logic_error(fmt::format("query {}: the scoring phase found {}, the alignment phase {}",
                                         problem.queries().names[problem.queries().source[query]],
                                         best[query].score, alignments[query].score));
  return alignments;
}

/// Calls write(out, query) for each query in file order; queries that were not aligned get `fields` times NA.
template <typename Write>
void write_queries(std::ostream& out, const Queries& queries, std::size_t fields, Write write) {
  u32 next = 0;
  for (u32 position = 0; position < queries.names.size(); ++position) {
    out << queries.names[position];
    if (next < queries.count() && queries.source[next] == position)
      write(next++);
    else
      for (std::size_t field = 0; field < fields; ++field) out << "\tNA";
    out << '\n';
  }
}

void write_scores(std::ostream& out, const Queries& queries, std::span<const Best> best,
                  std::span<const Alignment> alignments) {
  out << "query\tedge\tscore\tties\tfirst_site\tlast_site\tinserted\n";
  write_queries(out, queries, 6, [&](u32 query) {
    const auto& bases = alignments[query].bases;
    const auto inserted = std::ranges::count_if(bases, [](const PlacedBase& base) { return base.inserted; });
    const auto on_site = [](const PlacedBase& base) { return !base.inserted; };
    const auto first = std::find_if(bases.begin(), bases.end(), on_site);
    const auto last = std::find_if(bases.rbegin(), bases.rend(), on_site);
    out << '\t' << best[query].reference << '\t' << best[query].score << '\t' << best[query].ties;
    if (first == bases.end())
      out << "\tNA\tNA";
    else
      out << '\t' << first->site + 1 << '\t' << last->site + 1;
    out << '\t' << inserted;
  });
}

void write_matrix(std::ostream& out, const Queries& queries, u32 references, std::span<const i32> scores) {
  out << "query";
  for (u32 reference = 0; reference < references; ++reference) out << '\t' << reference;
  out << '\n';
  std::string line;
  write_queries(out, queries, references, [&](u32 query) {
    line.clear();
    for (const i32 score : scores.subspan(u64{query} * references, references))
      fmt::format_to(std::back_inserter(line), "\t{}", score);
    out << line;
  });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> data_roles() {
  return {
      {"alignment", "reference alignment: FASTA or PHYLIP, gzip or plain"},
      {"tree", "Newick or NEXUS tree of the alignment's sequences, gzip or plain"},
      {"queries", "reads: FASTA or FASTQ, gzip or plain; gaps are stripped"},
      {"out", "tab-separated: query, best edge, score, ties, first and last site (from 1), inserted bases"}};
}

std::vector<std::pair<std::string, std::string>> output_roles() {
  return {{"alignment",
           "reference alignment and aligned queries: PHYLIP if it ends in .phy or .phylip, FASTA else"},
          {"tree", "Newick tree with the edges' numbers in braces, as jplace has them"},
          {"all-scores", "tab-separated: the score of every query at every edge"}};
}

LoadedProblem load_request(const ExecRequest& request) {
  ProblemSpec spec{.point = request.problem,
                   .files = request.data,
                   .seed = request.seed,
                   .cache_dir = request.cache_dir,
                   .threads = 0};
  for (const char* role : {"alignment", "tree", "queries"}) {
    if (!request.data.contains(role)) throw UsageError(fmt::format("exec papara needs --data {}=path", role));
    spec.point.set(role, std::string(role));
  }
  return load_with_sources(spec);
}

std::vector<std::string> write_answers(const LoadedProblem& loaded, std::span<const i32> scores,
                                       OutputFiles& files) {
  const PaparaProblem& problem = *loaded.problem;
  const Queries& queries = problem.queries();
  const u64 references = problem.references().count;
  std::vector<Best> best;
  for (u32 query = 0; query < queries.count(); ++query)
    best.push_back(best_of(scores.subspan(query * references, references)));
  const std::vector<Alignment> alignments = align_best(problem, best);
  write_scores(files.at("out"), queries, best, alignments);
  if (files.has("all-scores"))
    write_matrix(files.at("all-scores"), queries, problem.references().count, scores);
  if (files.has("tree")) write_tree(loaded.tree, files.at("tree"));
  std::vector<std::string> remarks = problem.notes();
  if (files.has("alignment")) {
    const DistinctNames names = distinct_names(loaded.alignment, queries);
    if (names.renamed > 0)
      remarks.push_back(fmt::format(
          "{} queries have the name of another sequence; --alignment has them as NAME_queryNUMBER",
          names.renamed));
    write_aligned(files.at("alignment"), is_phylip_name(files.path("alignment")), loaded.alignment,
                  names.of_queries, queries, alignments);
  }
  files.commit();
  return remarks;
}

}  // namespace gpuseq::papara
