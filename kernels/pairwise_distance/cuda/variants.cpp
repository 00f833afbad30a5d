#include <algorithm>

#include "kernels/pairwise_distance/cuda/encoding.hpp"
#include "kernels/pairwise_distance/cuda/parts.hpp"
#include "kernels/pairwise_distance/cuda/session.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/peers/group.hpp"
#include "runtime/system/host_memory.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Assumed for files of unknown size.
constexpr u64 kUsualInstances = 10'000;

PairShape shape_of(const Point& problem) {
  const KnownData data = known_data(problem);
  if (data.alphabet == 0) return {.metric = data.metric, .instances = kUsualInstances};
  return {.metric = data.metric,
          .alphabet = data.alphabet,
          .missing = data.missing,
          .instances = data.instances,
          .attributes = data.attributes};
}

/// The shapes for which kernels may be chosen: that of the problem, and those of possible values of a file.
std::vector<PairShape> possible_shapes(const Point& problem) {
  std::vector<PairShape> shapes{shape_of(problem)};
  if (known_data(problem).alphabet == 0)
    for (const u32 alphabet : {2u, 4u, 20u})
      for (const bool missing : {false, true}) {
        shapes.push_back(shapes.front());
        shapes.back().alphabet = alphabet;
        shapes.back().missing = missing;
      }
  return shapes;
}

HeldMemory memory_of(const TileVariant& own, const Point& point, const PairShape& shape,
                     const KnownData& data) {
  const TilePolicy policy = own.choose(point, shape);
  const u64 limit_bytes = own.memory_bytes(point);
  return limit_bytes > 0 ? most_part_memory(policy, data, limit_bytes) : tile_memory(policy, data);
}

/// The maximum over all GPUs: from sm_100 on tensor cores multiply bytes, which take more memory than bits.
HeldMemory most_memory(const TileVariant& own, const StateOutline& state) {
  const KnownData data = known_data(state.problem);
  if (data.instances == 0) return {};
  PairShape shape = shape_of(state.problem);
  HeldMemory held = memory_of(own, state.point, shape, data);
  shape.capability = 100;
  for (const auto& [part, bytes] : memory_of(own, state.point, shape, data).parts)
    held.parts[part] = std::max(held.parts[part], bytes);
  return held;
}

Cost cost_of(const TileVariant& own, const StateOutline& state) {
  const KnownData data = known_data(state.problem);
  std::map<std::string, double> operations;
  std::string why_not;
  for (const PairShape& shape : possible_shapes(state.problem)) try {
      const TilePolicy policy = own.choose(state.point, shape);
      std::vector<u32> row_pieces;
      if (data.alphabet > 0) row_pieces = row_pieces_of(policy, data);
      operations.merge(tile_instructions(policy, tile_count(policy, data.instances), row_pieces).operations);
    } catch (const ResourceError& error) {
      why_not = error.what();
    }
  if (operations.empty()) throw ResourceError(why_not);
  Cost cost{.work = work_of(data),
            .held = most_memory(own, state),
            .instructions = Instructions{.operations = std::move(operations)}};
  return own.on_gpus ? cuda::cost_on_gpus(cost, state.point) : cost;
}

Cost cost_of(const LadderVariant& own, const StateOutline& state) {
  const KnownData data = known_data(state.problem);
  const LadderPolicy policy = own.choose(state.point, shape_of(state.problem));
  Cost cost{.work = work_of(data),
            .held = HeldMemory()
                        .add("instances", ladder_data_bytes(policy, data.instances, data.attributes))
                        .add(kOutputPart, matrix_bytes(data)),
            .instructions = ladder_instructions(policy, std::max<u64>(data.instances, 1),
                                                std::max<u64>(data.attributes, 1))};
  if (data.instances == 0)
    for (auto& [operation, count] : cost.instructions->operations) count = 0;
  return cost;
}

PairShape shape_of(const DistanceProblem& problem, const cuda::CudaDevice& device) {
  const Instances& instances = problem.instances();
  return {.metric = problem.metric(),
          .alphabet = instances.alphabet,
          .missing = instances.has_missing(),
          .instances = instances.count,
          .attributes = instances.attributes,
          .shared_bytes = static_cast<std::size_t>(
              device.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)),
          .capability = static_cast<u32>(10 * device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                                         device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR))};
}

std::unique_ptr<DistanceSession> session_of(const LadderVariant& own, DistanceProblem& problem,
                                            const Point& point, cuda::CudaDevice& on) {
  return make_session(problem, own.choose(point, shape_of(problem, on)), is_ahead_of_time(point), on);
}

/// Uses parts if the point requests it or the problem has a memory limit. Most of the host's
/// memory is left free.
std::unique_ptr<DistanceSession> session_of(const TileVariant& own, DistanceProblem& problem,
                                            const Point& point, cuda::CudaDevice& on) {
  const TilePolicy policy = own.choose(point, shape_of(problem, on));
  const bool ahead = is_ahead_of_time(point);
  if (own.on_gpus) return make_session_on_gpus(problem, policy, ahead, on, cuda::open_peers_of(on, point));
  const u64 memory = own.memory_bytes(point) > 0 ? own.memory_bytes(point) : problem.memory_limit();
  if (memory == 0) return make_session(problem, policy, ahead, on);
  return make_streamed_session(problem, policy, ahead, on,
                               {.device_bytes = memory, .pinned_bytes = free_host_bytes() / 4});
}

/// @param own, kernels  with static lifetime
template <class Own, class Policy>
Variant variant_of(const Own& own, const TunedKernel<Policy>& kernels) {
  return {.name = std::string(own.name),
          .device = DeviceKind::cuda,
          .summary = std::string(own.summary),
          .space = own.space(),
          .prepare = prepare_by<DistanceProblem>(
              [&own](DistanceProblem& problem, const Point& point, Device& device) {
                return session_of(own, problem, point, cuda::cuda_device(device));
              }),
          .sources =
              [&own, &kernels](const Point& point, const Point& problem) {
                std::vector<KernelSource> sources;
                if (is_ahead_of_time(point)) return sources;
                try {
                  sources.push_back(kernels.source(own.choose(point, shape_of(problem)), device_headers()));
                } catch (const ResourceError&) {
                  // A point that does not support this metric or data has no kernel.
                }
                return sources;
              },
          .cost = [&own](const StateOutline& state) { return cost_of(own, state); }};
}

}  // namespace

std::vector<Variant> cuda_variants() {
  std::vector<Variant> variants;
  for (const LadderVariant& own : ladder_variants()) variants.push_back(variant_of(own, ladder_kernels()));
  for (const TileVariant& own : tile_variants()) variants.push_back(variant_of(own, tile_kernels()));
  return variants;
}

}  // namespace gpuseq::pairwise_distance
