#include "kernels/exact_match/cpu/session.hpp"

#include <algorithm>
#include <chrono>

#include "kernels/exact_match/cpu/search.hpp"
#include "kernels/exact_match/estimate.hpp"
#include "kernels/exact_match/found_matches.hpp"
#include "kernels/exact_match/traffic.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

/// Approximate letters that a thread takes at a time.
constexpr std::size_t kLeastLettersATime = 16'000, kMostLettersATime = 250'000;

u64 letters_of_piece(u64 bases, int threads) {
  return std::min(kMostLettersATime, piece_size(bases, threads, kLeastLettersATime, kMostLettersATime));
}

/// Memory of find_unique() on all threads. @param letters  of a piece
u64 unique_bytes(u64 letters, const Search& search, int threads) {
  return static_cast<u64>(threads) * letters * search.strands() *
         (sizeof(Slot) + UniqueMatches::kBytesOfSlot);
}

/// A part's tree with its k-mer tables.
struct SearchedPart {
  TreePart part;
  PrefixTable prefixes;
  WordFilter filter;
};

/// Trees with their k-mer tables and threads, ready to search.
class Engine {
 public:
  Engine(std::vector<TreePart> parts, const Search& search, const Point& point, const WordLetters& letters)
      : parts_(std::move(parts)),
        search_(search),
        in_flight_(static_cast<u32>(point.integer("in_flight"))),
        pool_(static_cast<int>(point.integer("threads"))) {
    for (const TreePart& part : parts_) {
      const std::span text(part.tree->text.data(), part.tree->text.size());
      searched_.push_back(
          {.part = part,
           .prefixes = make_prefix_table(part.tree->view(), letters.prefix, pool_),
           .filter = make_word_filter(text, std::min(letters.filter, search.min_length), pool_)});
    }
  }

  /// Calls `find` with jobs for numbered pieces of the queries; the jobs are for the first part.
  template <typename Find>
  void run(const Queries& queries, const Find& find) {
    const u64 pieces = pieces_of(queries);
    pool_.parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (u64 piece = begin; piece < end; ++piece)
        find(piece,
             job(0, queries, queries.count() * piece / pieces, queries.count() * (piece + 1) / pieces));
    });
  }

  /// The same job in another part.
  SearchJob in_part(u64 part, const SearchJob& like) const {
    return job(part, *like.queries, like.begin, like.end);
  }

  std::vector<MatchList> find(const Queries& queries) {
    std::vector<MatchList> found(pieces_of(queries));
    const std::vector<u64> begins = parts_.size() > 1 && search_.mode != Mode::maxmatch
                                        ? slot_begins(queries, search_)
                                        : std::vector<u64>{};
    run(queries, [&](u64 piece, const SearchJob& job) {
      if (parts_.size() == 1)
        found[piece] = find_matches(job);
      else
        found[piece] = begins.empty() ? find_in_parts(job) : find_unique(job, begins);
    });
    return found;
  }

  /// Memory of a search of the queries, without its matches.
  HeldMemory held(const Queries& queries, bool listed) const {
    HeldMemory held;
    for (const SearchedPart& searched : searched_)
      held.add(kIndexPart, searched.part.tree->bytes())
          .add(kPrefixTablePart, searched.prefixes.slots.size() * sizeof(Slot))
          .add(kFilterPart, searched.filter.words.size() * sizeof(u64));
    held.add(kQueriesPart, queries.letters.size() + queries.begin.size() * sizeof(u64));
    if (listed && parts_.size() > 1 && search_.mode != Mode::maxmatch)
      held.add(kWorkspacePart, unique_bytes(queries.letters.size() / pieces_of(queries), search_, threads()));
    return held;
  }

  int threads() const { return pool_.size(); }
  ThreadPool& pool() { return pool_; }
  const std::vector<TreePart>& parts() const { return parts_; }
  const Search& search() const { return search_; }

 private:
  u64 pieces_of(const Queries& queries) const {
    return std::clamp<u64>(queries.bases() / letters_of_piece(queries.bases(), threads()) + 1, 1,
                           std::max<u64>(queries.count(), 1));
  }

  SearchJob job(u64 part, const Queries& queries, u64 begin, u64 end) const {
    const SearchedPart& searched = searched_[part];
    return {.tree = searched.part.tree->view(),
            .search = search_,
            .prefixes = &searched.prefixes,
            .filter = &searched.filter,
            .queries = &queries,
            .begin = begin,
            .end = end,
            .in_flight = in_flight_,
            .own = {searched.part.own_begin, searched.part.own_end}};
  }

  MatchList find_in_parts(const SearchJob& first) const {
    std::vector<MatchList> lists;
    for (u64 part = 0; part < parts_.size(); ++part) {
      lists.push_back(find_matches(in_part(part, first)));
      for (Match& match : lists.back().matches) match.reference += parts_[part].offset;
    }
    return merge_parts(lists);
  }

  MatchList find_unique(const SearchJob& first, std::span<const u64> begins) const {
    const u32 strands = search_.strands();
    const u64 from = begins[first.begin * strands], slots = begins[first.end * strands] - from;
    std::vector<Slot> found(slots);
    UniqueMatches unique(slots);
    for (u64 part = 0; part < parts_.size(); ++part) {
      find_slots(in_part(part, first), begins, found.data(), from);
      unique.take(parts_[part], found);
    }
    return unique.list(parts_, search_, *first.queries, first.begin, first.end - first.begin, begins, from);
  }

  std::vector<TreePart> parts_;
  Search search_;
  u32 in_flight_;
  ThreadPool pool_;
  std::vector<SearchedPart> searched_;
};

