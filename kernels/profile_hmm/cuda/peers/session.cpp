#include "kernels/profile_hmm/cuda/session.hpp"

#include "runtime/cuda/peers/on_gpus.hpp"

namespace gpuseq::profile_hmm {
namespace {

Sequences sequences_of(const Sequences& all, const cuda::ItemRange& range) {
  Sequences part;
  for (u64 i = range.first; i < range.end; ++i) part.append(all.names[i], all.row(i));
  return part;
}

class FilteringOnGpus final : public cuda::OnGpus<FilterSession, FilterSession> {
 public:
  FilteringOnGpus(FilterProblem& problem, const FilterPoint& at, cuda::CudaDevice& device,
                  const cuda::Peers& peers)
      : OnGpus(problem, device, peers) {
    for (const cuda::ItemRange& range : cuda::parts_by_size(problem.sequences().begin, gpus_.size())) {
      problems_.push_back(make_problem(problem.model(),
                                       std::make_shared<Sequences>(sequences_of(problem.sequences(), range)),
                                       problem.filter(), problem.cache_dir()));
      parts_.push_back(make_cuda_session(*problems_.back(), at, gpus_[parts_.size()]));
    }
  }

  std::vector<RawScore> scores() override {
    if (!launched_) launch();
    std::vector<RawScore> scores;
    for (const auto& part : parts_) {
      const std::vector<RawScore> more = part->scores();
      scores.insert(scores.end(), more.begin(), more.end());
    }
    return scores;
  }

  nlohmann::json facts() const override {
    nlohmann::json facts = FilterSession::facts();
    facts["kernel"] = parts_[0]->facts()["kernel"];
    facts.update(gpus_.facts());
    return facts;
  }

 protected:
  /// Those of the first GPU's sequences, for all.
  std::optional<Instructions> instructions() const override {
    const Cost first = parts_[0]->cost();
    std::map<std::string, double> operations = first.instructions.value().operations;
    for (auto& [operation, count] : operations)
      if (first.work.amount > 0) count *= problem_.cells() / first.work.amount;
    return instructions_of_each(operations);
  }

 private:
  std::vector<std::unique_ptr<FilterProblem>> problems_;
};

}  // namespace

std::unique_ptr<FilterSession> make_session_on_gpus(FilterProblem& problem, const FilterPoint& at,
                                                    cuda::CudaDevice& device, const cuda::Peers& peers) {
  return std::make_unique<FilteringOnGpus>(problem, at, device, peers);
}

}  // namespace gpuseq::profile_hmm
