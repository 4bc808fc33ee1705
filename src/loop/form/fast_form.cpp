#include "loop/form/fast_form.hpp"

#include <algorithm>
#include <cfenv>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "jit/loop/deferred.hpp"
#include "jit/loop/grouped.hpp"
#include "jit/loop/runs.hpp"
#include "loop/form/mesh_class.hpp"
#include "loop/form/own_forms.hpp"

namespace op2::core {

namespace {

jit::Scalar scalar_of(const ElementType &type) {
  switch (type.id) {
    case OP_TYPE_DOUBLE:
      return jit::Scalar::float64;
    case OP_TYPE_FLOAT:
      return jit::Scalar::float32;
    case OP_TYPE_INT:
      return jit::Scalar::int32;
    case OP_TYPE_UINT:
      return jit::Scalar::uint32;
    case OP_TYPE_LL:
      return jit::Scalar::int64;
    case OP_TYPE_ULL:
      return jit::Scalar::uint64;
    case OP_TYPE_BOOL:
      return jit::Scalar::boolean;
    default:
      return jit::Scalar::other;
  }
}

constexpr int tables_of_numbers = 1 << 30; // above the numbers of all maps

jit::ArgShape shape_of(const LoopArg &arg, const op_range_arg &range, int position) {
  jit::ArgShape shape;
  shape.kind = range.kind;
  shape.access = arg.access;
  shape.scalar = scalar_of(arg.element);
  shape.type_size = arg.element.size;
  shape.dim = arg.dim;
  shape.dat = arg.dat ? arg.dat->index : -1;
  shape.map = arg.map ? arg.map->index : -1;
  shape.column = arg.column;
  shape.columns = range.map_stride;
  shape.count = arg.count;
  shape.payload_of = arg.payload_of;
  if (range.kind == OP_RANGE_MAP_INDEX) { // perhaps a table of numbers, not the map: nobody shares it
    shape.map = tables_of_numbers + position;
    shape.column = 0;
  }
  return shape;
}

// Whether an argument that writes through a map leads every element to rows of its own.
bool leads_to_distinct_rows(const LoopArg &arg, const op_range_arg &range, int elements) {
  std::vector<bool> seen(static_cast<std::size_t>(arg.map->target().rows()));
  for (int j = 0; j < std::max(arg.count, 1); ++j) {
    const int *const column = column_of(range.map, j);
    for (std::ptrdiff_t n = 0; n < elements; ++n) {
      const std::size_t row = static_cast<std::size_t>(column[n * range.map_stride]);
      if (seen[row]) return false;
      seen[row] = true;
    }
  }
  return true;
}

// Values whose sum is to be exact are a row of each element for the code.
void give_rows(std::vector<jit::ArgShape> &args, const Reduction &reduction) {
  constexpr int rows_of_its_own = 1 << 30; // above the numbers of all dats
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!reduction.as_row(static_cast<int>(i))) continue;
    args[i].kind = OP_RANGE_DIRECT;
    args[i].access = OP_RW;
    args[i].payload_of = -1;
    args[i].dat = rows_of_its_own + static_cast<int>(i);
  }
}

// Numbers of dats and maps in the order in which they occur, so that loops of the same shape have the same code.
void number_anew(std::vector<jit::ArgShape> &args) {
  std::vector<int> dats, maps;
  const auto number = [](std::vector<int> &known, int &value) {
    if (value < 0) return;
    std::size_t at = 0;
    while (at < known.size() && known[at] != value) ++at;
    if (at == known.size()) known.push_back(value);
    value = static_cast<int>(at);
  };
  for (jit::ArgShape &arg : args) {
    number(dats, arg.dat);
    number(maps, arg.map);
  }
}

// Layouts of the dats where a loop can do with them.
std::vector<op_range_layout> layouts_for(std::span<const LoopArg> args, std::vector<jit::ArgShape> &shapes) {
  std::vector<op_range_layout> out(args.size());
  bool any = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const LoopArg &arg = args[i];
    out[i] = {arg.element.size, OP_LAYOUT_AOS};
    if (!arg.dat || arg.dat->layout.aos() || !jit::layout_fits(shapes, shapes[i].dat)) continue;
    out[i] = arg.dat->layout.range();
    shapes[i].layout = out[i].kind;
    any = true;
  }
  if (!any) out.clear();
  return out;
}