class CpuSearcher final : public Searcher {
 public:
  CpuSearcher(std::vector<TreePart> parts, const Search& search, const Point& point,
              const WordLetters& letters)
      : engine_(std::move(parts), search, point, letters) {}

  MatchList search(const Queries& queries) override {
    const auto start = std::chrono::steady_clock::now();
    MatchList list = joined(engine_.find(queries), engine_.pool());
    search_s_ += seconds_since(start);
    return list;
  }
  HeldMemory held(const Queries& queries) const override { return engine_.held(queries, true); }
  std::map<std::string, double> phases() const override { return {{"kernel", search_s_}}; }

 private:
  Engine engine_;
  double search_s_ = 0;
};

class CpuSession final : public MatchSession {
 public:
  CpuSession(MatchProblem& problem, const Point& point, const WordLetters& letters)
      : MatchSession(problem),
        engine_(problem.parts(static_cast<u64>(point.integer("trees")), node_order_of(point)),
                problem.search(), point, letters),
        tree_s_(problem.tree_s()),
        slots_wanted_(point.word("result") == "slots"),
        way_(search_way(point, letters)) {
    if (!slots_wanted_) return;
    begins_ = slot_begins(problem.queries(), problem.search());
    for (u64 part = 0; part < engine_.parts().size(); ++part) slots_.emplace_back(begins_.back());
  }

  void launch() override {
    const Queries& queries = problem_.queries();
    if (slots_wanted_)
      engine_.run(queries, [&](u64, const SearchJob& job) {
        for (u64 part = 0; part < slots_.size(); ++part)
          find_slots(engine_.in_part(part, job), begins_, slots_[part].data());
      });
    else
      found_ = engine_.find(queries);
    launched_ = true;
  }

  MatchList matches() override {
    if (!launched_) launch();
    if (!slots_wanted_) return joined(found_, engine_.pool());
    const auto start = std::chrono::steady_clock::now();
    MatchList list = listed();
    listing_s_.push_back(seconds_since(start));
    return list;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    std::map<std::string, std::vector<double>> samples{{"tree", {tree_s_}}, {"printing", {printing_s()}}};
    if (!listing_s_.empty()) samples["listing"] = listing_s_;
    return samples;
  }

  Cost cost() const override {
    return {.work = work(),
            .held = held(),
            .traffic = count_traffic(engine_.parts(), problem_.search(), problem_.queries(), way_)};
  }

