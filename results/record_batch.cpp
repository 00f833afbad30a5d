#include "results/record_batch.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace gpuseq::results {
namespace {

constexpr std::size_t kLinesAtOnce = 16;
constexpr std::size_t kMostLines = 1024, kMostBytes = std::size_t{4} << 20;

}  // namespace

RecordBatch::RecordBatch(int threads)
    : threads_(threads, /*pin=*/false), readers_(static_cast<std::size_t>(threads)) {}

void RecordBatch::add(std::string_view line, std::size_t number) {
  text_.append(line);
  ends_.push_back(text_.size());
  outcomes_.push_back({.number = number, .record = {}, .error = {}});
}

bool RecordBatch::is_full() const {
  return ends_.size() >= kMostLines || text_.size() >= kMostBytes;
}

void RecordBatch::read(const Take& take) {
  std::atomic<std::size_t> next{0};
  threads_.run([&](int thread) {
    RecordLineReader& reader = readers_[static_cast<std::size_t>(thread)];
    for (std::size_t begin = next.fetch_add(kLinesAtOnce); begin < ends_.size();
         begin = next.fetch_add(kLinesAtOnce))
      read_lines(reader, begin, std::min(ends_.size(), begin + kLinesAtOnce));
  });
  text_.clear();
  ends_.clear();
  for (Outcome& outcome : std::exchange(outcomes_, {}))
    take(outcome.number, std::move(outcome.record), outcome.error);
}

void RecordBatch::read_lines(RecordLineReader& reader, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t first = i == 0 ? 0 : ends_[i - 1];
    try {
      outcomes_[i].record = reader.read(std::string_view(text_).substr(first, ends_[i] - first));
    } catch (...) {
      outcomes_[i].error = std::current_exception();
    }
  }
}

}  // namespace gpuseq::results
