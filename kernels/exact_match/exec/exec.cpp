#include "kernels/exact_match/exec/exec.hpp"

#include <fmt/format.h>

#include <chrono>

#include "kernels/common/exec_files.hpp"
#include "kernels/exact_match/data/query_blocks.hpp"
#include "kernels/exact_match/exec/match_writer.hpp"
#include "kernels/exact_match/stage.hpp"
#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/output_files.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::exact_match {
namespace {

constexpr u64 kStrandsOfAText = u64{1} << 14;
constexpr std::int64_t kLongestQuery = 100'000;

using Clock = std::chrono::steady_clock;

/// Seconds, each on one thread.
struct Steps {
  double reference_s = 0, tree_s = 0, tables_s = 0, waiting_s = 0, search_s = 0, format_s = 0, write_s = 0;
  u64 queries = 0, empty_queries = 0, matches = 0, trees = 0;
  bool from_cache = false;
};

/// A block of queries with its matches.
struct Block {
  Queries queries;
  MatchList list;
};
using Texts = std::vector<std::string>;

/// Formats blocks with several threads and writes them, one block while the next is formatted. One thread
/// fills the page cache with 1 to 2 GB/s, faster than matches are found.
class Output {
 public:
  Output(OutputFiles& files, const Reference& reference, const Search& search, const MatchFormat& how,
         Steps& steps)
      : steps_(steps),
        files_(files),
        writer_(reference, search, how),
        written_(1, [this](Texts& texts) { write(texts); }),
        formatted_(2, [this](Block& block) { format(block); }) {}

  void put(Block block) { formatted_.put(std::move(block)); }
  void finish() {
    formatted_.finish();
    written_.finish();
  }

 private:
  void format(const Block& block) {
    Texts texts = used();
    {
      const ScopedSeconds timed(steps_.format_s);
      const u64 strands = block.list.end.size();
      texts.resize((strands + kStrandsOfAText - 1) / kStrandsOfAText);
      pool_.parallel_for(texts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (u64 piece = begin; piece < end; ++piece) {
          texts[piece].clear();
          writer_.write(texts[piece], block.queries, block.list, kStrandsOfAText * piece,
                        std::min<u64>(kStrandsOfAText * (piece + 1), strands));
        }
      });
    }
    written_.put(std::move(texts));
  }
  void write(Texts& texts) {
    const ScopedSeconds timed(steps_.write_s);
    for (const std::string& text : texts) files_.at("out") << text;
    files_.flush();
    const std::lock_guard lock(used_mutex_);
    used_ = std::move(texts);
  }
  /// Texts that are already written, to reuse their memory.
  Texts used() {
    const std::lock_guard lock(used_mutex_);
    return std::exchange(used_, {});
  }

  Steps& steps_;
  OutputFiles& files_;
  MatchWriter writer_;
  ThreadPool pool_{0, false};
  std::mutex used_mutex_;
  Texts used_;
  Stage<Texts> written_;
  Stage<Block> formatted_;
};

std::string summary(const Steps& steps, const Searcher& searcher, double reading_s, double total_s) {
  std::string phases;
  for (const auto& [name, seconds] : searcher.phases())
    phases += fmt::format("{}{} {:.3f} s", phases.empty() ? " (" : ", ", name, seconds);
  if (!phases.empty()) phases += ")";
  return fmt::format(
      "{} queries, {} matches, {} in {:.2f} s\none after the other: reading the reference {:.2f} s, {} "
      "{:.2f} s, making it ready {:.2f} s, waiting for queries {:.2f} s, searching {:.2f} s{}\nat the same "
      "time: reading queries {:.2f} s, summed over its threads; after searching: formatting {:.2f} s, "
      "writing {:.2f} s\n",
      steps.queries, steps.matches, steps.trees == 1 ? "one tree" : fmt::format("{} trees", steps.trees),
      total_s, steps.reference_s, steps.from_cache ? "tree from the cache" : "building the tree",
      steps.tree_s, steps.tables_s, steps.waiting_s, steps.search_s, phases, reading_s, steps.format_s,
      steps.write_s);
}

Axis flag(std::string name, std::string meaning) {
  return listed_axis(std::move(name), {std::string("no"), std::string("yes")}, std::string("no"),
                     std::move(meaning));
}

MatchFormat format_of(const Point& options) {
  const auto yes = [&](const char* name) { return options.word(name) == "yes"; };
  return {.forward_positions = yes("forward_positions"),
          .four_columns = yes("four_columns"),
          .query_lengths = yes("query_lengths"),
          .letters = yes("letters")};
}

/// How to split the reference.
struct Split {
  u64 tree_bytes, longest_query;

  /// @param usual_bytes  of a tree if the user sets no limit; 0: unlimited
  Split(const Point& options, u64 usual_bytes)
      : tree_bytes(static_cast<u64>(options.integer("memory")) << 20),
        longest_query(static_cast<u64>(options.integer("longest_query"))) {
    if (tree_bytes == 0) tree_bytes = usual_bytes;
  }
  std::vector<PartRange> ranges(u64 text_letters) const {
    if (tree_bytes == 0) return split_text(text_letters, 1, longest_query);
    return split_text(text_letters, parts_within(text_letters, longest_query, tree_bytes), longest_query);
  }
  /// @param before  queries in earlier blocks
  void check(const Queries& queries, u64 before, const std::filesystem::path& path) const {
    if (queries.longest <= longest_query) return;
    for (u64 query = 0; query < queries.count(); ++query)
      if (queries.length(query) > longest_query)
        throw UsageError(fmt::format(
            "{}: record {} ({}) has {} letters; the reference is split into trees that overlap by "
            "--longest-query {}: allowed are so many, more memory for a tree, or a larger overlap",
            path.string(), before + query + 1, queries.names[query], queries.length(query), longest_query));
  }
};

