#include "kernels/papara/data/evolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"

namespace gpuseq::papara {
namespace {

// Random streams of the seed; the streams of the blocks of columns follow.
enum Stream : u64 { kTreeStream, kInsertionStream, kDeletionStream, kBlockStream = u64{1} << 32 };

/// Draws the number of failures before a success of the given probability: the distance of two rare events.
class Skips {
 public:
  explicit Skips(double probability) : scale_(1 / std::log1p(-std::clamp(probability, 1e-12, 1 - 1e-12))) {}
  u64 next(Random& random) const { return static_cast<u64>(std::log1p(-random.uniform()) * scale_); }

 private:
  double scale_;
};

struct Run {
  u32 begin = 0, end = 0;
};
using Runs = std::vector<Run>;  // ascending, none overlaps another

/// Runs over [0, sites) with geometric lengths and geometric gaps between them. Calls add(run).
template <typename Add>
void draw_runs(u32 sites, double starts_per_site, double mean_sites, Random& random, Add add) {
  if (starts_per_site <= 0) return;
  const Skips gaps(starts_per_site), lengths(1 / mean_sites);
  u64 at = gaps.next(random);
  while (at < sites) {
    const u64 end = std::min<u64>(at + 1 + lengths.next(random), sites);
    add(Run{static_cast<u32>(at), static_cast<u32>(end)});
    at = end + gaps.next(random);
  }
}

/// Calls visit(begin, end), relative to `begin`, for the part of each run in [begin, end).
template <typename Visit>
void clip_runs(const Runs& runs, u32 begin, u32 end, Visit visit) {
  auto run = std::lower_bound(runs.begin(), runs.end(), begin,
                              [](const Run& before, u32 column) { return before.end <= column; });
  for (; run != runs.end() && run->begin < end; ++run)
    visit(std::max(run->begin, begin) - begin, std::min(run->end, end) - begin);
}

std::string join(const std::string& a, const std::string& b, double length_a, double length_b) {
  return fmt::format("({}:{:.6f},{}:{:.6f})", a, length_a, b, length_b);
}

Tree random_tree(const Evolution& evolution) {
  Random random(evolution.seed, kTreeStream);
  const auto length = [&] { return -std::log1p(-random.uniform()) * evolution.edge_length; };
  std::vector<std::string> open;  // subtrees that are not joined yet, as Newick text
  for (u32 tip = 1; tip <= evolution.tips; ++tip) open.push_back(fmt::format("t{}", tip));
  const auto take = [&] {
    std::swap(open[random.below(open.size())], open.back());
    std::string taken = std::move(open.back());
    open.pop_back();
    return taken;
  };
  while (open.size() > 1) {
    const std::string a = take(), b = take();
    const double length_a = length(), length_b = length();
    open.push_back(join(a, b, length_a, length_b));
  }
  return parse_tree(open.front() + ";", "evolved tree");
}

/// Changes on the edge above a node.
struct Changes {
  Runs inserted, deleted;
  double substituted = 0;  // probability that a base differs at the edge's end
};

class Evolver {
 public:
  Evolver(const Evolution& evolution, EvolvedAlignment& result, ThreadPool& pool)
      : evolution_(evolution),
        nodes_(result.tree.nodes),
        rows_(result.alignment.rows),
        row_of_(nodes_.size()) {
    for (u32 node = 0, row = 0; node < nodes_.size(); ++node) {
      if (is_tip(node)) row_of_[node] = row++;
    }
    changes_.resize(nodes_.size());
    draw_insertions();
    pool.parallel_for(nodes_.size() - 1, 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t node = begin; node < end; ++node) draw_changes(static_cast<u32>(node));
    });
    // The size depends on the data only, as each block has its own random numbers.
    block_columns_ = static_cast<u32>(std::clamp<u64>((u64{1} << 22) / nodes_.size(), 256, 8192));
  }

  u32 blocks() const { return (evolution_.sites + block_columns_ - 1) / block_columns_; }

  /// Evolves the columns of a block from the root to the tips. Reentrant.
  void evolve(u32 block) {
    const u32 begin = block * block_columns_, end = std::min(begin + block_columns_, evolution_.sites);
    const u32 columns = end - begin;
    std::vector<char> inner(nodes_.size() * columns);  // states of the inner nodes, without the tips' rows
    const auto states = [&](u32 node) {
      return is_tip(node) ? rows_[row_of_[node]].data() + begin : inner.data() + u64{node} * columns;
    };
    const u32 top = static_cast<u32>(nodes_.size()) - 1;
    Random at_top = block_random(block, top);
    fill_random(states(top), 0, columns, at_top);
    clip_runs(inserted_, begin, end,
              [&](u32 from, u32 to) { std::fill(states(top) + from, states(top) + to, '-'); });
    for (u32 node = top; node-- > 0;) {
      std::memcpy(states(node), states(nodes_[node].parent), columns);
      Random random = block_random(block, node);
      change(states(node), begin, end, changes_[node], random);
    }
    fill_empty_columns(begin, columns, at_top);
  }

