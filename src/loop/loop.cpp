#include "loop/loop.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "dist/link.hpp"
#include "loop/arity_call.hpp"

namespace op2::core {

namespace {

const Set &set_of(const Dat *dat) { return *static_cast<const Set *>(dat->set); }

void move_on(void *exchange) { static_cast<HaloExchange *>(exchange)->progress(); }

} // namespace

Loop::Loop(Mesh &mesh, PlanCache &plans, HaloExchanges &exchanges, StatsTable &stats, const op_loop_site &site,
           const char *name, op_set set, std::span<const op_arg> args, const LoopOptions &options)
    : mesh_(mesh),
      executor_(&mesh.executor()),
      plans_(plans),
      options_(options),
      name_(name),
      set_(&mesh.set(set, "the set")),
      call_args_(args.begin(), args.end()),
      element_(site.element),
      range_(site.range),
      args_(resolve_args(mesh, *set_, args)),
      reduction_(args_, ElementNumbers(*set_), options.reproducible),
      reduced_(reduction_),
      shared_(args_),
      exchange_(mesh, exchanges, options.exchange) {
  // From here on processes communicate, which those who fail above do not.
  if (mesh_.several()) mesh_.agreement().agree(loop_text(name_, *set_, args_));
  for (const op_arg &arg : args) call_types_.emplace_back(arg.type ? arg.type : "");
  describe(args);
  point_maps();
  collect_dat_uses();
  divide();

  bytes_per_call_ = count_bytes();
  site_ = site;
  if (!shared_.empty())
    run_in_order();
  else if (executor_->caps().device_text)
    prepare_device();
  else
    fast_.prepare(options_.specialiser, fast_request(args));
  if (options_.reproducible) agree_on_form();
  constants_changed_ = mesh_.constants_changed();
  follow_layouts();
  try {
    make_kernels(args);
    choose_plans();
    stats_ = &stats.of(name_, set_->label);
    show_plan();
  } catch (...) {
    free_kernels();
    throw;
  }
}

Loop::~Loop() { free_kernels(); }

void Loop::free_kernels() noexcept {
  for (Part &part : parts_)
    if (op_exec_kernel *const kernel = std::exchange(part.kernel, nullptr)) executor_->kernel_free(kernel);
}

// A direct loop needs nothing of others. One that writes through maps also executes copies of others' elements, so that
// rows owned here get all that is added to them.
void Loop::divide() {
  const bool exchanges = mesh_.several() && signature_.indirect;
  if (exchanges) exchange_.prepare(args_, signature_.conflicts != 0);
  if (options_.reproducible && signature_.conflicts && shared_.empty()) {
    parts_.push_back({0, set_->executed()});
    parts_.back().sequence = sequence();
    return;
  }
  if (!exchanges) {
    parts_.push_back({0, set_->size});
    return;
  }
  const bool copies = signature_.conflicts && set_->exec_size > 0;
  const bool apart = !reduction_.empty() || !shared_.empty(); // copies change no variable
  if (set_->core_size > 0) parts_.push_back({0, set_->core_size});
  const int last = copies && !apart ? set_->executed() : set_->size;
  if (last > set_->core_size || parts_.empty()) parts_.push_back({set_->core_size, last});
  if (copies && apart) parts_.push_back({set_->size, set_->executed(), false});
}

const PlanCache::Sequence *Loop::sequence() {
  const PlanCache::Sequence &order = plans_.sequence(set_->index, [&] {
    const ElementNumbers numbers(*set_);
    std::vector<std::int64_t> known(static_cast<std::size_t>(set_->executed()));
    for (int n = 0; n < set_->executed(); ++n) known[static_cast<std::size_t>(n)] = numbers.of(n);
    return sequence_of(known, set_->size, set_->executed());
  });
  return order.size() > 1 || (order.size() == 1 && !order.front().own) ? &order : nullptr;
}

// Generated code adds what a kernel gives a row at once, the program's own perhaps bit by bit, so all processes must
// have it or none. Those without elements do not care.
void Loop::agree_on_form() {
  if (!mesh_.several()) return;
  mesh_.agreement().agree(text("the code of loop '", name_, "'")); // making it may have failed
  const bool fits = fast_.range() || set_->executed() == 0;
  if (mesh_.communicator().min(fits ? 1 : 0) == 0 && fast_.range()) fast_.give_up("another process has no such code");
}

// The program's own range function. One that counts elements itself knows only their places: where numbers are looked
// up, the kernel is called through its pointer instead.
op_range_fn Loop::own_range() const {
  const bool counts = numbers_looked_up_ && !(site_.flags & OP_SITE_INDEX_BY_KIND);
  return site_.range && !(counts && site_.element) ? site_.range : nullptr;
}

op_range_fn Loop::known_range() const { return own_range() ? own_range() : element_range; }

FastFormRequest Loop::fast_request(std::span<const op_arg> args) {
  return {&mesh_, set_, name_.c_str(), &site_, known_range(), args_, range_args_, args, &reduction_, bytes_per_call_};
}

void Loop::follow_layouts() {
  layouts_ = executor_->caps().device_text ? device_layouts() : fast_.layouts();
  signature_.layouts = layouts_.empty() ? nullptr : layouts_.data();
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const Dat *const dat = args_[i].dat;
    if (!dat) continue;
    const bool in_layout = !layouts_.empty() && layouts_[i].kind != OP_LAYOUT_AOS;
    range_args_[i].stride = in_layout ? dat->layout.stride() : dat->size;
    for (DatUse &use : dat_uses_)
      if (use.dat == dat) use.in_layout = in_layout;
  }
}