// The period of runs in the maps that the loop follows.
int period_of_runs(const FastFormRequest &request) {
  std::vector<jit::MapColumn> columns;
  for (std::size_t i = 0; i < request.what->args.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (arg.kind != OP_RANGE_INDIRECT && arg.kind != OP_RANGE_VECTOR) continue;
    for (int j = 0; j < std::max(arg.count, 1); ++j)
      columns.push_back({column_of(request.range_args[i].map, j), request.range_args[i].map_stride});
  }
  return jit::period_of_runs(columns, request.last);
}

// The columns of the maps through which the loop adds, each once.
std::vector<jit::NamedColumn> added_columns(const FastFormRequest &request, const std::vector<jit::ArgShape> &shapes) {
  std::vector<jit::NamedColumn> out;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (!arg.through_map() || arg.access != OP_INC) continue;
    for (int j = 0; j < std::max(arg.count, 1); ++j) {
      const jit::MapColumn entries{column_of(request.range_args[i].map, j), request.range_args[i].map_stride};
      const int map = shapes[i].map, column = shapes[i].column + j;
      const auto same = [&](const jit::NamedColumn &other) { return other.map == map && other.column == column; };
      if (std::ranges::none_of(out, same)) out.push_back({entries, map, column});
    }
  }
  return out;
}

// The one that leads neighbours to the same row most often.
jit::SteadyColumn steady_column(std::span<const jit::NamedColumn> added, int size) {
  std::vector<jit::MapColumn> columns;
  for (const jit::NamedColumn &column : added) columns.push_back(column.entries);
  const int best = jit::steadiest_column(columns, size);
  if (best < 0) return {};
  return {added[static_cast<std::size_t>(best)].map, added[static_cast<std::size_t>(best)].column};
}

bool exceptions_trap() {
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
  return fegetexcept() != 0;
#else
  return false;
#endif
}

std::vector<jit::ConstantValue> constants_of(const Mesh &mesh) {
  std::vector<jit::ConstantValue> out;
  for (const Constant &constant : mesh.objects().constants())
    if (const jit::Scalar scalar = scalar_of(constant.element); scalar != jit::Scalar::other)
      out.push_back({{constant.name, scalar, constant.dim, constant.number},
                     constant.value.data(),
                     constant.variable,
                     constant.of_no_variable});
  return out;
}

// Where its text is.
void name_kernel(jit::SpecialiseRequest &wanted, const op_loop_site &site) {
  wanted.element = site.element;
  wanted.range = site.range;
  wanted.expression = site.kernel_name;
  wanted.file = site.file;
  wanted.line = site.line;
  wanted.text = site.text;
  wanted.fortran = (site.flags & OP_SITE_FORTRAN) != 0;
}

} // namespace

const char *layout_name(const std::vector<op_range_layout> &layouts) {
  return std::ranges::any_of(layouts, [](const auto &layout) { return layout.kind == OP_LAYOUT_SOA; }) ? "soa" : "aos";
}

WantedCode wanted_code(const FastFormRequest &request) {
  WantedCode out;
  jit::SpecialiseRequest &wanted = out.request;
  wanted.loop = request.what->name.c_str();
  name_kernel(wanted, request.what->site);
  wanted.shape.name = request.what->name;
  for (std::size_t i = 0; i < request.what->args.size(); ++i)
    wanted.shape.args.push_back(shape_of(request.what->args[i], request.range_args[i], static_cast<int>(i)));
  give_rows(wanted.shape.args, *request.reduction);
  number_anew(wanted.shape.args);
  out.constants = constants_of(*request.mesh);
  wanted.constants = out.constants; // whose values stay where they are when this moves
  return out;
}

WantedCode wanted_host_code(const FastFormRequest &request, std::vector<op_range_layout> *layouts) {
  WantedCode code = wanted_code(request);
  jit::SpecialiseRequest &wanted = code.request;
  if (layouts) *layouts = layouts_for(request.what->args, wanted.shape.args);
  for (std::size_t i = 0; i < wanted.shape.args.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (arg.through_map() && (arg.access == OP_WRITE || arg.access == OP_RW))
      wanted.shape.args[i].distinct = leads_to_distinct_rows(arg, request.range_args[i], request.last);
  }
  wanted.shape.stream = request.bytes > request.caches.last;
  wanted.shape.stream_by_time = request.bytes > request.caches.own;
  wanted.shape.runs = period_of_runs(request);
  const std::vector<jit::NamedColumn> added = added_columns(request, wanted.shape.args);
  wanted.shape.steady = steady_column(added, request.last);
  wanted.shape.places = jit::column_places(added, wanted.shape.runs, request.last);
  wanted.vectors = !exceptions_trap();
  return code;
}

