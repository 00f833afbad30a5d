#include "kernels/fm_locate/data/places.hpp"

#include <algorithm>
#include <iterator>

namespace gpuseq::fm_locate {

std::optional<Place> place_of(const fm_index::Reference& reference, u64 position, u64 bases) {
  const auto next =
      std::ranges::upper_bound(reference.fragments, position, {}, &fm_index::Fragment::text_begin);
  const u64 end = next == reference.fragments.end() ? reference.text.size() : next->text_begin;
  if (position + bases > end) return std::nullopt;
  const fm_index::Fragment& fragment = *std::prev(next);
  return Place{fragment.record, fragment.record_begin + (position - fragment.text_begin)};
}

std::string record_name(const fm_index::Reference& reference, u64 record) {
  const std::string& name = reference.names[record];
  return name.empty() ? std::to_string(record + 1) : name;
}

}  // namespace gpuseq::fm_locate
