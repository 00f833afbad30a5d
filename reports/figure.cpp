#include "reports/figure.hpp"

#include <algorithm>

namespace gpuseq::reports {

std::string Figure::file_stem() const {
  std::string stem = name;
  std::replace(stem.begin(), stem.end(), '/', '-');
  return stem;
}

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = [] {
    std::vector<Figure> list = probe_figures();
    for (Figure& figure : fm_index_figures()) list.push_back(std::move(figure));
    return list;
  }();
  return all;
}

}  // namespace gpuseq::reports
