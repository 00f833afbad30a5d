#pragma once

namespace simdjson::dom {
class element;
}

namespace gpuseq::results {

/// A JSON value from a JsonParser, valid until that parser reads the next text. Declared apart from the
/// parser, whose header is large.
using JsonElement = simdjson::dom::element;

}  // namespace gpuseq::results
