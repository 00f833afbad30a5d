#include "kernels/exact_match/data/query_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

#include "runtime/contract/errors.hpp"
#include "runtime/system/seconds_since.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::exact_match {

using Clock = std::chrono::steady_clock;

QueryBlocks::QueryBlocks(const std::filesystem::path& path, const Options& options)
    : path_(path), options_(options), pieces_(path, options.piece_bytes) {
  if (options_.threads == 0) options_.threads = available_cpus();
  if (options_.ahead == 0) options_.ahead = static_cast<u64>(options_.threads) + 2;
  running_ = options_.threads;
  try {
    for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    stop();
    throw ResourceError(fmt::format("cannot start {} threads: {}", options_.threads, error.what()));
  }
}

QueryBlocks::~QueryBlocks() {
  stop();
}

void QueryBlocks::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

double QueryBlocks::thread_seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

/// Cuts the next piece when a slot is free; other threads wait for cutting_.
std::optional<SequencePiece> QueryBlocks::next_piece() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || cut_ < taken_ + options_.ahead; });
    if (stopping_) return std::nullopt;
  }
  auto piece = pieces_.next();
  if (!piece) return std::nullopt;
  const std::lock_guard lock(mutex_);
  ++cut_;
  return piece;
}

void QueryBlocks::parse(Parsed& parsed, char marker) const {
  const SequencePiece& piece = parsed.piece;
  if (piece.damage != nullptr) return;
  try {
    std::string_view bytes = piece.bytes;
    QueryReader reader(path_, SequenceReader(path_, [&] { return std::exchange(bytes, {}); }, {},
                                             {.marker = piece.number == 0 ? char{0} : marker}));
    parsed.queries = reader.next(std::numeric_limits<u64>::max());
    parsed.read = reader.position();
    parsed.refused = false;
  } catch (const UsageError&) {
    parsed.queries = empty_queries();  // lines and records of the error are known when all earlier
                                       // pieces are counted
  }
}

/// Cuts, loads and parses the next piece. False if there is none.
bool QueryBlocks::read_one(Parsed& parsed) {
  char marker = 0;
  try {
    const std::lock_guard cutting(cutting_);
    auto piece = next_piece();
    if (!piece) return false;
    parsed.piece = std::move(*piece);
    marker = pieces_.marker();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    parsed.piece.number = cut_++;
    parsed.failure = std::current_exception();
    return true;
  }
  const Clock::time_point start = Clock::now();
  try {
    pieces_.load(parsed.piece);
    if (!as_stream_) parse(parsed, marker);
  } catch (...) {
    parsed.failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  seconds_ += seconds_since(start);
  return true;
}

void QueryBlocks::work() {
  for (bool failed = false; !failed;) {
    Parsed parsed;
    if (!read_one(parsed)) break;
    failed = parsed.failure != nullptr;
    const std::lock_guard lock(mutex_);
    const u64 number = parsed.piece.number;
    parsed_.emplace(number, std::move(parsed));
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  --running_;
  changed_.notify_all();
}

/// The next piece in order; nullopt after the last.
std::optional<QueryBlocks::Parsed> QueryBlocks::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return parsed_.contains(taken_) || running_ == 0; });
  auto next = parsed_.extract(taken_);
  if (next.empty()) return std::nullopt;
  ++taken_;
  changed_.notify_all();
  if (next.mapped().failure) std::rethrow_exception(next.mapped().failure);
  return std::move(next.mapped());
}

void QueryBlocks::read_in_order(Parsed refused) {
  as_stream_ = true;
  bytes_ = std::move(refused.piece.bytes);
  damage_ = refused.piece.damage;
  const auto next_bytes = [this, current = std::string()]() mutable -> std::string_view {
    while (bytes_.empty()) {
      if (damage_ != nullptr) std::rethrow_exception(damage_);
      auto parsed = take();
      if (!parsed) return {};
      bytes_ = std::move(parsed->piece.bytes);
      damage_ = parsed->piece.damage;
    }
    current = std::exchange(bytes_, {});
    return current;
  };
  rest_ = std::make_unique<QueryReader>(path_, SequenceReader(path_, next_bytes, {}, before_));
}

Queries QueryBlocks::next() {
  while (!rest_) {
    auto parsed = take();
    if (!parsed) return empty_queries();
    if (parsed->refused) {
      read_in_order(std::move(*parsed));
      break;
    }
    before_ = {.marker = parsed->read.marker,
               .lines = before_.lines + parsed->read.lines,
               .records = before_.records + parsed->read.records};
    if (parsed->queries.count() > 0) return std::move(parsed->queries);
  }
  return rest_->next(options_.letters_in_order);
}

}  // namespace gpuseq::exact_match
