#include <algorithm>
#include <chrono>

#include "kernels/exact_match/cpu_search.hpp"
#include "kernels/exact_match/problem.hpp"

namespace gpuseq::exact_match {
namespace {

/// Letters that a thread takes at a time, about.
constexpr u64 kLettersATime = 1'000'000;

/// A tree with its tables and threads, ready to search.
class Engine {
 public:
  Engine(std::shared_ptr<const SuffixTree> tree, const Search& search, const Point& point)
      : tree_(std::move(tree)),
        search_(search),
        in_flight_(static_cast<u32>(point.integer("in_flight"))),
        pool_(static_cast<int>(point.integer("threads"))) {
    if (!point.has("filter_letters")) return;
    prefixes_ = make_prefix_table(tree_->view(), static_cast<u32>(point.integer("prefix_letters")), pool_);
    filter_ =
        make_word_filter(std::span(tree_->text.data(), tree_->text.size()),
                         std::min(static_cast<u32>(point.integer("filter_letters")), search.min_length));
  }

  /// Calls `find` with jobs for pieces of the queries, which are numbered.
  template <typename Find>
  void run(const Queries& queries, const Find& find) {
    const u64 pieces = pieces_of(queries);
    pool_.parallel_for(pieces, 1, [&](std::size_t begin, std::size_t end) {
      for (u64 piece = begin; piece < end; ++piece)
        find(piece, SearchJob{.tree = tree_->view(),
                              .search = search_,
                              .prefixes = &prefixes_,
                              .filter = &filter_,
                              .queries = &queries,
                              .begin = queries.count() * piece / pieces,
                              .end = queries.count() * (piece + 1) / pieces,
                              .in_flight = in_flight_});
    });
  }

  std::vector<MatchList> find(const Queries& queries) {
    std::vector<MatchList> found(pieces_of(queries));
    run(queries, [&](u64 piece, const SearchJob& job) { found[piece] = find_matches(job); });
    return found;
  }

  int threads() const { return pool_.size(); }
  const SuffixTree& tree() const { return *tree_; }
  const Search& search() const { return search_; }

 private:
  static u64 pieces_of(const Queries& queries) {
    return std::clamp<u64>(queries.bases() / kLettersATime + 1, 1, std::max<u64>(queries.count(), 1));
  }

  std::shared_ptr<const SuffixTree> tree_;
  Search search_;
  u32 in_flight_;
  ThreadPool pool_;
  PrefixTable prefixes_;
  WordFilter filter_;
};

MatchList joined(const std::vector<MatchList>& pieces) {
  MatchList list;
  for (const MatchList& piece : pieces) append(list, piece);
  return list;
}

class CpuSearcher final : public Searcher {
 public:
  CpuSearcher(std::shared_ptr<const SuffixTree> tree, const Search& search, const Point& point)
      : engine_(std::move(tree), search, point) {}
  MatchList search(const Queries& queries) override { return joined(engine_.find(queries)); }

 private:
  Engine engine_;
};

class CpuSession final : public MatchSession {
 public:
  CpuSession(MatchProblem& problem, const Point& point)
      : MatchSession(problem),
        engine_(problem.tree(node_order_of(point)), problem.search(), point),
        slots_wanted_(point.word("result") == "slots") {
    if (!slots_wanted_) return;
    begins_ = slot_begins(problem.queries(), problem.search());
    slots_ = HugeArray<Slot>(begins_.back());
  }

  void launch() override {
    const Queries& queries = problem_.queries();
    if (slots_wanted_)
      engine_.run(queries, [&](u64, const SearchJob& job) { find_slots(job, begins_, slots_.data()); });
    else
      found_ = engine_.find(queries);
    launched_ = true;
  }

  MatchList matches() override {
    if (!launched_) launch();
    if (!slots_wanted_) return joined(found_);
    const auto start = std::chrono::steady_clock::now();
    const Queries& queries = problem_.queries();
    MatchList list = list_all(engine_.tree().view(), problem_.search(), queries, 0, queries.count(),
                              std::span(slots_.data(), slots_.size()), begins_);
    listing_s_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return list;
  }

  std::map<std::string, std::vector<double>> side_samples_s() override {
    return listing_s_.empty() ? std::map<std::string, std::vector<double>>{}
                              : std::map<std::string, std::vector<double>>{{"listing", listing_s_}};
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = MatchSession::facts();
    facts["tree_bytes"] = engine_.tree().bytes();
    facts["tree_nodes"] = engine_.tree().nodes.size();
    facts["threads"] = engine_.threads();
    return facts;
  }

 private:
  Engine engine_;
  bool slots_wanted_;
  bool launched_ = false;
  std::vector<u64> begins_;
  HugeArray<Slot> slots_;
  std::vector<MatchList> found_;
  std::vector<double> listing_s_;
};

}  // namespace

std::unique_ptr<MatchSession> prepare_cpu(MatchProblem& problem, const Variant& variant, const Point& point) {
  return std::make_unique<CpuSession>(problem, variant.space.complete(point));
}

std::unique_ptr<Searcher> cpu_searcher(std::shared_ptr<const SuffixTree> tree, const Search& search,
                                       const Variant& variant, const Point& point) {
  return std::make_unique<CpuSearcher>(std::move(tree), search, variant.space.complete(point));
}

}  // namespace gpuseq::exact_match
