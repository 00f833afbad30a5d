#pragma once

#include <optional>
#include <span>
#include <vector>

#include "probes/levels/curve_terms.hpp"

namespace gpuseq::probes {

/// Reach and cost of address translation, if it limits at least two curves whose accesses take different
/// times before it and the same beyond: then costs are by access and not by byte. None otherwise.
std::optional<TranslationLimit> find_translation(std::span<const CurveTerms> curves);

/// What one curve has to say of a limit.
struct LimitedCurve {
  std::size_t curve = 0;
  double before_ns = 0;    // at the last point that it does not limit
  double reach_bytes = 0;  // as this curve alone has it
};

/// The curves that show a limit.
std::vector<LimitedCurve> limited_curves(std::span<const CurveTerms> curves, const TranslationLimit& limit);

}  // namespace gpuseq::probes
