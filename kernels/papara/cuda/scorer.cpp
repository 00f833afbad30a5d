#include "kernels/papara/cuda/scorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/common/load_kernel.hpp"
#include "kernels/papara/data/reference_packing.hpp"
#include "runtime/contract/unsupported.hpp"
#include "runtime/io/embedded.hpp"

namespace gpuseq::papara {
namespace {

GPUSEQ_EMBEDDED(papara_fatbin)

using cuda::CudaDevice;
using cuda::DeviceBuffer;

/// Share of the free memory that references may take: scratch memory comes after them.
constexpr double kReferencesShare = 0.7;
constexpr double kScratchShare = 0.9;

/// The least number of instructions per word of cells: those of the recurrence.
std::map<std::string, double> instructions_per_word(const Policy& policy) {
  const bool halves = policy.arithmetic == Arithmetic::f16x2;
  const std::string of = halves ? "_f16x2" : policy.arithmetic == Arithmetic::s32 ? "_s32" : "_s16x2";
  if (!policy.has_potentials()) {
    // Equation 1 as printed: four sums, three of which may be fused with a minimum, and three minima.
    // Row-wise has a fourth minimum for the scores of every row; blocks read the scores of the last row only.
    std::map<std::string, double> counts;
    if (halves)
      counts = {{"add" + of, 4}, {"min" + of, 3}};
    else
      counts = {{"add" + of, 1}, {"viaddmin" + of, 3}};
    if (!policy.blocked()) {
      counts["min" + of] += 1;
    } else {
      // Comparing sets and selecting costs: the least count of sm_75 to sm_120, for any block width.
      counts["lop3"] = policy.lanes() == 1 ? 3 : 4;
      counts["shf"] = 3;
    }
    return counts;
  }
  std::map<std::string, double> counts;
  if (halves)
    counts = {{"add" + of, 2}, {"min" + of, 3}};
  else if (policy.multiplies())
    counts = {{"viaddmin" + of, 1.5}, {"min" + of, 0.5}, {"vimin3" + of, 0.5}, {"imad", 0.5}};
  else
    counts = {{"viaddmin" + of, 2}, {"min" + of, 1}};
  if (policy.by_letters()) {
    counts["prmt"] = counts["lop3"] = 1;  // a mask of the letter's bits, and the selection by it
  } else if (!policy.branched) {
    counts["prmt"] = 1;
    if (halves) counts["lop3"] = 1;
  }
  return counts;
}

u32 shortest_of(const Queries& queries) {
  return queries.count() == 0 ? 0 : *std::min_element(queries.bases.begin(), queries.bases.end());
}

/// Scratch memory of all resident threads of a GPU. A border that may be in shared memory counts as global.
u64 most_scratch_bytes(const ScorePoint& at, const OutlinedSizes& sizes, u32 references) {
  // 160 multiprocessors with 2048 threads, as in the largest GPUs. Registers allow fewer threads.
  constexpr u64 kMostResidentThreads = 160 * 2048;
  Policy policy = at.policy;
  if (at.border_by_fit) policy.boundary_in_shared = false;
  const u64 threads = std::min(u64{threads_for(policy, references)} * sizes.queries, kMostResidentThreads);
  const u64 blocks = (threads + policy.threads_per_block - 1) / policy.threads_per_block;
  // A shorter query may have a longer right square end, by less than a block.
  const u64 ends = policy.square_ends ? policy.unroll * sizeof(u32) : 0;
  return blocks * policy.threads_per_block *
         (scratch_bytes_per_thread(policy, sizes.sites, sizes.shortest, sizes.longest) + ends);
}

/// With all references on the device; streaming needs fewer bytes.
HeldMemory estimated_held(const ScorePoint& at, const OutlinedSizes& sizes) {
  const u32 all = sizes.references;
  const u32 piece = at.references_per_launch == 0 ? all : std::min(all, at.references_per_launch);
  const auto words = [&](u32 references) {
    return packed_words(at.policy, sizes.sites, references, sizes.longest);
  };
  const u64 query_words = sizes.bases() + u64{kQueryPadding} * sizes.queries;
  return HeldMemory()
      .add(kQueriesPart, query_words * sizeof(u32) + u64{sizes.queries} * sizeof(QueryEntry))
      .add(kOutputPart, u64{sizes.queries} * all * sizeof(i32))
      .add(kWorkspacePart, most_scratch_bytes(at, sizes, piece))
      .add("references", (all / piece * words(piece) + words(all % piece)) * sizeof(u32));
}

}  // namespace

GpuScorer::GpuScorer(const PaparaProblem& problem, const ScorePoint& at, CudaDevice& device)
    : problem_(problem), at_(at), device_(device) {
  if (at_.border_by_fit)
    at_.policy.boundary_in_shared = borders_fit(
        static_cast<std::size_t>(device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)),
        problem.queries().longest);
  if (const auto reason = why_missing(at)) throw ResourceError(*reason);
  if (const auto reason = why_inexact(at.policy, problem.queries().longest, problem.penalties()))
    throw Unsupported(*reason);
  kernel_ = load_kernel(score_kernels(), at_.policy, at_.ahead_of_time, embedded_papara_fatbin(),
                        device_headers(), device, problem.cache_dir());
  const References& references = problem.references();
  upload_queries();
  scores_ = DeviceBuffer(device, u64{problem.queries().count()} * references.count * sizeof(i32));
  place_references();
  arguments_.queries = entries_.as<const QueryEntry>();
  arguments_.bases = bases_.as<const u32>();
  arguments_.scores = scores_.as<i32>();
  arguments_.sites = references.sites;
  arguments_.score_stride = references.count;
  arguments_.longest = problem.queries().longest;
  arguments_.one = 1;
  arguments_.penalties = problem.penalties();
  choose_grid();
  arguments_.scratch = scratch_.as<void>();
}

