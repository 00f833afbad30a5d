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

/// Reads the lines of one journal on several threads, a batch at a time.
class RecordBatch {
 public:
  /// @param threads  at least 1
  explicit RecordBatch(int threads);

  /// Takes a copy of a line.
  void add(std::string_view line, std::size_t number);
  /// Whether it is time for read(): more lines would take more memory and no less time.
  bool is_full() const;

  /// Calls `take` with the number of each line and its record, or with why it is none, in the order of the
  /// lines, and forgets them.
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
  std::vector<RecordLineReader> readers_;  // one for each thread: what their records share is not locked
  std::string text_;
  std::vector<std::size_t> ends_;  // of the lines in the text
  std::vector<Outcome> outcomes_;
};

}  // namespace gpuseq::results
