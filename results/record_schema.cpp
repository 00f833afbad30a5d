#include "results/record_schema.hpp"

#include "runtime/io/embedded.hpp"

GPUSEQ_EMBEDDED(record_schema)

namespace gpuseq::results {

std::string_view record_schema() {
  return embedded_record_schema();
}

}  // namespace gpuseq::results
