#pragma once

namespace gpuseq {

class ThreadPool;

/// During its lifetime, records the pool that ran work of the thread that created it: sessions do not report
/// the threads of their launches. If there are several pools, it is the one with the most threads.
class PoolWatch {
 public:
  PoolWatch();
  ~PoolWatch();
  PoolWatch(const PoolWatch&) = delete;
  PoolWatch& operator=(const PoolWatch&) = delete;

  /// Null: no pool that still exists.
  ThreadPool* pool() const { return pool_; }

 private:
  friend class ThreadPool;

  ThreadPool* pool_ = nullptr;
  PoolWatch* outer_;  // inactive meanwhile
};

}  // namespace gpuseq
