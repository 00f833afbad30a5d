#include "kernels/papara/data/parsimony.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "runtime/contract/errors.hpp"
#include "runtime/system/host_memory.hpp"

// Two passes over the tree for each slice of sites: upwards, the vector of the subtree below each node;
// downwards, the vector of all other nodes as seen from the node. The join of both is the state at a virtual
// root in the edge between. Each thread works on its own slice and stores two slices per node.

namespace gpuseq::papara {
namespace {

/// Sites per slice: a constant, so that compilers unroll and vectorise the loops over them.
constexpr u32 kSliceSites = 64;

/// Vectors of an alphabet. A site has a state set, the CGAP flag, and above it a flag for a one-sided gap.
template <Alphabet alphabet>
struct Vectors {
  using Site = std::conditional_t<alphabet == Alphabet::dna, u8, u32>;
  using Slice = std::array<Site, kSliceSites>;
  static constexpr Site kStates = state_mask(alphabet), kCgap = cgap_flag(alphabet);

  /// The CGAP flag under the current rule: next to a tip any gap flag counts, between inner nodes only a
  /// gap that is not open.
  template <bool kWithTip>
  static Site gap_flag(Site site) {
    if constexpr (kWithTip) return site & kCgap;
    return site & kCgap & static_cast<Site>(~(site >> 1));
  }

  /// Fitch's join of two vectors, with the rule for gaps.
  template <bool kWithTip>
  static void join_slices(const Slice& a, const Slice& b, Slice& to) {
    for (u32 i = 0; i < kSliceSites; ++i) {
      const Site common = a[i] & b[i] & kStates;
      const Site either = (a[i] | b[i]) & kStates;
      const Site gap_a = gap_flag<kWithTip>(a[i]), gap_b = gap_flag<kWithTip>(b[i]);
      const Site one_gap = gap_a ^ gap_b;
      to[i] = static_cast<Site>((common != 0 ? common : either) | gap_a | gap_b | one_gap << 1);
    }
  }

  static void join(const Slice& a, const Slice& b, bool with_tip, Slice& to) {
    with_tip ? join_slices<true>(a, b, to) : join_slices<false>(a, b, to);
  }

  /// The state of a tip with a letter. Letters that mean any letter are gaps too, like N in
  /// the paper's program.
  static Site tip_state(char letter) {
    const auto set = static_cast<Site>(letter_set(alphabet, letter));
    return set == kStates ? set | kCgap : set;
  }
};

/// The tree with two children at every inner node. Nodes with more children are resolved in the order of the
/// children, as ((first, second), third) ..., through nodes without an edge of their own.
struct BinaryTree {
  struct Join {
    u32 node, left, right;
  };
  std::vector<Join> joins;    // children before parents
  u32 nodes = 0;              // the tree's own nodes, then those added by resolution
  u32 top = 0, opposite = 0;  // the two ends of the edge at which the passes turn round

  explicit BinaryTree(const Tree& tree) : nodes(static_cast<u32>(tree.nodes.size())) {
    for (u32 node = 0; node + 1 < tree.nodes.size(); ++node) resolve(tree.nodes[node].children, node);
    const std::vector<u32>& children = tree.nodes.back().children;
    opposite = children.back();
    top = tree.edges();
    resolve(std::span(children).first(children.size() - 1), top);
    // A top with two children (only in a generated tree) is one end and needs no join.
    if (children.size() == 2) top = children.front();
  }

 private:
  /// Joins `children` into `node`; does nothing for fewer than two children.
  void resolve(std::span<const u32> children, u32 node) {
    for (std::size_t i = 1; i < children.size(); ++i) {
      const u32 left = i == 1 ? children[0] : joins.back().node;
      joins.push_back(
          {.node = i + 1 == children.size() ? node : nodes++, .left = left, .right = children[i]});
    }
  }
};

/// A name in the form of alignments: in Newick text an underscore means a blank.
std::string without_blanks(std::string name) {
  std::ranges::replace(name, ' ', '_');
  return name;
}

/// The letters of the tips by node number; empty for inner nodes.
std::vector<std::string_view> tip_letters(const Tree& tree, const ReferenceAlignment& alignment) {
  std::unordered_map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < alignment.names.size(); ++row) rows.emplace(alignment.names[row], row);
  std::vector<std::string_view> letters(tree.nodes.size());
  std::size_t tips = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Tree::Node& node = tree.nodes[i];
    if (!node.children.empty() && tree.nodes.size() != 2) continue;
    const auto row = rows.find(without_blanks(node.name));
    if (row == rows.end())
      throw UsageError(fmt::format("{}:{}:{}: the alignment {} has no row for the tip '{}'", tree.place,
                                   node.line, node.column, alignment.place, node.name));
    letters[i] = alignment.rows[row->second];
    ++tips;
    rows.erase(row);
  }
  if (rows.empty()) return letters;
  const std::size_t first = std::min_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
                              return a.second < b.second;
                            })->second;
  throw UsageError(fmt::format("{}:{}: the tree {} has no tip for the row '{}' (and {} other rows of {})",
                               alignment.place, alignment.lines[first], tree.place, alignment.names[first],
                               rows.size() - 1, tips + rows.size()));
}

