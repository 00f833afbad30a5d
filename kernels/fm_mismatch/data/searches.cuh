#pragma once

#include "kernels/fm_mismatch/data/node.cuh"
#include "kernels/fm_mismatch/data/scheme.cuh"

// The searches of a query, one after the other, one node of their search tree at a time, for host and device.
//
// A node is the string matched so far: the rows of the text that begin with it, and as many rows of the
// reversed text that begin with its reverse. Extension by a base on the left is a step of LF over the text,
// extension on the right a step over the reverse. The rows on the other side follow from the numbers of rows
// with smaller symbols.
//
// If the first part of a search has at least as many bases as the k-mers of a prefix table, the search starts
// at a node of the table. The node has the rows of both sides, so it is the same for both directions.
//
// Where a mismatch is allowed, a node has a child for every symbol. Children with a mismatch are searched
// before the matching child, so that at most 3 nodes per mismatch wait, including the matching child.

namespace gpuseq::fm_mismatch {

/// Queries as packed by fm_index: 2 bits per base, last base first; at most kMostQueryBases each.
struct QueriesView {
  const u32* packed;
  const u32* begin;  // [queries] in units of 16 bytes
  const u32* bases;  // [queries]
};
inline constexpr u32 kMostQueryBases = (1u << 28) - 1;

/// Rows whose suffixes begin with the query after `mismatches` substitutions. Hits of a query are disjoint.
struct Hit {
  u32 first_row, rows;
  u32 mismatches;
};

/// The result of a strand of a query.
struct alignas(16) Answer {
  u32 occurrences[kMostMismatches + 1];  // by mismatches
  u32 hits;                              // intervals of rows of these occurrences
};

/// Output of hits. With a null pointer, hits are only counted.
struct HitsView {
  Hit* hits;
  const u64* begin;  // [strands of queries] first hit of each

  GPUSEQ_HD Hit* of(u64 place) const { return hits == nullptr ? nullptr : hits + begin[place]; }
};

/// Most nodes that wait, without the current one.
GPUSEQ_HD constexpr u32 waiting_nodes(u32 mismatches) {
  return mismatches == 0 ? 1 : 3 * mismatches;
}

/// All searches of one strand of one query.
/// @param mismatches  maximum
/// @param LineOf  Line, or a class with the members of Line
template <u32 mismatches, class LineOf = Line>
class Searches {
  static constexpr u32 parts = parts_of(mismatches);

 public:
  /// @param waiting  [waiting_nodes(mismatches)] for this query, `stride` apart; written
  GPUSEQ_HD Searches(const IndexView& index, Node* waiting, u32 stride)
      : index_(index), waiting_(waiting), stride_(stride) {}

  /// Starts the searches of a strand of a query. @returns false if there is nothing to search
  GPUSEQ_HD bool start(const QueriesView& queries, u32 query, bool reverse_complement, Hit* hits) {
    take(queries, query, reverse_complement);
    hits_ = hits;
    answer_ = {};
    number_ = 0;
    waits_ = 0;
    return bases_ > 0 && begin_search();
  }

  /// Calls visit(address) for each entry of the prefix table that start() and advance() read for a strand of
  /// a query. Discards a search that was started.
  template <class Visit>
  GPUSEQ_HD void for_each_entry(const QueriesView& queries, u32 query, bool reverse_complement,
                                const Visit& visit) {
    take(queries, query, reverse_complement);
    for (number_ = 0; number_ < searches_of(mismatches); ++number_)
      if (divide() && looks_up()) visit(entry());
  }

  /// Takes a step from the current node. @returns false if all searches are finished
  template <bool in_l1>
  GPUSEQ_HD bool advance() {
    return advance<in_l1>(line<in_l1>());
  }
  /// The line of the current node's first row.
  template <bool in_l1>
  GPUSEQ_HD LineOf line() const {
    return LineOf::template load<in_l1>(current_side(), current_row());
  }
  /// @param first_line  line()
  template <bool in_l1>
  GPUSEQ_HD bool advance(const LineOf& first_line) {
    const SideView& side = current_side();
    const u32 first = current_row(), end = first + node_.rows;
    has_node_ = false;
    if (node_.rows == 1) {
      extend_row(first_line, side, first);
    } else {
      LineOf end_line = first_line;
      if (!first_line.holds(end, first)) end_line = LineOf::template load<in_l1>(side, end);
      if constexpr (LineOf::counts_one_symbol)
        if (!may_differ()) {
          extend_exactly(first_line, end_line, side, first, end);
          return go_on();
        }
      extend(children_of(node_.rows, first_line.lf(side, first), end_line.lf(side, end)));
    }
    return go_on();
  }

