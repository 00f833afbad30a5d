#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/axes.hpp"
#include "runtime/contract/tunable.hpp"
#include "runtime/contract/variant.hpp"

namespace gpuseq {

/// The members of a value in C++, between braces: ".k = 2, .d = 64".
template <class Aggregate>
std::string initializers(std::span<const Tunable<Aggregate>> members, const Aggregate& of) {
  std::string values;
  for (const Tunable<Aggregate>& member : members)
    values += fmt::format("{}.{} = {}", values.empty() ? "" : ", ", member.field, member.text(of));
  return values;
}

/// CUDA kernels compiled for a policy. One table of the policy's fields gives the kernels' names, their
/// source, and the kernels compiled ahead of time.
template <class Policy>
struct TunedKernel {
  std::string_view prefix;     // prefix of names: "fm"
  std::string_view scope;      // namespace of the following: "gpuseq::fm_index"
  std::string_view policy;     // "Policy"
  std::string_view arguments;  // "SearchArguments"; pointers in it are to device memory
  std::string_view entry;      // "search_kernel", a template whose parameter has the policy as `value`
  std::string_view header;     // header of the entry: "kernels/fm_index/cuda/search.cuh"
  std::span<const Tunable<Policy>> fields;  // in the order of the policy's members
  u32 (*threads)(const Policy&);            // threads per block
  /// Blocks per multiprocessor for which ptxas limits registers; 0: no limit. With 1, ptxas does not spill a
  /// few registers to allow more resident blocks.
  u32 (*resident_blocks)(const Policy&);
  bool (*may_spill)(const Policy&);
  int (*least_architecture)(const Policy&) = [](const Policy&) { return 75; };
  std::vector<Policy> (*ahead_of_time)();  // policies that nvcc compiles at build time

  /// The entry of a policy's kernel, unique to the policy: "fm_one_hot_k3_d224_full_t128_l2_q1_cached".
  std::string name(const Policy& of) const {
    std::string name(prefix);
    for (const Tunable<Policy>& field : fields) name += field.name(of);
    return name;
  }

  /// The address of a policy's kernel, if nvcc compiles its text().
  std::string address(const Policy& of) const {
    return fmt::format("reinterpret_cast<const void*>(&{})", name(of));
  }

  /// The initialiser list of a policy, without braces.
  std::string values(const Policy& of) const { return initializers(fields, of); }

  /// CUDA source with one extern "C" entry for each policy; its only parameter is the arguments.
  std::string text(std::span<const Policy> policies) const {
    std::string text = fmt::format("#include \"{}\"\n", header);
    for (const Policy& of : policies) {
      const u32 resident = resident_blocks(of);
      text += fmt::format(
          "\nstruct {0}_tuned {{\n"
          "  static constexpr {1}::{2} value{{{3}}};\n"
          "}};\n"
          "extern \"C\" __global__ void __launch_bounds__({4}{5})\n"
          "{0}(const __grid_constant__ {1}::{6} arguments) {{\n"
          "  {1}::{7}<{0}_tuned>(arguments);\n"
          "}}\n",
          name(of), scope, policy, values(of), threads(of), resident > 0 ? fmt::format(", {}", resident) : "",
          arguments, entry);
    }
    return text;
  }

  /// The source that NVRTC compiles for a policy. @param headers  of the family, by include path
  KernelSource source(const Policy& of, const std::map<std::string, std::string>& headers) const {
    return {.name = name(of),
            .text = text({&of, 1}),
            .headers = headers,
            .options = {"--std=c++20"},
            .may_spill = may_spill(of),
            .least_architecture = least_architecture(of)};
  }

  std::string ahead_of_time_text() const { return text(ahead_of_time()); }

  bool is_ahead_of_time(const Policy& of) const {
    return std::ranges::any_of(ahead_of_time(), [&](const Policy& built) {
      return std::ranges::all_of(fields,
                                 [&](const auto& field) { return field.text(built) == field.text(of); });
    });
  }
};

/// The axis for the compiler of a kernel.
inline Axis compiled_by_axis() {
  return listed_axis("compiled_by", {std::string("nvrtc"), std::string("nvcc")}, std::string("nvrtc"),
                     "compiler of the kernel: NVRTC at run time, or nvcc ahead of time");
}

inline bool is_ahead_of_time(const Point& point) {
  return point.word("compiled_by") == "nvcc";
}

/// The constraint of compiled_by = nvcc: the policy must be compiled with the program.
/// @param policy_of  (complete point) -> policy
template <class Policy, class PolicyOf>
Constraint ahead_of_time_constraint(const TunedKernel<Policy>& kernel, PolicyOf policy_of) {
  return {"compiled_ahead_of_time",
          "unsupported: compiled_by = nvcc has only the points that were compiled when the program was built "
          "(each variant's default, and a few more); use compiled_by = nvrtc",
          [&kernel, policy_of](const Point& point) {
            return !is_ahead_of_time(point) || kernel.is_ahead_of_time(policy_of(point));
          }};
}

}  // namespace gpuseq
