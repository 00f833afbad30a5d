#include "probes/transitions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gpuseq::probes {
namespace {

constexpr std::size_t kMaxTransitions = 6;
constexpr double kCapacityOctaves = 3;              // 1 - 2^-3 of the change is done
constexpr double kNoise = 0.01;                     // no curve is believed to be more exact than this
constexpr std::size_t kParametersOfTransition = 3;  // place, change and shape
constexpr double kMinDistance = 0.5;                // octaves between two transitions

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Points of x in the open interval.
std::ptrdiff_t points_between(std::span<const double> x, double low, double high) {
  return std::lower_bound(x.begin(), x.end(), high) - std::upper_bound(x.begin(), x.end(), low);
}

double criterion(double mean_square, std::size_t points, std::size_t parameters) {
  const double variance = std::max(mean_square, kNoise * kNoise);
  const double n = static_cast<double>(points);
  return n * (std::log(variance) + mean_square / variance) + static_cast<double>(parameters) * std::log(n);
}

/// Cholesky factor of a small positive definite matrix, grown row by row.
class Cholesky {
 public:
  static constexpr std::size_t kMax = 2 + kMaxTransitions;
  /// Appends an equation; false if it depends on those there are.
  bool append(std::span<const double> row, double diagonal, double right_side) {
    double rest = diagonal, value = right_side;
    for (std::size_t i = 0; i < size_; ++i) {
      double v = row[i];
      for (std::size_t j = 0; j < i; ++j) v -= factor_[i][j] * factor_[size_][j];
      v /= factor_[i][i];
      factor_[size_][i] = v;
      rest -= v * v;
      value -= v * right_[i];
    }
    if (rest < 1e-8 * diagonal || diagonal <= 0) return false;
    factor_[size_][size_] = std::sqrt(rest);
    right_[size_] = value / factor_[size_][size_];
    ++size_;
    return true;
  }
  void drop_last() { --size_; }
  /// What the last equation explains of the right side's square.
  double last_gain() const { return right_[size_ - 1] * right_[size_ - 1]; }
  double explained() const { return dot({right_, size_}, {right_, size_}); }
  std::vector<double> solution() const {
    std::vector<double> c(size_);
    for (std::size_t i = size_; i-- > 0;) {
      double v = right_[i];
      for (std::size_t j = i + 1; j < size_; ++j) v -= factor_[j][i] * c[j];
      c[i] = v / factor_[i][i];
    }
    return c;
  }

 private:
  double factor_[kMax][kMax] = {};
  double right_[kMax] = {};
  std::size_t size_ = 0;
};

}  // namespace

double Transition::at() const {
  return width() > 1 && shape != Shape::step ? from : 0.5 * (from + to);
}

double Transition::done(double x) const {
  if (x <= from) return 0;
  switch (shape) {
    case Shape::step:
      return x >= to ? 1 : 0;
    case Shape::ramp:
      return std::min(1.0, (x - from) / (to - from));
    case Shape::capacity:
      return 1 - std::exp2(from - x);
  }
  return 0;
}

double CurveFit::at(double x) const {
  double y = level + drift * (x - x0);
  for (std::size_t i = 0; i < transitions.size(); ++i) y += changes[i] * transitions[i].done(x);
  return y;
}

/// Atoms of a fit; level first, then perhaps drift, then transitions.
struct CurveFitter::Selection {
  std::vector<std::size_t> atoms;
  std::size_t fixed = 1;         // level (and drift), which stay
  std::vector<double> products;  // of every atom with the values
  double square = 0;             // of the values
  std::vector<double> coefficients;
  double residual = 0;  // sum of squares
  std::size_t transitions() const { return atoms.size() - fixed; }
  std::size_t parameters() const { return fixed + kParametersOfTransition * transitions(); }
};

CurveFitter::CurveFitter(std::span<const double> x, std::span<const double> scale, double min_change)
    : x_(x.begin(), x.end()), scale_(scale.begin(), scale.end()), min_change_(min_change) {
  add_candidates();
  atoms_ = candidates_.size() + 2;
  const std::size_t n = x_.size();
  columns_.resize(atoms_ * n);
  for (std::size_t i = 0; i < n; ++i) {
    columns_[i] = 1 / scale_[i];
    columns_[n + i] = (x_[i] - x_.front()) / scale_[i];
    for (std::size_t c = 0; c < candidates_.size(); ++c)
      columns_[(c + 2) * n + i] = candidates_[c].done(x_[i]) / scale_[i];
  }
  gram_.resize(atoms_ * atoms_);
  for (std::size_t i = 0; i < atoms_; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      gram_[i * atoms_ + j] = gram_[j * atoms_ + i] = dot({&columns_[i * n], n}, {&columns_[j * n], n});
}

void CurveFitter::add_candidates() {
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i + 1 < n; ++i) candidates_.push_back({Shape::step, x_[i], x_[i + 1]});
  const double octaves = x_.back() - x_.front();
  constexpr int kCapacities = 12, kRamps = 4;  // an octave
  for (int i = 0; i < octaves * kCapacities; ++i)
    if (const double from = x_.front() + static_cast<double>(i) / kCapacities;
        points_between(x_, from + 0.1, 64) >= 3)
      candidates_.push_back({Shape::capacity, from, from + kCapacityOctaves});
  for (const double width : {1.0, 2.0, 3.0, 4.0})
    for (int i = 0; i <= (octaves - width) * kRamps; ++i)
      if (const double from = x_.front() + static_cast<double>(i) / kRamps;
          points_between(x_, from, from + width) >= 2)
        candidates_.push_back({Shape::ramp, from, from + width});
}

