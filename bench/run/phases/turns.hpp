#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "bench/plan/state.hpp"

namespace gpuseq::bench {

/// The order in which a budget measures the states of one problem: the first one of each variant and
/// device, then variants in shares of time that are as their rates, so that slow ones do not take the time
/// of fast ones. External tools come last: they may build an index. It follows from the records alone.
class Turns {
 public:
  /// @param states  of one problem; must outlive this
  explicit Turns(std::span<const State> states);

  /// The state whose turn it is; null: there is none left.
  const State* next();
  /// The same on one device alone.
  const State* next_on(const std::string& device);
  /// The record of a state that next() returned.
  void add(const results::Record& record);
  /// Pairs of a variant and a device.
  std::size_t size() const { return variants_.size(); }

 private:
  struct OfVariant {
    std::string name, device;
    bool is_tool = false;
    std::deque<const State*> left = {};
    bool is_tried = false;
    double spent_s = 0, rate = 0;  // of its records
  };
  OfVariant& of(const results::StateKey& key);
  /// The variant whose share of the time so far is least for its rate; null: none has states left.
  /// @param device  empty: any
  OfVariant* most_behind(bool tools, const std::string& device);

  std::vector<OfVariant> variants_;
};

}  // namespace gpuseq::bench
