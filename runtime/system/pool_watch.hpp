#pragma once

namespace gpuseq {

class ThreadPool;

/// While one lives, it knows which pool the thread that made it has had work run by: no session says which
/// threads its launches use, and this tells. Of several pools it is the one of most threads.
class PoolWatch {
 public:
  PoolWatch();
  ~PoolWatch();
  PoolWatch(const PoolWatch&) = delete;
  PoolWatch& operator=(const PoolWatch&) = delete;

  /// Null: no pool that still is.
  ThreadPool* pool() const { return pool_; }

 private:
  friend class ThreadPool;

  ThreadPool* pool_ = nullptr;
  PoolWatch* outer_;  // which sees nothing meanwhile
};

}  // namespace gpuseq