bool CurveFitter::plausible(const Selection& selection) const {
  struct Part {
    Transition transition;
    double change;
  };
  std::vector<Part> parts;
  for (std::size_t i = selection.fixed; i < selection.atoms.size(); ++i)
    parts.push_back({candidates_[selection.atoms[i] - 2], selection.coefficients[i]});
  std::ranges::sort(parts, {}, [](const Part& part) { return part.transition.at(); });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [transition, change] = parts[i];
    const bool one_point = points_between(x_, x_.front() - 1, transition.at()) < 2 ||
                           points_between(x_, transition.at(), x_.back() + 1) < 2;
    const auto begin = std::upper_bound(x_.begin(), x_.end(), transition.from + 1e-9) - x_.begin() - 1;
    const double done = change * transition.done(x_.back());
    // A change seen by one point at the curve's end might be that point's.
    if (std::abs(done) < (one_point ? 2 : 1) * min_change_ * scale_[static_cast<std::size_t>(begin)])
      return false;
    if (i == 0) continue;
    const Part& before = parts[i - 1];
    if (transition.at() - before.transition.at() < kMinDistance) return false;
    // One point off the curve is an outlier, not two knees; and large opposite changes that nearly cancel
    // would fit any bend.
    if (change * before.change < 0 && points_between(x_, before.transition.to, transition.from) < 1)
      return false;
  }
  return true;
}

bool CurveFitter::solve(Selection& selection) const {
  Cholesky system;
  std::vector<double> row(Cholesky::kMax);
  for (std::size_t i = 0; i < selection.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) row[j] = product(selection.atoms[i], selection.atoms[j]);
    if (!system.append(row, product(selection.atoms[i], selection.atoms[i]),
                       selection.products[selection.atoms[i]]))
      return false;
  }
  selection.coefficients = system.solution();
  selection.residual = std::max(0.0, selection.square - system.explained());
  return true;
}

/// Puts the best atom at `position` (append when it is the size); false if none is better than what is there.
bool CurveFitter::improve(Selection& selection, std::size_t position) const {
  const bool appends = position == selection.atoms.size();
  std::vector<std::size_t> others = selection.atoms;
  if (!appends) others.erase(others.begin() + static_cast<std::ptrdiff_t>(position));
  Cholesky system;
  std::vector<double> row(Cholesky::kMax);
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) row[j] = product(others[i], others[j]);
    if (!system.append(row, product(others[i], others[i]), selection.products[others[i]])) return false;
  }
  const double without = selection.square - system.explained();
  // Smaller gains are rounding and would be taken in turns for ever.
  const double least_gain =
      1e-6 * kNoise * kNoise * static_cast<double>(x_.size()) + 1e-12 * selection.square;
  Selection best = selection;
  bool improved = false;
  for (std::size_t atom = 2; atom < atoms_; ++atom) {
    for (std::size_t j = 0; j < others.size(); ++j) row[j] = product(atom, others[j]);
    if (!system.append(row, product(atom, atom), selection.products[atom])) continue;
    const double residual = without - system.last_gain();
    system.drop_last();
    if (residual >= best.residual - least_gain) continue;
    Selection candidate = selection;
    if (appends)
      candidate.atoms.push_back(atom);
    else
      candidate.atoms[position] = atom;
    if (!solve(candidate) || !plausible(candidate)) continue;
    // Of atoms that are nearly alike the residual is not what was foreseen.
    if (!(candidate.residual < best.residual - least_gain)) continue;
    best = std::move(candidate);
    improved = true;
  }
  selection = std::move(best);
  return improved;
}

CurveFit CurveFitter::describe(const Selection& selection) const {
  CurveFit fit;
  fit.level = selection.coefficients[0];
  if (selection.fixed == 2) fit.drift = selection.coefficients[1];
  fit.x0 = x_.front();
  std::vector<std::size_t> order(selection.transitions());
  std::iota(order.begin(), order.end(), selection.fixed);
  const auto transition = [&](std::size_t i) { return candidates_[selection.atoms[i] - 2]; };
  std::ranges::sort(order, {}, [&](std::size_t i) { return transition(i).at(); });
  for (std::size_t i : order) {
    fit.transitions.push_back(transition(i));
    fit.changes.push_back(selection.coefficients[i]);
  }
  fit.mean_square = selection.residual / static_cast<double>(x_.size());
  fit.bic = criterion(fit.mean_square, x_.size(), selection.parameters());
  return fit;
}

CurveFit CurveFitter::fit(std::span<const double> y, bool with_drift) const {
  const std::size_t n = x_.size();
  std::vector<double> relative(n);
  for (std::size_t i = 0; i < n; ++i) relative[i] = y[i] / scale_[i];
  Selection selection;
  selection.fixed = with_drift ? 2 : 1;
  selection.products.resize(atoms_);
  for (std::size_t atom = 0; atom < atoms_; ++atom)
    selection.products[atom] = dot({&columns_[atom * n], n}, relative);
  selection.square = dot(relative, relative);
  selection.atoms.assign({0, 1});
  selection.atoms.resize(selection.fixed);
  solve(selection);
  CurveFit best = describe(selection);
  int failures = 0;
  while (failures < 2 && selection.transitions() < kMaxTransitions &&
         selection.parameters() + kParametersOfTransition < n && improve(selection, selection.atoms.size())) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t position = selection.fixed; position < selection.atoms.size(); ++position)
        moved |= improve(selection, position);
    }
    CurveFit fit = describe(selection);
    failures = fit.bic < best.bic ? 0 : failures + 1;
    if (fit.bic < best.bic) best = std::move(fit);
  }
  return best;
}

}  // namespace gpuseq::probes
