#include "bench/profile/profile_file.hpp"

#include "bench/config/json_file.hpp"
#include "bench/config/schema_check.hpp"
#include "runtime/io/embedded.hpp"

GPUSEQ_EMBEDDED(machine_schema)

namespace gpuseq::bench {

nlohmann::ordered_json read_profile(const std::filesystem::path& path) {
  static const nlohmann::json schema = parse_json(embedded_machine_schema(), "configs/machine.schema.json");
  const std::filesystem::path file = std::filesystem::is_directory(path) ? path / kProfileFile : path;
  const nlohmann::json profile = read_json(file, Texts::printable);
  check_schema(profile, schema, file.string());
  return profile;
}

}  // namespace gpuseq::bench