void GpuScorer::upload_queries() {
  const Queries& queries = problem_.queries();
  const std::vector<u32> words = pack_queries(problem_.references().alphabet, queries);
  bases_ = DeviceBuffer(device_, words.size() * sizeof(u32));
  entries_ = DeviceBuffer(device_, queries.count() * sizeof(QueryEntry));
  upload_s_ += device_.time_s([&] { bases_.upload(words); });
}

void GpuScorer::place_references() {
  const References& references = problem_.references();
  const u32 warp = at_.policy.warp_references(), longest = problem_.queries().longest;
  const auto room = static_cast<u64>(kReferencesShare * static_cast<double>(device_.free_bytes()));
  const u64 all_bytes = packed_words(at_.policy, references.sites, references.count, longest) * sizeof(u32);
  const u64 warp_bytes = packed_words(at_.policy, references.sites, warp, longest) * sizeof(u32);
  references_stay_ = all_bytes <= room;
  if (!references_stay_ && warp_bytes > room)
    throw DoesNotFit(fmt::format("{} references of {} sites take {} bytes, {} are free on {}", warp,
                                 references.sites, warp_bytes, room, device_.id()));
  u64 most = references_stay_ ? references.count : room / warp_bytes * warp;
  if (at_.references_per_launch != 0) most = std::min<u64>(most, at_.references_per_launch);
  for (u64 begin = 0; begin < references.count; begin += most) {
    const Range range{static_cast<u32>(begin),
                      static_cast<u32>(std::min<u64>(references.count, begin + most))};
    Piece piece{
        .references = range, .host = pack_references(at_.policy, references, range, longest), .words = {}};
    if (references_stay_) {
      piece.words = DeviceBuffer(device_, piece.host.size() * sizeof(u32));
      upload_s_ += device_.time_s([&] { piece.words.upload(piece.host); });
      piece.host = {};
    }
    pieces_.push_back(std::move(piece));
  }
  if (!references_stay_) streamed_ = DeviceBuffer(device_, pieces_.front().host.size() * sizeof(u32));
}