jit::Draft FastForm::draft(const FastFormRequest &request, bool in_layouts) {
  pending_layouts_.clear();
  const WantedCode code = wanted_host_code(request, in_layouts ? &pending_layouts_ : nullptr);
  std::optional<jit::Draft> known = specialiser_->recall(code.request);
  jit::Draft out = known ? std::move(*known) : specialiser_->draft(code.request);
  lanes_ = out.code.lanes;
  choose(out, request, code.request);
  return out;
}

std::string form_key(const FastFormRequest &request, int threads) {
  return text(mesh_class(request), ", threads ", threads);
}

// The form of the setting, or the one that was the fastest in an earlier run, replaces the first one.
void FastForm::choose(jit::Draft &draft, const FastFormRequest &request, const jit::SpecialiseRequest &code) {
  std::string wanted = specialiser_->form();
  if (draft.code.lanes == 0 && wanted != "auto") return;
  if (wanted == "auto") wanted = specialiser_->remembered(draft, form_key(request, threads_));
  chosen_ = !wanted.empty();
  if (is_own_form(wanted)) return take_own(request, wanted);
  if (!chosen_ || wanted == "widest" || wanted == draft.code.form) return;
  if (std::optional<jit::Draft> known = specialiser_->recall(code, wanted)) {
    draft = std::move(*known);
    return;
  }
  if (!draft.source) draft = specialiser_->draft(code);
  for (jit::Draft &other : jit::Specialiser::others(draft)) {
    const bool narrow = other.code.lanes > 0 && other.code.lanes < draft.code.lanes;
    if (other.code.form != wanted && !(wanted == "narrow" && narrow)) continue;
    draft = std::move(other);
    draft.key = specialiser_->key_to(code, wanted);
    return;
  }
}

// The program's own form of that name, which was the fastest before.
void FastForm::take_own(const FastFormRequest &request, const std::string &name) {
  for (jit::Specialised &own : rivals(request, lanes_))
    if (own.form == name) own_ = std::move(own);
  chosen_ = own_.range != nullptr;
}

// The program's own form, where it has the bits of generated code.
bool FastForm::begin_with_own(const FastFormRequest &request) {
  const bool exact = pending_draft_.source && !pending_draft_.source->shape.vector_math;
  const LoopSignature &what = *request.what;
  const bool sums = sums_alike(what, lanes_) && (lanes_ > 0 || !adds_to_rows(what));
  const bool alike = exact && sums && !request.reduction->by_rows();
  if (specialiser_->form() != "auto" || !alike || !pending_layouts_.empty()) return false;
  std::vector<jit::Specialised> own = own_forms(request, request.own_vectors);
  if (own.empty() || own.front().form == range_form) return false;
  const jit::CodeStore::Hold hold(specialiser_->store());
  specialiser_->start(pending_draft_);
  if (pending_draft_.pending->ready()) return false;
  active_draft_ = std::exchange(pending_draft_, {});
  loaded_ = std::move(own.front());
  loaded_.why = "its own code is being compiled";
  return true;
}

// Scalar code, which is compiled much sooner. False if there is none, or the code itself is at hand.
bool FastForm::begin_quickly(const FastFormRequest &request) {
  if (pending_draft_.pending || !pending_draft_.why.empty()) return false;
  if (begin_with_own(request)) return true;
  if (pending_draft_.code.lanes == 0 || pending_draft_.pending) return false;
  std::optional<jit::Draft> quick = specialiser_->quick(pending_draft_);
  if (!quick) return false;
  const jit::CodeStore::Hold hold(specialiser_->store());
  specialiser_->start(pending_draft_);
  if (pending_draft_.pending->ready()) return false;
  jit::Draft later = std::exchange(pending_draft_, std::move(*quick));
  adopt(request);
  if (loaded_.range) {
    active_draft_ = std::move(later);
    loaded_.why = "they are being compiled";
    return true;
  }
  pending_draft_ = std::move(later);
  loaded_ = {};
  return false;
}

