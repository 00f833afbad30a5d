#pragma once

#include "kernels/fm_index/data/index.hpp"
#include "kernels/fm_index/data/queries.hpp"
#include "kernels/fm_index/data/reference.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::fm_index {

/// The cost of a block of rows and their counter.
enum class RowsRead : u8 {
  all_of_entry,  // its bytes from the first to the last: a CPU fetches lines, and the next along with one
  counted,       // the sectors that hold the counter and rows that a step counts; a GPU fetches each alone
  all_rows       // the sectors of the counter and of all rows, whatever a step counts
};

/// At most so many of the queries are walked to count the blocks of all.
inline constexpr u32 kMostWalked = 2000;

/// The next entry is found by the counters of the last.
inline constexpr const char* kSearchAccess = "dependent";

/// The walk that tells which entries are hotter than others.
struct HeatWalk {
  /// 0: none. Memory is 6 bytes a visit at most.
  u64 most_visits = u64{1} << 25;
  int threads = 1;
};

/// Blocks of memory that a search of all queries touches at least, with any
/// variant: walked on at most `most` evenly spread queries and scaled to all bases.
///
/// A step reads, for l and for h, one counter and the rows of one entry. Data of an entry that both
/// l and h read is counted once, also where each reads it by itself: the second finds it on its way.
/// A counter (its 32-byte sector) and the rows are one block where both lie within 128 bytes, as in
/// every entry of k = 1; two blocks where the counters of k = 3 and 4 hold them apart. Where l and h
/// come to two such places in the same 128 bytes, these are one block, of the first one's bytes.
/// block_bytes is the mean, of sectors that l and h need or of all that an entry has there. Reading
/// the prefix table is one more block per query. Superblocks are few and are taken to be in cache,
/// and so are an Elias-Fano layout's words; its lists, which few steps come to, are left out.
///
/// Classes: steps of words that begin the same few symbols of a query read the few entries in
/// which the intervals of such words begin and end; those of longer words come to all entries. A
/// class has the steps that come to as many bytes, as far as a launch touches these; the longest
/// words of the prefix table are a class too. Counters and rows that are blocks of their own are
/// so in classes as well: rows lie in fewer bytes than the counters of k = 3 and 4.
///
/// Steps that come to all entries have classes by heat (block_heat.hpp), which is counted on more
/// queries: in a pan-genome rows of all strains are neighbours, and queries that do not occur fall
/// between them into gaps of very different widths. That is counted where 16 million steps visit
/// each entry four times; for larger indexes, and too few queries, such steps are one class.
///
/// Classes assume that queries that follow each other have nothing in common: then a cache holds
/// at best the hottest places. Ordered queries, and the k-mers of a read, come to data that the
/// query before left there, at any place: their blocks are so many, but say nothing of the rate.
///
/// A pan-genome has fewer different words than rows, and their steps come to fewer places of layouts that
/// have entries of each word (one-hot, Elias-Fano).
Traffic count_traffic(const Index& index, const Queries& queries, RowsRead rows_read = RowsRead::all_of_entry,
                      u32 most = kMostWalked, const Strains& strains = {}, const HeatWalk& heat_walk = {});

/// Blocks of a step that may be asked for at a time: of l and of h, the counter and the rows.
u32 most_blocks_of_step(const Layout& layout);

/// Bases of the text, all strains of the reference, of a file at most; 0: not known.
u64 reference_bases(const StateOutline& state);

/// Why queries that follow each other share data; empty where chance alone lets them.
std::string why_neighbours_share(const Point& problem);
/// The same as the reason why random access is no bound.
std::string why_no_bound(const Point& problem);

/// Places that an LF mapping reads at most: 2 where the counter and the rows lie apart.
u32 most_places_of_mapping(const Layout& layout);

}  // namespace gpuseq::fm_index