ReducedRange Loop::reducing() const {
  return fast_.range() ? reduction_.wrap(fast_.range(), reduction_.by_rows()) : reduction_.wrap(known_range(), false);
}

op_exec_source Loop::source() const {
  op_exec_source source{};
  source.size = sizeof source;
  source.element = site_.element;
  source.range = reducing().call;
  source.range_is_native = own_range() || fast_.range();
  source.line = site_.line;
  source.kernel_name = site_.kernel_name;
  source.file = site_.file;
  source.text = site_.text;
  source.generic = site_.element ? element_range : nullptr;
  source.form = fast_.range() ? fast_.form().c_str() : own_range() ? "range" : "element";
  source.device = executor_->caps().device_text ? device_->text() : nullptr;
  return source;
}

void Loop::create_kernels() {
  const op_exec_source made = source();
  reducing_ = reducing();
  for (Part &part : parts_) part.kernel = executor_->kernel_create(made, signature_);
}

// The signature for the executor, and the part of the range arguments that stays the same.
void Loop::describe(std::span<const op_arg> args) {
  int reduced = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const LoopArg &arg = args_[i];
    op_exec_arg exec{};
    exec.kind = arg.kind;
    exec.access = arg.access;
    exec.type = arg.element.id;
    exec.type_size = arg.element.size;
    exec.dim = arg.dim;
    exec.dat = arg.dat ? arg.dat->index : -1;
    exec.map = arg.map ? arg.map->index : -1;
    exec.column = arg.column;
    exec.count = arg.count;
    exec.rows = arg.dat ? arg.dat->on().rows() : 0;
    exec.reduction = arg.reduces() ? reduced++ : -1;
    exec.payload_of = arg.payload_of;
    exec_args_.push_back(exec);
    names_.push_back({arg.dat ? arg.dat->label.c_str() : nullptr, arg.dat ? arg.dat->set->name : nullptr,
                      arg.map ? arg.map->label.c_str() : nullptr, args[i].type ? call_types_[i].c_str() : nullptr});
    row_numbers_.push_back(arg.dat && set_of(arg.dat).renumbered() ? set_of(arg.dat).original.data() : nullptr);
    if (arg.through_map()) {
      signature_.indirect = 1;
      if (writes_new(arg.access)) signature_.conflicts = 1;
    }
    op_range_arg range{};
    range.kind = exec.kind;
    range.access = arg.access;
    range.dim = arg.dim;
    range.count = arg.count;
    range.stride = arg.dat ? arg.dat->size : 0;
    if (arg.map) range.map_stride = arg.map->dim;
    number_as_declared(arg, exec_args_.back(), range);
    range_args_.push_back(range);
  }
  signature_.size = sizeof signature_;
  signature_.name = name_.c_str();
  signature_.set_size = set_->executed();
  signature_.nargs = static_cast<std::int32_t>(exec_args_.size());
  signature_.args = exec_args_.data();
  signature_.reduce = reduction_.table();
  signature_.set_name = set_->label.c_str();
  signature_.names = names_.data();
  signature_.numbers = set_->renumbered() ? set_->original.data() : nullptr;
  signature_.row_numbers = row_numbers_.data();
}