bool FastForm::begin_young(const jit::Specialiser &specialiser, const FastFormRequest &request) {
  constexpr double most_bytes =
      1 << 29; // moved by all these runs, which take about as long as a compiler: 20 to 300 ms
  const int size = request.what->set.size, least = specialiser.least_elements();
  const bool compiles = size >= least && least > 0;
  const bool at_once = specialiser.form() != "auto" || specialiser.measure_after() <= 0;
  if (!compiles || !specialiser.quick_first() || at_once) return false;
  young_ = true;
  runs_left_ = static_cast<int>(std::max(most_bytes / std::max(request.bytes, 1.0), 1.0));
  loaded_.why = "so far the loop has run too rarely";
  return true;
}

void FastForm::prepare(jit::Specialiser &specialiser, const FastFormRequest &request, int threads, bool may_change) {
  specialiser_ = &specialiser;
  threads_ = threads;
  if (request.what->set.size < specialiser.least_elements()) {
    loaded_.why = text("the set has fewer than ", specialiser.least_elements(), " elements (OP2_JIT_MIN_ELEMENTS)");
    return;
  }
  pending_draft_ = draft(request, true);
  if (own_.range) {
    loaded_ = std::move(own_);
    pending_draft_ = {};
    return;
  }
  if (may_change && specialiser.quick_first() && begin_quickly(request)) return;
  adopt(request);
}

// Where there is no code for other layouts, or no memory, there may be code for contiguous rows.
void FastForm::finish(const FastFormRequest &request) {
  loaded_ = specialiser_->finish(pending_draft_);
  active_draft_ = std::move(pending_draft_);
  active_draft_.pending.reset();
  if (pending_layouts_.empty() || !active_draft_.why.empty()) return; // a text that is refused is so in every layout
  bool there = loaded_.range;
  for (std::size_t i = 0; there && i < pending_layouts_.size(); ++i)
    there = pending_layouts_[i].kind == OP_LAYOUT_AOS || request.mesh->copies().split(*request.what->args[i].dat);
  if (!there) {
    active_draft_ = draft(request, false);
    loaded_ = specialiser_->finish(active_draft_);
    return;
  }
  layouts_ = pending_layouts_;
  loaded_.form += text(", ", layout_name(layouts_));
}

namespace {

TrialResult try_request(const FastFormRequest &request, TrialRequest trial) {
  std::vector<op_range_arg> range_args(request.range_args.begin(), request.range_args.end());
  for (std::size_t i = 0; i < range_args.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (arg.dat)
      range_args[i].base = arg.dat->exec_data(false);
    else if (arg.kind == OP_RANGE_GLOBAL)
      range_args[i].base = request.call_args[i].data;
  }
  trial.range_args = range_args;
  return try_code(trial);
}

TrialRequest trial_of(const FastFormRequest &request, op_range_fn known, op_range_fn made) {
  return {known, made, request.what, {}, request.call_args, request.reduction, {}};
}

} // namespace

TrialResult try_form(const FastFormRequest &request, op_range_fn known, op_range_fn made,
                     std::span<const op_range_layout> layouts, std::span<const int> elements) {
  TrialRequest trial = trial_of(request, known, made);
  trial.layouts = layouts;
  trial.elements = elements;
  return try_request(request, std::move(trial));
}

TrialResult try_own_form(const FastFormRequest &request, op_range_fn made, std::span<const int> elements) {
  TrialRequest trial = trial_of(request, request.known, made);
  trial.added_to_anything = true;
  trial.elements = elements;
  return try_request(request, std::move(trial));
}

void FastForm::adopt(const FastFormRequest &request) {
  finish(request);
  pending_draft_ = {};
  if (!loaded_.range) return;
  const TrialResult trial = try_form(request, request.known, loaded_.range, layouts_);
  rounds_otherwise_ = trial.rounds_otherwise;
  differs_ = trial.difference;
  if (!trial.difference.empty()) {
    give_up(active_draft_.from.empty() ? trial.difference
                                       : text(trial.difference, " (code made of ", active_draft_.from, ")"));
    loaded_.warns = true;
  } else if (trial.rounds_otherwise) {
    loaded_.how += "; the program's own code rounds otherwise";
  }
}

void FastForm::arrive(const jit::Specialised &vectors) {
  loaded_ = vectors;
  active_draft_.pending.reset();
}

void FastForm::replace(const jit::Specialised &other) {
  loaded_ = other;
  active_draft_ = {};
  chosen_ = true;
}

void FastForm::give_up(const std::string &why) {
  loaded_ = {};
  pending_draft_ = active_draft_ = {};
  layouts_.clear();
  loaded_.why = why;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