  HeldMemory held() const override {
    HeldMemory held = engine_.held(problem_.queries(), !slots_wanted_);
    held.add(kWorkspacePart, begins_.size() * sizeof(u64));
    for (const HugeArray<Slot>& slots : slots_) held.add(kOutputPart, slots.size() * sizeof(Slot));
    for (const MatchList& list : found_) held.add(kOutputPart, list.bytes());
    return held;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MatchSession::facts();
    u64 bytes = 0, nodes = 0;
    for (const TreePart& part : engine_.parts()) {
      bytes += part.tree->bytes();
      nodes += part.tree->nodes.size();
    }
    facts["tree_bytes"] = bytes;
    facts["tree_nodes"] = nodes;
    facts["trees"] = engine_.parts().size();
    facts["threads"] = engine_.threads();
    return facts;
  }

 private:
  MatchList listed() const {
    const Queries& queries = problem_.queries();
    const auto& parts = engine_.parts();
    const Search& search = problem_.search();
    if (parts.size() > 1 && search.mode != Mode::maxmatch) {
      UniqueMatches unique(begins_.back());
      for (u64 part = 0; part < parts.size(); ++part) unique.take(parts[part], span_of(slots_[part]));
      return unique.list(parts, search, queries, 0, queries.count(), begins_);
    }
    std::vector<MatchList> lists;
    for (u64 part = 0; part < parts.size(); ++part)
      lists.push_back(
          list_all(parts[part], search, queries, 0, queries.count(), span_of(slots_[part]), begins_));
    return parts.size() == 1 ? std::move(lists.front()) : merge_parts(lists);
  }
  static std::span<const Slot> span_of(const HugeArray<Slot>& slots) { return {slots.data(), slots.size()}; }

  Engine engine_;
  double tree_s_;
  bool slots_wanted_;
  SearchWay way_;
  bool launched_ = false;
  std::vector<u64> begins_;
  std::vector<HugeArray<Slot>> slots_;  // for each part
  std::vector<MatchList> found_;
  std::vector<double> listing_s_;
};

}  // namespace

SearchWay search_way(const Point& point, const WordLetters& letters) {
  return {.prefix_letters = letters.prefix,
          .filter_letters = letters.filter,
          .listed = point.word("result") == "matches",
          .one_at_a_time = point.integer("in_flight") == 1};
}

Cost estimated_cost(const StateOutline& state, const WordLetters& letters) {
  const ProblemEstimate problem = estimated_problem(state);
  const u64 trees = static_cast<u64>(state.point.integer("trees"));
  const SearchWay way = search_way(state.point, letters);
  Cost cost{.work = problem.work(), .held = {}, .traffic = estimated_traffic(problem, way, trees)};
  if (!problem.known()) return cost;
  const TreeSize tree = largest_tree(problem.part_letters(trees), false);
  cost.held.add(kIndexPart, trees * tree_bytes(tree))
      .add(kPrefixTablePart, trees * prefix_table_bytes(letters.prefix))
      .add(kFilterPart, trees * word_filter_bytes(std::min(letters.filter, problem.search.min_length)))
      .add(kQueriesPart, problem.query_bytes());
  if (!way.listed) {
    cost.held.add(kWorkspacePart, (problem.strands() + 1) * sizeof(u64))
        .add(kOutputPart, trees * problem.slots * sizeof(Slot));
    return cost;
  }
  cost.held.add(kOutputPart, problem.matches * sizeof(Match) + problem.strands() * sizeof(u64));
  if (trees > 1 && problem.search.mode != Mode::maxmatch) {
    const int asked = static_cast<int>(state.point.integer("threads"));
    const int threads = asked == 0 ? available_cpus() : asked;
    // A piece has at least one query, and separators between its letters.
    const u64 bases = std::max(letters_of_piece(problem.bases, threads), problem.longest);
    const u64 letters = bases * problem.query_letters() / problem.bases + 1;
    cost.held.add(kWorkspacePart,
                  unique_bytes(std::min(letters, problem.query_letters()), problem.search, threads));
  }
  return cost;
}

std::unique_ptr<MatchSession> make_cpu_session(MatchProblem& problem, const Point& point,
                                               const WordLetters& letters) {
  return std::make_unique<CpuSession>(problem, point, letters);
}

std::unique_ptr<Searcher> make_cpu_searcher(std::vector<TreePart> parts, const Search& search,
                                            const Point& point, const WordLetters& letters) {
  return std::make_unique<CpuSearcher>(std::move(parts), search, point, letters);
}

}  // namespace gpuseq::exact_match
