#pragma once

#include <string>
#include <vector>

#include "kernels/exact_match/data/generator.hpp"
#include "tests/kernels/exact_match/small_inputs.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match::testing {

struct Data {
  std::string name;
  Reference reference;
  Queries queries;
  std::vector<u32> min_lengths;
};

/// The inputs that mummer is compared with, and longer ones.
inline std::vector<Data> all_data(unsigned random_inputs) {
  const TemporaryFolder folder;
  std::vector<SmallInput> inputs = chosen_inputs();
  for (unsigned number = 0; number < random_inputs; ++number) inputs.push_back(random_input(number));
  std::vector<Data> data;
  for (const auto& input : inputs)
    data.push_back({input.name, read_reference(folder.write("r.fa", input.reference)),
                    read_queries(folder.write("q.fa", input.queries), 0), input.min_lengths});
  const Reference longer = random_reference({.bases = 30'000, .sequences = 2, .repeat_percent = 50});
  data.push_back({"reads with errors",
                  longer,
                  simulate_reads(longer, {.count = 200, .bases = 100, .errors_per_1000 = 20}),
                  {8, 20, 33}});
  data.push_back({"long reads",
                  longer,
                  simulate_reads(longer, {.count = 4, .bases = 3000, .errors_per_1000 = 2}),
                  {12, 400}});
  return data;
}

}  // namespace gpuseq::exact_match::testing
