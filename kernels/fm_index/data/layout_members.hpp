#pragma once

#include <algorithm>
#include <string>

#include "kernels/common/tuned_kernel.hpp"
#include "kernels/fm_index/data/layout.cuh"

// The members of a layout as a table, so that none is forgotten where layouts are compared or written.

namespace gpuseq::fm_index {

/// The fact `layout` of records.
inline constexpr auto kLayoutKinds = enum_words<LayoutKind>({{LayoutKind::full, "full"},
                                                             {LayoutKind::alternate, "alternate"},
                                                             {LayoutKind::one_hot, "one_hot"},
                                                             {LayoutKind::psi, "psi"},
                                                             {LayoutKind::psi_lines, "psi_lines"},
                                                             {LayoutKind::elias_fano, "elias_fano"},
                                                             {LayoutKind::verify, "verify"}});
inline constexpr auto kLayoutMembers = every_member<Layout>(
    {tunable<&Layout::kind>({.words = kLayoutKinds.words, .enumeration = "gpuseq::fm_index::LayoutKind"}),
     tunable<&Layout::k>({}), tunable<&Layout::d>({}), tunable<&Layout::wide>({}),
     tunable<&Layout::line_bytes>({}), tunable<&Layout::row_bytes>({})});

/// The initialiser list of a layout in C++, without braces.
inline std::string text_of(const Layout& layout) {
  return initializers<Layout>(kLayoutMembers, layout);
}

inline bool same(const Layout& a, const Layout& b) {
  return std::ranges::all_of(kLayoutMembers,
                             [&](const auto& member) { return member.get(a) == member.get(b); });
}

}  // namespace gpuseq::fm_index