// Several arguments may touch one dat: the loop as a whole needs its old values if any of them does, and changes it if
// any does.
void Loop::collect_dat_uses() {
  for (const LoopArg &arg : args_) {
    if (!arg.dat) continue;
    // Only a direct write is sure to reach every row; even then a kernel may leave it to a condition, so old values are
    // kept unless the argument promises otherwise. OP2's programs do not promise it.
    const bool partial = arg.through_map() || arg.access != OP_WRITE || mesh_.like_op2();
    const auto same =
        std::find_if(dat_uses_.begin(), dat_uses_.end(), [&](const DatUse &use) { return use.dat == arg.dat; });
    DatUse &use = same == dat_uses_.end() ? dat_uses_.emplace_back(DatUse{arg.dat, arg.access, partial}) : *same;
    if (use.access != arg.access) use.access = OP_RW;
    use.partial = use.partial || partial;
  }
}

void Loop::choose_plans() {
  plan_again_ = true; // after a failure, too
  refused_owner_work_ = 0;
  for (Part &part : parts_) choose_plan(part);
  plan_again_ = std::any_of(parts_.begin(), parts_.end(), [](const Part &part) { return part.again; });
}

void Loop::choose_plan(Part &part) {
  const op_exec_wish wish = executor_->kernel_wish(part.kernel);
  PlanKey key;
  key.kind = wish.plan;
  key.begin = part.begin;
  key.end = part.end;
  key.block_size = options_.block_size > 0 ? options_.block_size : wish.block_size;
  if (wish.plan == OP_PLAN_ELEMENT_COLOURS && wish.block_size > 0) // what fits into a device's shared memory
    key.block_size = std::min(key.block_size, wish.block_size);
  key.compact = wish.compact != 0;
  key.parts = wish.parts;
  key.otherwise = wish.otherwise;
  if (options_.reproducible && signature_.conflicts) key.otherwise = OP_PLAN_NONE; // colours have an order of their own
  const bool in_order = part.sequence && !is_owner_kind(wish.plan);
  part.by_runs = in_order && !reduction_.exact();
  if (in_order) key.kind = reduction_.empty() ? OP_PLAN_NONE : OP_PLAN_BLOCKS;
  if (part.sequence && !in_order) key.sequence = set_->index;
  if (in_order || (reduction_.exact() && executor_->caps().concurrency == 1)) key.block_size = part.end - part.begin;
  part.in_calls = in_order ? part.sequence : nullptr;
  for (const DatUse &use : dat_uses_) {
    if (!writes_new(use.access)) continue;
    std::vector<PlanColumns> columns;
    bool through_map = false;
    for (const LoopArg &arg : args_) {
      if (arg.dat != use.dat || !writes_new(arg.access)) continue;
      through_map = through_map || arg.through_map();
      if (arg.through_map())
        columns.push_back({arg.map->index, arg.column, std::max(arg.count, 1)});
      else
        columns.push_back({plan_identity, 0, 1});
    }
    if (through_map) key.groups.push_back(std::move(columns));
  }
  const auto find_map = [&](int number) {
    const Map &map = *mesh_.maps()[static_cast<std::size_t>(number)];
    return PlanMap{map.table.data(), map.dim, static_cast<const Set *>(map.to)->rows()};
  };
  part.plan = plans_.get(key, find_map).view();
  executor_->kernel_plan(part.kernel, part.plan);
  part.again = wish.again != 0;
  if (is_owner_kind(wish.plan) && !is_owner_kind(part.plan.kind))
    refused_owner_work_ = std::max(refused_owner_work_, plans_.owner_work(key));
}

void Loop::show_plan() {
  stats_->form = executor_->kernel_form(parts_.front().kernel);
  if (executor_ != &mesh_.executor()) stats_->form = text(shared_.empty() ? "host: " : "in order: ", stats_->form);
  if (executor_->caps().device_text && !layouts_.empty()) stats_->form += text(", ", layout_name(layouts_));
  stats_->colours = 0;
  stats_->blocks = 0;
  for (const Part &part : parts_) {
    if (is_colour_kind(part.plan.kind)) stats_->colours = std::max(stats_->colours, part.plan.ncolours);
    stats_->blocks += part.plan.nblocks;
  }
}

