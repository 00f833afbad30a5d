#include "kernels/profile_hmm/data/bytes_ahead.hpp"

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace gpuseq::profile_hmm {
namespace {

constexpr std::size_t kBlocks = 4;
constexpr std::size_t kBlockBytes = 256 << 10;  // few hand-overs, and small enough to stay in a cache

/// A ring of blocks; a thread fills the free ones in turn.
class Ahead {
 public:
  explicit Ahead(ByteSource source) : source_(std::move(source)), thread_([this] { serve(); }) {}
  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  std::string_view next() {
    std::unique_lock lock(mutex_);
    if (in_use_) ++used_;
    in_use_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return filled_ > used_ || ended_; });
    in_use_ = filled_ > used_;
    if (in_use_) return blocks_[used_ % kBlocks];
    if (error_ != nullptr) std::rethrow_exception(error_);
    return {};
  }

 private:
  void serve() {
    for (bool more = true; more;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return filled_ - used_ < kBlocks || stopping_; });
      if (stopping_) return;
      std::string& block = blocks_[filled_ % kBlocks];
      lock.unlock();
      std::exception_ptr error;
      try {
        more = fill(block);
      } catch (...) {
        error = std::current_exception();
        more = false;
      }
      lock.lock();
      if (!block.empty()) ++filled_;  // also if an error followed
      error_ = error;
      ended_ = !more;
      changed_.notify_all();
    }
  }

  /// @returns whether more bytes may follow
  bool fill(std::string& block) {
    block.clear();
    while (block.size() < kBlockBytes) {
      const std::string_view bytes = source_.next();
      if (bytes.empty()) return false;
      block.append(bytes);
    }
    return true;
  }

  ByteSource source_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::string, kBlocks> blocks_;
  std::size_t filled_ = 0, used_ = 0;  // blocks so far
  bool in_use_ = false;                // the block after the used ones is in use
  bool ended_ = false, stopping_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace

NextBytes bytes_ahead(const std::filesystem::path& path) {
  auto source = std::make_shared<ByteSource>(path);
  if (!source->is_gzip() || !is_file_to_open_again(path)) return [source] { return source->next(); };
  return [ahead = std::make_shared<Ahead>(std::move(*source))] { return ahead->next(); };
}

}  // namespace gpuseq::profile_hmm
