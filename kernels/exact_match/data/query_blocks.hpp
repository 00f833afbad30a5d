#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "kernels/exact_match/data/sequences.hpp"
#include "runtime/io/sequence_pieces.hpp"

namespace gpuseq::exact_match {

/// Reads the queries of a file with several threads, ahead of who takes them: exactly the queries, and for a
/// malformed file the error, of QueryReader, in blocks in their order.
///
/// Pieces of the file are parsed apart. The first that is refused is read again with all behind it as one
/// stream, which finds the error, or that the file was only cut at a wrong place.
class QueryBlocks {
 public:
  struct Options {
    int threads = 0;                       // 0: one per logical processor
    u64 piece_bytes = u64{16} << 20;       // of the file, about, for each block
    u64 ahead = 0;                         // blocks read ahead at most; 0: two more than threads
    u64 letters_in_order = u64{16} << 20;  // of a block, about, once pieces are read as one stream
  };

  /// @throws UsageError if the file is missing, a folder or unreadable; ResourceError if a thread cannot
  /// start
  explicit QueryBlocks(const std::filesystem::path& path) : QueryBlocks(path, Options{}) {}
  QueryBlocks(const std::filesystem::path& path, const Options& options);
  ~QueryBlocks();
  QueryBlocks(const QueryBlocks&) = delete;
  QueryBlocks& operator=(const QueryBlocks&) = delete;

  /// The next block; one without a query after the last. @throws UsageError as QueryReader does
  Queries next();
  /// Seconds that threads have spent reading and parsing, all together.
  double thread_seconds() const;

 private:
  struct Parsed {
    SequencePiece piece;
    Queries queries = empty_queries();
    SequenceReadStart read;                // lines and records of the piece
    bool refused = true;                   // or not parsed
    std::exception_ptr failure = nullptr;  // of what no other reading would help
  };
  void work();
  void stop() noexcept;
  bool read_one(Parsed& parsed);
  std::optional<SequencePiece> next_piece();
  void parse(Parsed& parsed, char marker) const;
  std::optional<Parsed> take();
  void read_in_order(Parsed refused);

  std::filesystem::path path_;
  Options options_;
  std::mutex cutting_;
  SequencePieces pieces_;  // next() under cutting_

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<u64, Parsed> parsed_;  // by number
  u64 taken_ = 0;                 // pieces that next() has taken
  u64 cut_ = 0;                   // pieces that threads have taken
  int running_ = 0;               // threads
  bool stopping_ = false;
  std::atomic<bool> as_stream_ = false;
  double seconds_ = 0;

  SequenceReadStart before_;           // of the next piece
  std::unique_ptr<QueryReader> rest_;  // of all that is left, once a piece was refused
  std::string bytes_;                  // that rest_ reads
  std::exception_ptr damage_;          // behind them
  std::vector<std::thread> threads_;
};

}  // namespace gpuseq::exact_match
