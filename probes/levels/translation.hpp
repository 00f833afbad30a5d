#pragma once

#include <optional>
#include <span>
#include <vector>

#include "probes/levels/curve_terms.hpp"

namespace gpuseq::probes {

/// Reach and cost of address translation, if it limits at least two curves whose access times differ before
/// it and are equal beyond: costs are then per access and not per byte. None otherwise.
std::optional<TranslationLimit> find_translation(std::span<const CurveTerms> curves);

/// The estimate of a limit from one curve.
struct LimitedCurve {
  std::size_t curve = 0;
  double before_ns = 0;    // at the last point that it does not limit
  double reach_bytes = 0;  // estimated from this curve alone
};

/// The curves that show a limit.
std::vector<LimitedCurve> limited_curves(std::span<const CurveTerms> curves, const TranslationLimit& limit);

}  // namespace gpuseq::probes
