#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record_line.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::results {

/// Reads the lines of one journal with several threads, in batches.
class RecordBatch {
 public:
  /// @param threads  at least 1
  explicit RecordBatch(int threads);

  /// Copies a line.
  void add(std::string_view line, std::size_t number);
  /// Whether to call read(): more lines would use more memory without saving time.
  bool is_full() const;

  /// Calls `take` for each line in order, with its number and its record or the error, and discards the
  /// lines.
  using Take =
      std::function<void(std::size_t number, std::optional<Record> record, std::exception_ptr error)>;
  void read(const Take& take);

 private:
  struct Outcome {
    std::size_t number = 0;
    std::optional<Record> record;
    std::exception_ptr error;
  };
  void read_lines(RecordLineReader& reader, std::size_t begin, std::size_t end);

  ThreadPool threads_;
  std::vector<RecordLineReader> readers_;  // one per thread: data shared by their records is not locked
  std::string text_;
  std::vector<std::size_t> ends_;  // ends of the lines in the text
  std::vector<Outcome> outcomes_;
};

}  // namespace gpuseq::results
