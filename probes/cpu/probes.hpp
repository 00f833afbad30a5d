#pragma once

#include <memory>

#include "probes/memory.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

std::unique_ptr<Session> prepare_cpu_random_access(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_latency(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_loaded_latency(ProbeProblem& problem, const Point& point,
                                                    Device& device);
std::unique_ptr<Session> prepare_cpu_sequential(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_instruction_throughput(ProbeProblem& problem, const Point& point,
                                                            Device& device);
/// The same where threads and memory are of NUMA nodes.
std::unique_ptr<Session> prepare_cpu_numa_latency(ProbeProblem& problem, const Point& point, Device& device);

}  // namespace gpuseq::probes