std::vector<TreePart> load_trees(const ExecRequest& request, const Reference& reference, const Split& split,
                                 NodeOrder order, Steps& steps,
                                 const std::function<void(const std::string&)>& report) {
  const ScopedSeconds timed(steps.tree_s);
  ThreadPool pool(0, false);
  LoadedParts loaded =
      load_parts(request.cache_dir, reference.text, split.ranges(reference.text.size()), order, pool);
  for (const std::string& note : loaded.notes) report(printable(note) + "\n");
  steps.from_cache = loaded.from_cache;
  steps.trees = loaded.parts.size();
  return std::move(loaded.parts);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> data_roles() {
  return {{"reference", "FASTA or FASTQ, gzip or plain, one or many sequences"},
          {"queries", "FASTA or FASTQ, gzip or plain: the queries"},
          {"out", "the maximal exact matches of every query, as mummer prints them"}};
}

const SearchSpace& exec_options() {
  static const SearchSpace space([] {
    std::vector<Axis> axes = search_axes();
    axes.push_back(flag("forward_positions",
                        "yes: matches of reverse complements have the positions of their first letters in "
                        "the given queries, mummer's -c"));
    axes.push_back(
        flag("four_columns", "yes: the name of the reference sequence in every line, mummer's -F"));
    axes.push_back(flag("query_lengths", "yes: the length of each query after its name, mummer's -L"));
    axes.push_back(flag("letters", "yes: each match in letters on a line of its own, mummer's -s"));
    axes.push_back(open_integer_axis("memory", 0, std::int64_t{1} << 30, 0,
                                     "MiB that one tree may take: a larger reference is split into "
                                     "overlapping parts, with a tree each; 0: the memory of the device"));
    axes.push_back(
        open_integer_axis("longest_query", 1, std::int64_t{1} << 30, kLongestQuery,
                          "overlap of the parts of a split reference in letters: its longest allowed query"));
    return axes;
  }());
  return space;
}

ExecReport write_matches(const ExecRequest& request, const MatchVariant& variant, Device& device,
                         const std::function<void(const std::string&)>& report) {
  const Clock::time_point start = Clock::now();
  const auto& reference_file = file_for(request.data, "reference", "exact_match", "--data reference=path");
  const auto& query_file = file_for(request.data, "queries", "exact_match", "--data queries=path");
  if (!request.problem.values().empty())
    throw UsageError(
        fmt::format("--problem {}: exec exact_match has options instead: --min-length, --mode, "
                    "--both-strands",
                    request.problem.values().front().first));
  const Point options = exec_options().complete(request.options);
  const Point point = variant.variant.space.complete(request.point);
  const Search search = search_of(options);
  const double usual_bytes = variant.tree_share * static_cast<double>(device.free_bytes());
  const Split split(options, static_cast<u64>(usual_bytes));
  OutputFiles files("exact_match", request.data, request.outputs);
  Steps steps;
  ExecReport done;
  QueryBlocks blocks(query_file);
  Reference reference;
  {
    const ScopedSeconds timed(steps.reference_s);
    reference = read_reference(reference_file);
  }
  Output output(files, reference, search, format_of(options), steps);
  const std::unique_ptr<Searcher> searcher = [&] {
    std::vector<TreePart> parts = load_trees(request, reference, split, node_order_of(point), steps, report);
    const ScopedSeconds timed(steps.tables_s);
    return variant.searcher(std::move(parts), search, point, device, request.cache_dir);
  }();
  const auto next = [&] {
    const ScopedSeconds timed(steps.waiting_s);
    return blocks.next();
  };
  for (Queries queries = next(); queries.count() > 0; queries = next()) {
    if (steps.trees > 1) split.check(queries, steps.queries, query_file);
    Block block{.queries = std::move(queries), .list = {}};
    {
      const ScopedSeconds timed(steps.search_s);
      block.list = searcher->search(block.queries);
    }
    done.add(Work{static_cast<double>(block.queries.bases() * search.strands()), kQueryBases},
             searcher->held(block.queries).add(kOutputPart, block.list.bytes()));
    steps.queries += block.queries.count();
    steps.empty_queries += block.queries.count_empty();
    steps.matches += block.list.matches.size();
    output.put(std::move(block));
  }
  output.finish();
  files.commit();
  std::vector<std::string> warnings;
  warn_of_empty_records(warnings, reference_file, reference.empty_records, "is skipped");
  warn_of_empty_records(warnings, query_file, steps.empty_queries, "matches nothing");
  for (const std::string& warning : warnings) report(warning + "\n");
  report(summary(steps, *searcher, blocks.thread_seconds(), seconds_since(start)));
  done.add_seconds("load", steps.reference_s + steps.tree_s);
  done.add_seconds("prepare", steps.tables_s);
  done.add_seconds("compute", steps.search_s);
  return done;
}

}  // namespace gpuseq::exact_match
