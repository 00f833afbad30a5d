#pragma once

namespace gpuseq::results {

/// How often a value of Student's t distribution lies within -t and t. Source: Abramowitz and Stegun,
/// Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4.
/// @param degrees  of freedom, at least 1
double student_t_within(double t, int degrees);

/// The t for which that is `confidence`. @throws std::invalid_argument if confidence is not within (0, 1) or
/// there is no degree of freedom
double student_t_quantile(double confidence, int degrees);

}  // namespace gpuseq::results
