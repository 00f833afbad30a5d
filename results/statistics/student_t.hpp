#pragma once

namespace gpuseq::results {

/// Probability that a value of Student's t distribution is between -t and t. Source: Abramowitz and Stegun,
/// Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4.
/// @param degrees  of freedom, at least 1
double student_t_within(double t, int degrees);

/// The t with probability `confidence`. @throws std::invalid_argument if confidence is not within (0, 1) or
/// degrees is less than 1
double student_t_quantile(double confidence, int degrees);

}  // namespace gpuseq::results