/// Data that all slices share.
template <Alphabet alphabet>
struct Passes {
  using V = Vectors<alphabet>;
  using Slice = typename V::Slice;
  const BinaryTree binary;
  const std::vector<std::string_view> letters;  // letters of the tips, by node; empty for inner nodes
  std::vector<u8> is_tip, rest_is_tip;          // by node: the node is a tip; one tip is all
                                                // that is not below it

  Passes(const Tree& tree, const ReferenceAlignment& alignment)
      : binary(tree), letters(tip_letters(tree, alignment)), is_tip(binary.nodes), rest_is_tip(binary.nodes) {
    for (std::size_t node = 0; node < letters.size(); ++node) is_tip[node] = !letters[node].empty();
    rest_is_tip[binary.top] = is_tip[binary.opposite];
    rest_is_tip[binary.opposite] = is_tip[binary.top];
  }

  /// The vectors of the subtrees below the nodes.
  void upwards(std::size_t site, std::size_t count, std::vector<Slice>& below) const {
    for (std::size_t node = 0; node < letters.size(); ++node)
      if (is_tip[node] != 0)
        std::transform(letters[node].begin() + site, letters[node].begin() + site + count,
                       below[node].begin(), V::tip_state);
    for (const auto& [node, left, right] : binary.joins)
      V::join(below[left], below[right], (is_tip[left] | is_tip[right]) != 0, below[node]);
  }

  /// The vectors of all nodes that are not below the nodes.
  void downwards(const std::vector<Slice>& below, std::vector<Slice>& rest) const {
    rest[binary.top] = below[binary.opposite];
    rest[binary.opposite] = below[binary.top];
    for (auto joined = binary.joins.rbegin(); joined != binary.joins.rend(); ++joined) {
      const auto& [node, left, right] = *joined;
      V::join(rest[node], below[right], (rest_is_tip[node] | is_tip[right]) != 0, rest[left]);
      V::join(rest[node], below[left], (rest_is_tip[node] | is_tip[left]) != 0, rest[right]);
    }
  }

  /// Computes the sites `begin` ... `end` - 1 of the result.
  void run(std::size_t begin, std::size_t end, References& to) const {
    std::vector<Slice> below(binary.nodes), rest(binary.nodes);
    for (std::size_t site = begin; site < end; site += kSliceSites) {
      const std::size_t count = std::min<std::size_t>(kSliceSites, end - site);
      upwards(site, count, below);
      downwards(below, rest);
      for (u32 edge = 0; edge < to.count; ++edge) {
        Slice root;
        V::join(below[edge], rest[edge], (is_tip[edge] | rest_is_tip[edge]) != 0, root);
        for (auto& state : root) state = (state & V::kStates) | V::template gap_flag<false>(state);
        u8* const bytes = to.codes.data() + edge * to.row_bytes() + site;
        for (u32 plane = 0; plane < planes_of(alphabet); ++plane)
          std::transform(root.begin(), root.begin() + count, bytes + u64{plane} * to.sites,
                         [plane](auto state) { return static_cast<u8>(state >> (8 * plane)); });
      }
    }
  }
};

template <Alphabet alphabet>
void fill_states(const Tree& tree, const ReferenceAlignment& alignment, ThreadPool& pool, References& to) {
  const Passes<alphabet> passes(tree, alignment);
  require_host_memory(
      u64{2} * passes.binary.nodes * sizeof(typename Passes<alphabet>::Slice) * static_cast<u64>(pool.size()),
      "passing over the tree on all threads");
  to.codes.resize(to.count * to.row_bytes());
  // A piece has several slices, as each piece allocates its vectors, but every thread gets several pieces.
  const std::size_t slices = alignment.sites() / kSliceSites / (4 * static_cast<std::size_t>(pool.size()));
  pool.parallel_for(to.sites, std::max<std::size_t>(slices, 1) * kSliceSites,
                    [&](std::size_t begin, std::size_t end) { passes.run(begin, end, to); });
}

}  // namespace

References ancestral_states(const Tree& tree, const ReferenceAlignment& alignment, u32 most,
                            ThreadPool& pool) {
  if (tree.edges() == 0) throw UsageError(fmt::format("{}: the tree has no edge", tree.place));
  if (alignment.sites() > std::numeric_limits<u32>::max())
    throw UsageError(fmt::format("{}: {} sites, allowed: up to {}", alignment.place, alignment.sites(),
                                 std::numeric_limits<u32>::max()));
  References references{.count = most == 0 ? tree.edges() : std::min(most, tree.edges()),
                        .sites = static_cast<u32>(alignment.sites()),
                        .codes = {},
                        .alphabet = alignment.alphabet};
  if (alignment.alphabet == Alphabet::dna)
    fill_states<Alphabet::dna>(tree, alignment, pool, references);
  else
    fill_states<Alphabet::protein>(tree, alignment, pool, references);
  return references;
}

}  // namespace gpuseq::papara
