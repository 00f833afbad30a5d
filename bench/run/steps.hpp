#pragma once

#include <exception>

namespace gpuseq::bench {

/// Independent steps: a step that fails does not stop the others.
class Steps {
 public:
  template <typename Step>
  void take(Step step) {
    try {
      step();
    } catch (...) {
      if (!first_) first_ = std::current_exception();
    }
  }
  /// @throws the exception of the first step that failed
  void end() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

}  // namespace gpuseq::bench
