#pragma once

#include <memory>
#include <vector>

#include "probes/memory.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::probes {

std::unique_ptr<Session> prepare_cuda_random_access(ProbeProblem& problem, const Point& point,
                                                    Device& device);
std::unique_ptr<Session> prepare_cuda_windows(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_latency(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_loaded_latency(ProbeProblem& problem, const Point& point,
                                                     Device& device);
std::unique_ptr<Session> prepare_cuda_sequential(ProbeProblem& problem, const Point& point, Device& device);
/// The same kernels on pinned host memory.
std::unique_ptr<Session> prepare_cuda_zero_copy(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_zero_copy_sequential(ProbeProblem& problem, const Point& point,
                                                           Device& device);
/// The same kernels on the memory of another GPU.
std::unique_ptr<Session> prepare_cuda_peer_access(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_peer_access_sequential(ProbeProblem& problem, const Point& point,
                                                             Device& device);
std::unique_ptr<Session> prepare_cuda_launch(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_transfer(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_peer_transfer(ProbeProblem& problem, const Point& point,
                                                    Device& device);
std::unique_ptr<Session> prepare_cuda_instruction_throughput(ProbeProblem& problem, const Point& point,
                                                             Device& device);
std::unique_ptr<Session> prepare_cuda_atomics(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_load_path(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_l2_sides(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_barrier(ProbeProblem& problem, const Point& point, Device& device);
std::unique_ptr<Session> prepare_cuda_cluster(ProbeProblem& problem, const Point& point, Device& device);

/// The kernel of a complete point first, then those that fill memory.
std::vector<KernelSource> cuda_random_access_sources(const Point& point);
std::vector<KernelSource> cuda_windows_sources(const Point& point);
std::vector<KernelSource> cuda_latency_sources(const Point& point);
std::vector<KernelSource> cuda_loaded_latency_sources(const Point& point);
std::vector<KernelSource> cuda_sequential_sources(const Point& point);
std::vector<KernelSource> cuda_launch_sources(const Point& point);
/// These have no kernel of their own.
std::vector<KernelSource> cuda_transfer_sources(const Point& point);
std::vector<KernelSource> cuda_peer_transfer_sources(const Point& point);
std::vector<KernelSource> cuda_instruction_throughput_sources(const Point& point);
std::vector<KernelSource> cuda_atomics_sources(const Point& point);
std::vector<KernelSource> cuda_load_path_sources(const Point& point);
std::vector<KernelSource> cuda_l2_sides_sources(const Point& point);
std::vector<KernelSource> cuda_barrier_sources(const Point& point);
std::vector<KernelSource> cuda_cluster_sources(const Point& point);

}  // namespace gpuseq::probes
