#pragma once

#include <string>
#include <vector>

#include "results/json_fields.hpp"
#include "results/record.hpp"

/// Reads the parts of a record from their JSON objects. Each function throws a UsageError that starts with
/// the JSON pointer of a field that violates record.schema.json.
namespace gpuseq::results {

/// 16 hexadecimal digits.
void require_hash(const Fields& fields, const char* name, const std::string& hash);
void require_date(const Fields& fields, const char* name, const std::string& date);

Failure failure_from(const Fields& f);
std::vector<double> samples_from(const Fields& fields);
SingleLaunch single_launch_from(const Fields& f);
Statistics statistics_from(const Fields& f);
ReferenceLoopTimes reference_loop_from(const Fields& f);
Verification verification_from(const Fields& f);
Traffic traffic_from(const Fields& f);
Instructions instructions_from(const Fields& f);
Resources resources_from(const Fields& f);
HeldMemory memory_from(const Fields& f);
Bound bound_from(const Fields& f);
ProblemSize size_from(const Fields& f);
Filling filling_from(const Fields& f);

}  // namespace gpuseq::results