 private:
  // Indexed by bits 1 and 2 of the letter.
  static constexpr char kBases[] = "ACTG";
  static u32 place(char base) { return static_cast<u32>(base) >> 1 & 3; }

  bool is_dna() const { return evolution_.alphabet == Alphabet::dna; }
  u32 letters() const { return letters_of(evolution_.alphabet); }
  char random_letter(Random& random) const {
    const u64 letter = random.below(letters());
    return is_dna() ? kBases[letter] : kAminoAcidLetters[letter];
  }
  char other_letter(char than, Random& random) const {
    const u64 further = 1 + random.below(letters() - 1);
    if (is_dna()) return kBases[(place(than) + further) & 3];
    return kAminoAcidLetters[(kAminoAcidLetters.find(than) + further) % letters()];
  }

  bool is_tip(u32 node) const { return !nodes_[node].name.empty(); }

  Random block_random(u32 block, u32 node) const {
    return Random(evolution_.seed, kBlockStream + u64{block} * nodes_.size() + node);
  }

  void draw_insertions() {
    Random random(evolution_.seed, kInsertionStream);
    const double share = evolution_.inserted_share;
    draw_runs(evolution_.sites, share / (1 - share) / evolution_.mean_indel_sites,
              evolution_.mean_indel_sites, random, [&](const Run& run) {
                inserted_.push_back(run);
                changes_[random.below(nodes_.size() - 1)].inserted.push_back(run);
              });
  }

  void draw_changes(u32 node) {
    Random random(evolution_.seed, u64{kDeletionStream} + node);
    Changes& changes = changes_[node];
    const double others = 1 - 1.0 / letters();  // the share of the other letters
    changes.substituted = others * -std::expm1(-1 / others * nodes_[node].length);
    draw_runs(evolution_.sites, nodes_[node].length * evolution_.deletion_rate, evolution_.mean_indel_sites,
              random, [&](const Run& run) { changes.deleted.push_back(run); });
  }

  void fill_random(char* states, u32 begin, u32 end, Random& random) const {
    if (!is_dna()) return std::generate(states + begin, states + end, [&] { return random_letter(random); });
    for (u32 column = begin; column < end;) {
      u64 bits = random();
      for (const u32 stop = std::min(end, column + 32); column < stop; ++column, bits >>= 2)
        states[column] = kBases[bits & 3];
    }
  }

  void change(char* states, u32 begin, u32 end, const Changes& changes, Random& random) const {
    clip_runs(changes.inserted, begin, end, [&](u32 from, u32 to) { fill_random(states, from, to, random); });
    if (changes.substituted > 0) {
      const Skips skips(changes.substituted);
      for (u64 column = skips.next(random); column < end - begin; column += 1 + skips.next(random))
        if (states[column] != '-') states[column] = other_letter(states[column], random);
    }
    clip_runs(changes.deleted, begin, end,
              [&](u32 from, u32 to) { std::fill(states + from, states + to, '-'); });
  }

  /// A column that no tip has (a run inserted and deleted again) gets a base in one tip.
  void fill_empty_columns(u32 begin, u32 columns, Random& random) {
    std::vector<u8> taken(columns);
    for (const std::string& row : rows_) {
      const char* states = row.data() + begin;
      for (u32 column = 0; column < columns; ++column)
        taken[column] |= static_cast<u8>(states[column] != '-');
    }
    for (u32 column = 0; column < columns; ++column)
      if (taken[column] == 0) rows_[random.below(rows_.size())][begin + column] = random_letter(random);
  }

  const Evolution& evolution_;
  const std::vector<Tree::Node>& nodes_;
  std::vector<std::string>& rows_;
  std::vector<u32> row_of_;  // row of each tip
  Runs inserted_;            // on any edge
  std::vector<Changes> changes_;
  u32 block_columns_ = 0;
};

}  // namespace

EvolvedAlignment evolve(const Evolution& evolution, ThreadPool& pool) {
  if (evolution.tips < 2)
    throw UsageError(fmt::format("an evolved tree of {} tips, allowed: at least 2", evolution.tips));
  EvolvedAlignment result{.tree = random_tree(evolution), .alignment = {}};
  ReferenceAlignment& alignment = result.alignment;
  alignment.alphabet = evolution.alphabet;
  for (const Tree::Node& node : result.tree.nodes) {
    if (node.name.empty()) continue;
    alignment.names.push_back(node.name);
    alignment.lines.push_back(alignment.names.size());
  }
  alignment.rows.resize(alignment.names.size());
  pool.parallel_for(alignment.rows.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) alignment.rows[row].resize(evolution.sites);
  });
  Evolver evolver(evolution, result, pool);
  pool.parallel_for(evolver.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block) evolver.evolve(static_cast<u32>(block));
  });
  return result;
}

}  // namespace gpuseq::papara
