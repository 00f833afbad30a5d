#pragma once

#include <memory>

#include "probes/memory.hpp"
#include "runtime/contract/family.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq::probes {

std::unique_ptr<Session> prepare_cpu_random_access(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_latency(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_loaded_latency(ProbeProblem& problem, const Point& point,
                                                    Device& device);
std::unique_ptr<Session> prepare_cpu_sequential(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cpu_instruction_throughput(ProbeProblem& problem, const Point& point,
                                                            Device& device);
std::unique_ptr<Session> prepare_cpu_associativity(ProbeProblem& problem, const Point& point, Device& device);
/// prepare_cpu_loaded_latency with threads and memory on NUMA nodes: those of this machine, or of a test's
/// topology, whose CPUs must exist.
/// @throws ResourceError if there is only one node, or not the point's nodes
std::unique_ptr<Session> prepare_cpu_numa_latency(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_numa_latency_on(const Topology& topology, ProbeProblem& problem,
                                                 const Point& point, Device& device);

}  // namespace gpuseq::probes