// Useful bytes of one call: every row counted once for each direction it must move in, however often the loop meets it,
// and every map column once.
double Loop::count_bytes() const {
  double bytes = 0;
  std::vector<std::pair<int, int>> columns_counted;
  for (const DatUse &use : dat_uses_) {
    std::vector<ColumnSet> columns;
    for (const LoopArg &arg : args_) {
      if (arg.dat != use.dat) continue;
      if (!arg.through_map()) {
        columns.push_back({nullptr, 0, 0, 1, use.dat->on().rows()});
        continue;
      }
      const int count = std::max(arg.count, 1);
      columns.push_back({arg.map->table.data(), arg.map->dim, arg.column, count, use.dat->on().rows()});
      for (int c = arg.column; c < arg.column + count; ++c)
        if (std::find(columns_counted.begin(), columns_counted.end(), std::pair{arg.map->index, c}) ==
            columns_counted.end())
          columns_counted.emplace_back(arg.map->index, c);
    }
    const double rows = static_cast<double>(count_distinct_targets(columns, 0, set_->size));
    const int directions = (reads_old(use.access) ? 1 : 0) + (writes_new(use.access) ? 1 : 0);
    bytes += rows * use.dat->size * directions;
  }
  return bytes + static_cast<double>(columns_counted.size()) * set_->size * static_cast<double>(sizeof(int));
}

bool Loop::matches(const op_loop_site &site, const char *name, op_set set, std::span<const op_arg> args) const {
  if (site.element != element_ || site.range != range_ || set != set_ || args.size() != call_args_.size()) return false;
  if (name_ != name) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const op_arg &a = args[i], &b = call_args_[i];
    if (a.dat != b.dat || a.map != b.map || a.dim != b.dim || a.idx != b.idx || a.size != b.size || a.acc != b.acc ||
        a.argtype != b.argtype || a.opt != b.opt || a.sent != b.sent || a.reduction != b.reduction ||
        (a.argtype != OP_ARG_DAT && (a.data == nullptr) != (b.data == nullptr)))
      return false;
    if ((a.type == nullptr) != (b.type == nullptr) || (a.type && std::strcmp(a.type, call_types_[i].c_str()) != 0))
      return false;
  }
  return true;
}

void Loop::run_part(const Part &part, op_exec_call &call) {
  const bool only = parts_.size() == 1;
  part_result_.resize(only ? 0 : reduction_.bytes());
  call.plan = &part.plan;
  call.begin = part.begin;
  call.end = part.end;
  if (!reduction_.empty()) call.reduce_result = only ? reduced_.result() : part_result_.data();
  executor_->loop_run(part.kernel, call);
  if (!only && part.own && !reduction_.empty()) reduced_.append(part_result_.data());
}

void Loop::run_by_runs(const Part &part, op_exec_call &call) {
  part_result_.resize(reduction_.bytes());
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  op_exec_plan plan = part.plan;
  plan.kind = reduction_.empty() ? OP_PLAN_NONE : OP_PLAN_BLOCKS;
  plan.nblocks = plan.ncolours = 1;
  plan.colour_offset = one_colour;
  plan.order = one_block;
  for (const SequenceRun &run : *part.sequence) {
    const int border[] = {run.begin, run.end};
    plan.block_offset = border;
    call.begin = plan.begin = run.begin;
    call.end = plan.end = run.end;
    call.plan = &plan;
    if (!reduction_.empty()) call.reduce_result = part_result_.data();
    executor_->loop_run(part.kernel, call);
    if (run.own && !reduction_.empty()) reduced_.append(part_result_.data());
  }
}