  /// Lines that the next step reads: those of the current node's first row and of the row behind its last.
  /// For a single row only its own line is read.
  GPUSEQ_HD const u8* first_line() const { return line_of(current_side(), current_row()); }
  GPUSEQ_HD const u8* end_line() const {
    return line_of(current_side(), current_row() + (node_.rows == 1 ? 0 : node_.rows));
  }
  /// Whether both lines are the same.
  GPUSEQ_HD bool reads_one_line(const LineOf& first_line) const {
    return node_.rows == 1 || first_line.holds(current_row() + node_.rows, current_row());
  }
  /// Matched bases of the current node.
  GPUSEQ_HD u32 depth() const { return node_.state & kDepth; }

  GPUSEQ_HD const Answer& answer() const { return answer_; }

 private:
  /// Takes the next node after a step. @returns false if all searches are finished
  GPUSEQ_HD bool go_on() {
    if (!has_node_) {
      if (waits_ == 0) {
        ++number_;
        return begin_search();
      }
      node_ = waiting_[u64{--waits_ * stride_}];
    } else if (LineOf::counts_one_symbol && depth() != first_end_ && depth() != second_end_) {
      return true;  // in the same part as before
    }
    settle();
    return true;
  }

  static constexpr u32 kDepth = kMostQueryBases, kSpent = 1u << 28 | 1u << 30;  // a mismatch, also of part

  GPUSEQ_HD const SideView& current_side() const { return leftwards_ ? index_.forward : index_.reverse; }
  GPUSEQ_HD u32 current_row() const { return leftwards_ ? node_.row : node_.reverse_row; }

  /// Bases that a search has matched at the end of its part `step`.
  GPUSEQ_HD u32 end_of(u32 step) const {
    const auto begin = [&](u32 part) { return part_begin(mismatches, bases_, part); };
    if (number_ == 0) return begin(step + 1);
    if (number_ == 1) return bases_ - begin(mismatches - step);
    return step == 0 ? begin(2) - begin(1) : begin(step + 1);
  }

  GPUSEQ_HD void take(const QueriesView& queries, u32 query, bool reverse_complement) {
    packed_ = queries.packed + u64{queries.begin[query]} * 4;
    bases_ = queries.bases[query];
    reverse_complement_ = reverse_complement;
  }

  /// Starts search number_ or the next possible one. @returns false if there is none
  GPUSEQ_HD bool begin_search() {
    for (; number_ < searches_of(mismatches); ++number_) {
      if (!divide()) continue;
      node_ = looks_up() ? load_entry(entry()) : Node{0, 0, index_.rows, 0};
      if (node_.rows == 0) continue;
      if (depth() == bases_) {
        found(node_);
        continue;
      }
      settle();
      return true;
    }
    return false;
  }
  /// Cuts the query into the parts of search number_. @returns false if a part is too short for it
  GPUSEQ_HD bool divide() {
    first_end_ = end_of(0);
    second_end_ = parts > 1 ? end_of(1) : bases_;
    // Steps to the left start at the end of the search's first part, steps to the right at the query's begin.
    left_from_ = part_begin(mismatches, bases_, step_of(mismatches, number_, 0).part + 1);
    return has_bases(0, first_end_) && has_bases(1, second_end_ - first_end_) &&
           has_bases(2, bases_ - second_end_);
  }
  /// Whether search number_ starts at a node of the prefix table.
  GPUSEQ_HD bool looks_up() const { return index_.prefix_symbols > 0 && index_.prefix_symbols <= first_end_; }
  GPUSEQ_HD const u8* entry() const {
    const u32 symbols = index_.prefix_symbols;
    const u32 at = step_of(mismatches, number_, 0).leftwards ? left_from_ - symbols : 0;
    return entry_of(index_, word_of(packed_, bases_, reverse_complement_, at, symbols));
  }
  /// Whether a part has at least as many bases as it must have mismatches.
  GPUSEQ_HD bool has_bases(u32 step, u32 bases) const {
    return step >= parts || bases >= step_of(mismatches, number_, step).least;
  }

  /// Sets the direction, limits and part of the current node's next base.
  GPUSEQ_HD void settle() {
    const u32 step = (depth() >= first_end_ ? 1 : 0) + (depth() >= second_end_ ? 1 : 0);
    const Step of_step = step_of(mismatches, number_, step);
    leftwards_ = of_step.leftwards;
    least_ = of_step.least;
    most_ = of_step.most;
    part_end_ = step == 0 ? first_end_ : step == 1 ? second_end_ : bases_;
  }

