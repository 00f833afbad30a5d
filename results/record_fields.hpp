#pragma once

#include <string>

#include "results/record.hpp"

/// The fields of a record's parts with their names in records.jsonl, in order. All writers use this list.
/// `visit` is called with the name and the value of each field.
namespace gpuseq::results {

template <typename Visit>
void visit_fields(const Failure& failure, Visit&& visit) {
  visit("kind", failure.kind);
  visit("reason", failure.reason);
}

template <typename Visit>
void visit_fields(const Work& work, Visit&& visit) {
  visit("amount", work.amount);
  visit("unit", work.unit);
}

template <typename Visit>
void visit_fields(const Statistics& s, Visit&& visit) {
  visit("samples", s.samples);
  visit("autocorrelation_time", s.autocorrelation_time);
  visit("median_s", s.median_s);
  visit("low_s", s.low_s);
  visit("high_s", s.high_s);
  visit("confidence", s.confidence);
  if (!s.low_s) visit("interval_reason", s.interval_reason);
  visit("min_s", s.min_s);
  visit("max_s", s.max_s);
  visit("mean_s", s.mean_s);
  visit("stddev_s", s.stddev_s);
  visit("rate", s.rate);
  visit("rate_low", s.rate_low);
  visit("rate_high", s.rate_high);
  visit("rate_unit", s.rate_unit);
  visit("stopped_by", s.stopped_by);
}

template <typename Visit>
void visit_fields(const SingleLaunch& s, Visit&& visit) {
  visit("samples_s", s.samples_s);
  visit("median_s", s.median_s);
  visit("rate", s.rate);
}

template <typename Visit>
void visit_fields(const Verification& v, Visit&& visit) {
  visit("passed", v.passed);
  visit("checked", v.checked);
  visit("reason", v.reason);
}

template <typename Visit>
void visit_fields(const TrafficClass& c, Visit&& visit) {
  visit("footprint_bytes", c.footprint_bytes);
  visit("blocks", c.blocks);
  if (c.spread_bytes > 0) visit("spread_bytes", c.spread_bytes);
}

template <typename Visit>
void visit_fields(const Traffic& t, Visit&& visit) {
  visit("blocks", t.blocks);
  visit("block_bytes", t.block_bytes);
  visit("footprint_bytes", t.footprint_bytes);
  visit("access", t.access);
  if (t.in_flight > 0) visit("in_flight", t.in_flight);
  if (!t.classes.empty()) visit("classes", t.classes);
}

template <typename Visit>
void visit_fields(const DeviceInstructions& i, Visit&& visit) {
  visit("device", i.device);
  visit("operations", i.operations);
  visit("target", i.target);
}

template <typename Visit>
void visit_fields(const Instructions& i, Visit&& visit) {
  visit("operations", i.operations);
  visit("target", i.target);
  if (!i.by_device.empty()) visit("by_device", i.by_device);
}

template <typename Visit>
void visit_fields(const Resources& r, Visit&& visit) {
  visit("registers_per_thread", r.registers_per_thread);
  visit("spill_bytes", r.spill_bytes);
  visit("local_bytes", r.local_bytes);
  visit("shared_bytes", r.shared_bytes);
  visit("threads_per_block", r.threads_per_block);
  visit("blocks", r.blocks);
  visit("occupancy", r.occupancy);
  visit("compiled_by", r.compiled_by);
  visit("compile_s", r.compile_s);
  visit("from_cache", r.from_cache);
}

template <typename Visit>
void visit_fields(const HeldMemory& m, Visit&& visit) {
  visit("bytes", m.bytes());
  visit("parts", m.parts);
}

template <typename Visit>
void visit_fields(const ReferenceLoopTimes& w, Visit&& visit) {
  visit("threads", w.threads);
  visit("best_s", w.best_s);
  visit("slowdown", w.slowdown);
}

template <typename Visit>
void visit_fields(const BoundSource& c, Visit&& visit) {
  visit("key", c.key);
  visit("made", c.made);
}

template <typename Visit>
void visit_fields(const Bound& c, Visit&& visit) {
  visit("rate", c.rate);
  visit("bound_by", c.bound_by);
  visit("explanation", c.explanation);
  visit("fraction", c.fraction);
  visit("source", std::string(c.profile ? "profile" : "run"));
  if (c.profile) visit("profile", c.profile);
}

template <typename Visit>
void visit_fields(const ProblemSize& s, Visit&& visit) {
  visit("axis", s.axis);
  visit("noun", s.noun);
  visit("value", s.value);
}

template <typename Visit>
void visit_fields(const Filling& f, Visit&& visit) {
  visit("fills", f.fills);
  visit("reason", f.reason);
}

/// A null always has a reason.
template <typename T, typename Visit>
void visit_maybe(const char* name, const char* name_of_reason, const Maybe<T>& maybe, Visit&& visit) {
  static const std::string no_reason = "not measured";
  visit(name, maybe.value);
  if (!maybe.value) visit(name_of_reason, maybe.reason.empty() ? no_reason : maybe.reason);
}

/// The fields from "samples_s" to "notes".
template <typename Visit>
void visit_numbers(const Record& record, Visit&& visit) {
  visit("samples_s", record.samples_s);
  visit("launches_per_sample", record.launches_per_sample);
  visit("discarded_throttled", record.discarded_throttled);
  if (record.discarded_interference > 0) visit("discarded_disturbed", record.discarded_interference);
  if (record.reference_loop) visit("reference_loop", record.reference_loop);
  visit("work", record.work);
  visit("statistics", record.statistics);
  visit("single_launch", record.single_launch);
  visit("verification", record.verification);
  visit("traffic", record.traffic);
  visit("instructions", record.instructions);
  visit("resources", record.resources);
  visit_maybe("memory", "memory_reason", record.memory, visit);
  visit_maybe("counters", "counters_reason", record.counters, visit);
  visit_maybe("energy", "energy_reason", record.energy, visit);
  visit_maybe("bound", "bound_reason", record.bound, visit);
  visit("side_samples_s", record.side_samples_s);
  visit("facts", *record.facts);
  visit("notes", record.notes);
  if (record.size) visit("size", record.size);
  if (record.fills_device) visit("fills_device", record.fills_device);
  if (record.took_s > 0) visit("took_s", record.took_s);
}

/// A part of a record that has fields of its own.
template <typename T>
concept HasFields = requires(const T& part) {
  visit_fields(part, [](const char*, const auto&) {});
};

}  // namespace gpuseq::results
