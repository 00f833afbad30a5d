#include "kernels/pairwise_distance/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "kernels/pairwise_distance/exec/exec.hpp"
#include "kernels/pairwise_distance/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/say.hpp"
#include "runtime/system/concatenated.hpp"

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::string_view kUsual = "bit_planes";  // default of exec; the fastest for data that it supports
constexpr std::string_view kAnyCodes = "bytes";    // supports any metric and alphabet of codes
constexpr std::string_view kRealValues = "floats";

std::vector<Variant> all_variants() {
#if GPUSEQ_HAVE_CUDA
  return concatenated(cpu_variants(), cuda_variants());
#else
  return cpu_variants();
#endif
}

/// Instances in their file's and in plane layout, and the matrices of sums and of compared attributes. Real
/// values have four bytes.
u64 host_bytes(const KnownData& data) {
  const u64 value_bytes = is_real(data.metric) ? sizeof(float) : 1;
  return 2 * sizeof(u32) * data.instances * data.instances +
         3 * data.instances * data.attributes * value_bytes;
}

const Growth kGrowth{.axis = "instance_count",
                     .noun = "instances",
                     .from = 128,
                     .to = std::int64_t{1} << 24,
                     .step = 64,
                     .power = 2};

class PairwiseDistanceFamily final : public Family {
 public:
  std::string_view name() const override { return "pairwise_distance"; }
  std::string_view summary() const override {
    return "Distances of all pairs of instances: Hamming, Manhattan, squared Euclidean, identity by state; "
           "Euclidean";
  }
  const SearchSpace& problem_space() const override { return pairwise_distance::problem_space(); }
  const std::vector<Variant>& variants() const override { return variants_; }
  const Growth* growth() const override { return &kGrowth; }
  Point small_problem() const override { return {{"instance_count", 40}, {"attribute_count", 100}}; }

  std::unique_ptr<Problem> load(const ProblemSpec& spec) const override { return load_problem(spec); }

  /// Seconds for comparing all pairs. A file is assumed to have one value per byte and at least
  /// kFewest instances.
  std::optional<ProblemCost> problem_cost(const StateOutline& state) const override {
    constexpr double kFewest = 100;
    const auto axis = [&](const char* name) {
      return static_cast<std::uint64_t>(state.problem.integer(name));
    };
    const std::uint64_t own = axis("instance_count");
    const auto values =
        static_cast<double>(state.letters("instances", own * axis("attribute_count"), {"random"}));
    const double comparisons = values * std::max(kFewest, static_cast<double>(own));
    return ProblemCost{.host_bytes = host_bytes(known_data(state.problem)),
                       .load_s = 3e-8 * values,
                       .prepare_s = 1e-8 * values,
                       .verify_s = 1e-11 * comparisons,
                       .launch_s = 4e-12 * comparisons,
                       .slowest_launch_s = 5e-10 * comparisons};
  }

  std::vector<std::pair<std::string, std::string>> exec_roles() const override { return data_roles(); }
  std::vector<std::pair<std::string, std::string>> exec_outputs() const override { return output_roles(); }
  const SearchSpace& exec_options() const override { return pairwise_distance::exec_options(); }
  std::string_view exec_variant() const override { return kUsual; }

  ExecReport exec(const ExecRequest& request, Device& device) const override {
    ExecReport report;
    OutputFiles files(name(), files_of(request), request.outputs);
    const auto problem = report.timed("load", [&] { return load_request(request); });
    const Point options = exec_options().complete(request.options);
    const auto session = report.timed("prepare", [&] {
      return prepare_in_memory(request, static_cast<u64>(options.integer("memory")) << 20, *problem, device);
    });
    say(stderr, "{}", Lines{write_answers(*problem, *session, options, files, report)});
    report.add(session->work(), session->held());
    return report;
  }

 private:
  /// A session for all distances at once if there is no limit and they fit, else for bands.
  std::unique_ptr<DistanceSession> prepare_in_memory(const ExecRequest& request, u64 limit_bytes,
                                                     DistanceProblem& problem, Device& device) const {
    std::string why_not;
    if (limit_bytes == 0) try {
        require_pairs_fit(problem.instances());
        return prepare_exec(request, problem, device);
      } catch (const DoesNotFit& error) {
        why_not = error.what();
      }
    // Host memory is shared with other processes. On a GPU, the kernel needs memory in addition to the parts,
    // and memory is allocated in whole pages.
    const u64 free = device.free_bytes();
    const u64 usual = device.kind() == DeviceKind::cpu ? free / 2 : free - free / 64;
    problem.keep_to(limit_bytes > 0 ? limit_bytes : std::max<u64>(usual, 1));
    auto session = prepare_exec(request, problem, device);
    if (!why_not.empty()) say(stderr, "{}; computed and written in parts\n", why_not);
    return session;
  }

  /// The variant of the request. If it is the unmodified default and does not support the input, a variant
  /// that supports any input.
  std::unique_ptr<DistanceSession> prepare_exec(const ExecRequest& request, DistanceProblem& problem,
                                                Device& device) const {
    const Variant& chosen = variant(request.variant);
    const bool may_change =
        chosen.name == kUsual && chosen.space.complete(request.point) == chosen.space.complete({});
    const std::string_view any = is_real(problem.metric()) ? kRealValues : kAnyCodes;
    try {
      return prepare_as<DistanceSession>(problem, chosen, request.point, device);
    } catch (const DoesNotFit&) {
      throw;
    } catch (const ResourceError& error) {
      if (!may_change) throw;
      say(stderr, "{}; computed by {}\n", error.what(), any);
    }
    return prepare_as<DistanceSession>(problem, variant(any), {}, device);
  }

  std::vector<Variant> variants_ = all_variants();
};

}  // namespace

std::unique_ptr<Family> make_family() {
  return std::make_unique<PairwiseDistanceFamily>();
}

}  // namespace gpuseq::pairwise_distance
