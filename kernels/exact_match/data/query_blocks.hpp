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

/// Reads the queries of a file ahead of their use with several threads. The queries, and the error for a
/// malformed file, are those of QueryReader, in blocks in order.
///
/// Pieces of the file are parsed independently. The first rejected piece and the rest of the file are read
/// again as one stream, which finds the error, or that the file was only cut at a wrong place.
class QueryBlocks {
 public:
  struct Options {
    int threads = 0;                       // 0: one per logical processor
    u64 piece_bytes = u64{16} << 20;       // approximate bytes of the file per block
    u64 ahead = 0;                         // most blocks to read ahead; 0: two more than threads
    u64 letters_in_order = u64{16} << 20;  // approximate letters per block after pieces are
                                           // read as one stream
  };

  /// @throws UsageError if the file is missing, a folder or unreadable; ResourceError if a thread cannot
  /// start
  explicit QueryBlocks(const std::filesystem::path& path) : QueryBlocks(path, Options{}) {}
  QueryBlocks(const std::filesystem::path& path, const Options& options);
  ~QueryBlocks();
  QueryBlocks(const QueryBlocks&) = delete;
  QueryBlocks& operator=(const QueryBlocks&) = delete;

  /// The next block; a block without queries after the last. @throws UsageError like QueryReader
  Queries next();
  /// Sum over the threads of the seconds for reading and parsing.
  double thread_seconds() const;

 private:
  struct Parsed {
    SequencePiece piece;
    Queries queries = empty_queries();
    SequenceReadStart read;                // lines and records of the piece
    bool refused = true;                   // or not parsed yet
    std::exception_ptr failure = nullptr;  // a failure that reading again would not fix
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
  SequencePieces pieces_;  // next() requires cutting_

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<u64, Parsed> parsed_;  // by piece number
  u64 taken_ = 0;                 // pieces returned by next()
  u64 cut_ = 0;                   // pieces taken by threads
  int running_ = 0;               // number of running threads
  bool stopping_ = false;
  std::atomic<bool> as_stream_ = false;
  double seconds_ = 0;

  SequenceReadStart before_;           // start of the next piece
  std::unique_ptr<QueryReader> rest_;  // the rest of the file, after a piece was rejected
  std::string bytes_;                  // bytes for `rest_`
  std::exception_ptr damage_;          // error after these bytes
  std::vector<std::thread> threads_;
};

}  // namespace gpuseq::exact_match
