#include "bench/measure/compile_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/io/hash.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#include "runtime/system/threads.hpp"
#endif

namespace gpuseq::bench {

std::vector<Compilation> compilations(std::span<const State> states,
                                      std::span<const std::string> architectures) {
  std::vector<Compilation> all;
  std::set<std::string> seen;
  for (const State& state : states) {
    if (!state.variant->sources) continue;
    for (const KernelSource& source : state.variant->sources(state.key.point, state.key.problem))
      for (const std::string& architecture : architectures) {
        Hash hash;
        hash.update(source.name).update("\n").update(source.text).update(architecture);
        for (const std::string& option : source.options) hash.update("\n").update(option);
        if (seen.insert(hash.hex16()).second)
          all.push_back(
              {fmt::format("{}/{}/{}", state.key.family, state.key.variant, state.key.point.to_string()),
               source, architecture});
      }
  }
  return all;
}

bool measure_in_batches(std::span<const State> states, std::size_t batch,
                        const std::function<void(std::span<const State>)>& compile,
                        const std::function<bool(std::size_t)>& measure) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (batch > 0 && i % batch == 0) compile(states.subspan(i, std::min(batch, states.size() - i)));
    if (!measure(i)) return false;
  }
  return true;
}

#ifdef GPUSEQ_HAVE_CUDA

void compile_ahead(std::span<const State> states, const std::string& architecture,
                   const std::filesystem::path& cache_dir) {
  if (cache_dir.empty()) return;
  const std::vector<Compilation> all = compilations(states, std::span(&architecture, 1));
  if (all.empty()) return;
  ThreadPool(0, false).parallel_for(all.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        cuda::compile(all[i].source, architecture, cache_dir);
      } catch (const cuda::CudaError&) {
        // The state that needs it gets the same error and a record of it.
      }
    }
  });
}

#else

void compile_ahead(std::span<const State>, const std::string&, const std::filesystem::path&) {}

#endif

}  // namespace gpuseq::bench