  /// The next base of the query.
  GPUSEQ_HD u32 wanted() const {
    const u32 at = leftwards_ ? left_from_ - 1 - depth() : depth();
    const u32 place = reverse_complement_ ? at : bases_ - 1 - at;
    const u32 base = load_word<true>(reinterpret_cast<const u8*>(packed_ + place / 16)) >> (2 * (place % 16));
    return (reverse_complement_ ? ~base : base) & 3;
  }

  GPUSEQ_HD bool may_differ() const {
    return mismatches > 0 && (node_.state >> 28 & 3) != mismatches && node_.state >> 30 != most_;
  }

  /// Extends a node of one row, which has at most one child.
  GPUSEQ_HD void extend_row(const LineOf& line, const SideView& side, u32 row) {
    if (row == side.dollar_row) return;
    const u32 symbol = line.symbol(row);
    const bool differs = symbol != wanted();
    if (differs && !may_differ()) return;
    add(node_, line.lf(side, row, symbol), 0, 1, differs ? kSpent : 0);
  }

  /// Extends by the next base of the query only. The rows of the other side are counted only if they are
  /// read: by the steps to the right of search 2, which starts to the left, and by hits of searches to the
  /// right.
  GPUSEQ_HD void extend_exactly(const LineOf& first_line, const LineOf& end_line, const SideView& side,
                                u32 first, u32 end) {
    const u32 symbol = wanted();
    const u32 from = first_line.lf(side, first, symbol), rows = end_line.lf(side, end, symbol) - from;
    if (rows == 0) return;
    u32 before = 0;
    if (leftwards_ ? number_ == 2 : hits_ != nullptr) {
      before = symbol == 0 ? (first <= side.dollar_row && side.dollar_row < end ? 1 : 0)
                           : end_line.smaller(end, symbol) - first_line.smaller(first, symbol);
    }
    add(node_, from, before, rows, 0);
  }

  GPUSEQ_HD void extend(const Children& children) {
    const Node parent = node_;
    const u32 symbol = wanted();
    const bool may_spend = may_differ();  // before a child becomes the current node
    const OfSymbols& rows = children.rows;
    const auto add_child = [&](u32 by, u32 spent) {
      add(parent, of_symbol(children.first, by), of_symbol(children.before, by), of_symbol(rows, by), spent);
    };
    if (of_symbol(rows, symbol) > 0) add_child(symbol, 0);
    if constexpr (mismatches > 0) {
      if (!may_spend) return;
      u32 others = (rows.a > 0 ? 1 : 0) | (rows.c > 0 ? 2 : 0) | (rows.g > 0 ? 4 : 0) | (rows.t > 0 ? 8 : 0);
      others &= ~(1u << symbol);
      for (; others != 0; others &= others - 1) add_child(popcount32((others & (0 - others)) - 1), kSpent);
    }
  }

  /// Makes a child the current node and lets the previous one wait. A complete child becomes a hit; a child
  /// with too few mismatches in a part is dropped.
  GPUSEQ_HD void add(const Node& parent, u32 extended, u32 before, u32 rows, u32 spent) {
    u32 state = parent.state + 1 + spent;
    if ((state & kDepth) == part_end_) {
      if (state >> 30 < least_) return;
      state &= ~(3u << 30);
    }
    const Node child = leftwards_ ? Node{extended, parent.reverse_row + before, rows, state}
                                  : Node{parent.row + before, extended, rows, state};
    if ((state & kDepth) == bases_) return found(child);
    if (has_node_) waiting_[u64{waits_++ * stride_}] = node_;
    node_ = child;
    has_node_ = true;
  }
  GPUSEQ_HD void found(const Node& node) {
    const u32 spent = node.state >> 28 & 3;
    for (u32 i = 0; i <= mismatches; ++i) answer_.occurrences[i] += spent == i ? node.rows : 0;
    if (hits_ != nullptr) hits_[answer_.hits] = {node.row, node.rows, spent};
    ++answer_.hits;
  }

  const IndexView& index_;
  Node* waiting_;
  u32 stride_;
  const u32* packed_ = nullptr;
  Hit* hits_ = nullptr;
  u32 bases_ = 0;
  bool reverse_complement_ = false;
  Answer answer_{};
  // The current search.
  u32 number_ = 0, left_from_ = 0;
  u32 first_end_ = 0, second_end_ = 0;  // bases matched at the end of its first and second part
  // The current node, whether it exists, and its part.
  Node node_{};
  bool has_node_ = false, leftwards_ = false;
  u32 least_ = 0, most_ = 0, part_end_ = 0;
  u32 waits_ = 0;
};

}  // namespace gpuseq::fm_mismatch