void Loop::run_parts(op_exec_call &call) {
  exchange_.start();
  if (!reduction_.empty()) exchange_.send(); // which wait for what they reduce
  for (Part &part : parts_) {
    if (part.end > set_->core_size) exchange_.finish(*stats_);
    if (part.end == part.begin) continue;
    call.progress_context = exchange_.to_move_on();
    call.progress = call.progress_context ? move_on : nullptr;
    if (!part.own) shared_.give_scratch(range_args_);
    reduced_.use(reducing_, part.in_calls);
    if (part.by_runs)
      run_by_runs(part, call);
    else
      run_part(part, call);
    exchange_.send();
  }
  exchange_.finish(*stats_);
  if (options_.wait) [[unlikely]]
    mesh_.executor().finish();
}

// In the handler of a failure. What processes have found out together replaces what only this one knows.
void Loop::give_up() {
  try {
    exchange_.give_up();
  } catch (const Error &error) {
    if (error.told) throw;
  } catch (...) { // the first failure is the one to report
  }
}

void Loop::need_dats() const {
  for (const DatUse &use : dat_uses_) {
    if (use.dat->freed) fail(OP_ERR_HANDLE, "temporary dat '", use.dat->label, "' was freed");
    if (use.dat->acquired >= 0)
      fail(OP_ERR_STATE, "dat '", use.dat->label, "' is acquired; call op_dat_release() before loops use it");
  }
}

// Rows and everything else that the first element needs.
void Loop::make_ready(std::span<const op_arg> args, op_exec_call &call) {
  if (mesh_.several()) exchange_.before(*stats_);
  const bool here = executor_ == &mesh_.executor();
  for (const DatUse &use : dat_uses_)
    if (here)
      mesh_.prepare_loop(*use.dat, use.access, use.partial, use.in_layout);
    else
      mesh_.prepare_host(*use.dat, use.access, use.partial);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const LoopArg &arg = args_[i];
    if (arg.dat)
      range_args_[i].base =
          here ? arg.dat->exec_data(!layouts_.empty() && layouts_[i].kind != OP_LAYOUT_AOS) : arg.dat->host.data();
    else if (arg.kind == OP_RANGE_GLOBAL)
      range_args_[i].base = arg.reduces() ? nullptr : args[i].data;
  }
  call.size = sizeof call;
  call.args = range_args_.data();
  shared_.begin(args);
  if (!reduction_.empty()) {
    reduced_.begin(args);
    call.reduce_start = reduced_.start();
  }
}

// Whatever fails on one process, wherever: the others get what they wait for from it, and learn of it at the end. They
// may have run their elements by then, unless they have found out before that nobody can.
void Loop::run_agreed(std::span<const op_arg> args, op_exec_call &call, bool &begun) {
  mesh_.agreement().together(text("loop '", name_, "'"), [&] {
    try {
      make_ready(args, call);
      run_parts(call);
    } catch (const Error &error) {
      begun = false;
      if (error.told) throw;
      give_up();
      begun = true;
      throw;
    } catch (...) {
      begun = false;
      give_up();
      begun = true;
      throw;
    }
    return 0;
  });
}

void Loop::run(std::span<const op_arg> args) {
  op_exec_call call{};
  const bool several = mesh_.several(), agreed = several && mesh_.agreement().errors_return();
  if (!agreed) make_ready(args, call);
  bool begun = true;
  try {
    if (agreed) {
      run_agreed(args, call, begun);
    } else {
      try {
        run_parts(call);
      } catch (...) {
        if (several) give_up();
        throw;
      }
    }
    if (!reduction_.empty()) {
      if (several) reduced_.across(mesh_.communicator());
      reduced_.finish(args);
    }
    if (several && !shared_.empty()) shared_.across(mesh_.communicator(), args);
  } catch (Error &error) {
    if (begun && mesh_.link()) mesh_.link()->give_up();
    // Executor check refuses a loop before it changes anything; other processes may have run theirs meanwhile.
    error.poisons = begun && (error.code != OP_ERR_CHECK || several);
    throw;
  } catch (const std::exception &thrown) { // a reduction of the program's own
    if (mesh_.link()) mesh_.link()->give_up();
    Error error(OP_ERR_KERNEL, text("a reduction threw an exception: ", thrown.what()));
    error.poisons = true;
    throw error;
  }
  const bool here = executor_ == &mesh_.executor();
  for (const DatUse &use : dat_uses_)
    if (here)
      mesh_.note_loop(*use.dat, use.access, use.in_layout);
    else
      mesh_.note_host(*use.dat, use.access);
}

} // namespace op2::core