/// One wave of blocks, limited by the work and by the memory for their scratch.
void GpuScorer::choose_grid() {
  const Policy& policy = at_.policy;
  const Queries& queries = problem_.queries();
  const std::size_t shared = papara::shared_bytes(policy, queries.longest);
  const auto limit =
      static_cast<std::size_t>(device_.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  if (shared > limit)
    throw DoesNotFit(fmt::format(
        "a block needs {} bytes of shared memory for queries of {} bases, {} has {}; use border = global",
        shared, queries.longest, device_.id(), limit));
  shared_bytes_ = static_cast<u32>(shared);
  if (shared_bytes_ > 0) kernel_->allow_shared_bytes(shared_bytes_);
  u64 blocks = static_cast<u64>(kernel_->resident_blocks(policy.threads_per_block, shared_bytes_)) *
               static_cast<u64>(device_.multiprocessors());
  u64 widest = 0;
  for (const Piece& piece : pieces_)
    widest = std::max<u64>(widest, threads_for(policy, piece.references.size()));
  const u64 threads = widest * queries.count();
  blocks = std::min(blocks, (threads + policy.threads_per_block - 1) / policy.threads_per_block);
  const u64 scratch_of_block =
      policy.threads_per_block *
      scratch_bytes_per_thread(policy, problem_.references().sites, shortest_of(queries), queries.longest);
  if (scratch_of_block > 0) {
    const auto room = static_cast<u64>(kScratchShare * static_cast<double>(device_.free_bytes()));
    blocks = std::min(blocks, room / scratch_of_block);
    if (blocks == 0 && threads > 0)
      throw DoesNotFit(fmt::format("a block needs {} bytes of scratch memory, {} are free on {}",
                                   scratch_of_block, room, device_.id()));
  }
  blocks_ = static_cast<u32>(std::max<u64>(blocks, 1));
  scratch_ = DeviceBuffer(device_, blocks_ * scratch_of_block);
}

void GpuScorer::order(Range range) {
  if (range.begin == ordered_.begin && range.end == ordered_.end) return;
  const Queries& queries = problem_.queries();
  std::vector<u32> longest_first(range.size());
  std::iota(longest_first.begin(), longest_first.end(), range.begin);
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](u32 a, u32 b) { return queries.bases[a] > queries.bases[b]; });
  std::vector<QueryEntry> entries;
  entries.reserve(longest_first.size());
  for (const u32 query : longest_first) entries.push_back(query_entry(queries, query));
  entries_.upload(entries);
  ordered_ = range;
}

void GpuScorer::launch(const Piece& piece, Range references, u32 first_entry, u32 entries) {
  const u32 before = references.begin - piece.references.begin;
  const u32 first_thread = before / at_.policy.warp_references() * kWarpThreads;
  arguments_.queries = entries_.as<const QueryEntry>() + first_entry;
  arguments_.query_count = entries;
  arguments_.references = (references_stay_ ? piece.words : streamed_).as<const u32>() + first_thread;
  arguments_.reference_count = references.size();
  arguments_.reference_stride = threads_for(at_.policy, piece.references.size());
  arguments_.first_reference = references.begin;
  std::array<void*, 1> arguments{&arguments_};
  kernel_->launch(blocks_, at_.policy.threads_per_block, shared_bytes_, arguments);
}

void GpuScorer::enqueue(const Rectangle& part) {
  if (part.pairs() == 0) return;
  const u32 queries = part.queries.size();
  order(part.queries);
  const u32 most = at_.queries_per_launch == 0 ? queries : at_.queries_per_launch;
  for (Piece& piece : pieces_) {
    const Range references{std::max(piece.references.begin, part.references.begin),
                           std::min(piece.references.end, part.references.end)};
    if (references.begin >= references.end) continue;
    if (!references_stay_) streamed_.upload(piece.host);
    for (u32 first = 0; first < queries; first += std::min(most, queries - first))
      launch(piece, references, first, std::min(most, queries - first));
  }
}

void GpuScorer::download(const Rectangle& part, i32* scores) {
  const u64 references = problem_.references().count;
  const auto copy = [&](u64 first, u64 count) {
    scores_.download(std::as_writable_bytes(std::span(scores + first, count)), first * sizeof(i32));
  };
  if (part.references.size() == references) return copy(part.queries.begin * references, part.pairs());
  for (u64 query = part.queries.begin; query < part.queries.end; ++query)
    copy(query * references + part.references.begin, part.references.size());
}

HeldMemory GpuScorer::held() const {
  HeldMemory held;
  held.add(kQueriesPart, bases_.size() + entries_.size())
      .add(kOutputPart, scores_.size())
      .add(kWorkspacePart, scratch_.size())
      .add("references", streamed_.size());
  for (const Piece& piece : pieces_) held.add("references", piece.words.size());
  return held;
}

Instructions GpuScorer::instructions() const {
  return score_instructions(at_.policy, problem_.cells());
}

Resources GpuScorer::resources() const {
  return kernel_->resources(blocks_, at_.policy.threads_per_block, shared_bytes_);
}

Instructions score_instructions(const Policy& policy, double cells) {
  Instructions instructions;
  for (const auto& [operation, count] : instructions_per_word(policy))
    instructions.operations[operation] = count * cells / policy.lanes();
  return instructions;
}

Cost score_cost(const ScorePoint& at, const OutlinedSizes& sizes) {
  return {.work = {.amount = sizes.cells, .unit = "cells"},
          .held = sizes.known() ? estimated_held(at, sizes) : HeldMemory(),
          .traffic = std::nullopt,
          .instructions = score_instructions(at.policy, sizes.cells),
          .why_no_bound = {}};
}

}  // namespace gpuseq::papara
