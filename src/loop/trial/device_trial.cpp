#include "loop/trial/device_trial.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace op2::core {

namespace {

// Elements of a sample share no rows, so that all have one colour, whatever division the executor requests.
class OneColour {
 public:
  OneColour(const op_exec_plan_request &request, int size) : element_colour_(static_cast<std::size_t>(size)) {
    const int block = request.block_size > 0 ? request.block_size : size;
    for (int at = 0; at < size; at += block) block_offset_.push_back(at);
    const int nblocks = static_cast<int>(block_offset_.size());
    block_offset_.push_back(size);
    const bool of_elements = request.plan == OP_PLAN_GLOBAL_COLOURS;
    order_.resize(static_cast<std::size_t>(of_elements ? size : nblocks));
    std::iota(order_.begin(), order_.end(), 0);
    element_colours_.assign(static_cast<std::size_t>(nblocks), 1);
    colour_offset_[1] = static_cast<int>(order_.size());
    plan_.size = sizeof plan_;
    plan_.kind = request.plan;
    plan_.end = size;
    plan_.ncolours = 1;
    if (request.plan == OP_PLAN_NONE) return;
    plan_.nblocks = of_elements ? 0 : nblocks;
    plan_.block_offset = of_elements ? nullptr : block_offset_.data();
    plan_.colour_offset = colour_offset_;
    plan_.order = order_.data();
    if (request.plan != OP_PLAN_ELEMENT_COLOURS) return;
    plan_.element_colour = element_colour_.data();
    plan_.block_element_colours = element_colours_.data();
  }
  OneColour(const OneColour &) = delete;
  const op_exec_plan &plan() const { return plan_; }

 private:
  std::vector<std::int32_t> block_offset_, order_, element_colour_, element_colours_;
  std::int32_t colour_offset_[2] = {0, 0};
  op_exec_plan plan_{};
};

// A sample in the executor's memory, in the layouts that dats have there, and what the executor is told of it.
class There {
 public:
  There(Executor &executor, const op_exec_signature &signature, const TrialRequest &request, const TrialSample &sample)
      : executor_(executor),
        shape_(signature),
        args_(sample.args.begin(), sample.args.end()),
        exec_args_(signature.args, signature.args + signature.nargs) {
    if (signature.layouts) layouts_.assign(signature.layouts, signature.layouts + signature.nargs);
    for (auto &[dat, rows] : sample.rows) rows_.emplace(dat, send_rows(*dat, rows));
    for (std::size_t i = 0; i < args_.size(); ++i) {
      const LoopArg &arg = request.what->args[i];
      if (arg.dat && rows_.count(arg.dat) > 0) tell_rows(i, *arg.dat, sample.rows.at(arg.dat));
      if (!arg.dat && (arg.kind == OP_RANGE_ABSENT || arg.reduces())) args_[i].base = nullptr;
      if (arg.kind == OP_RANGE_ABSENT) continue;
      if (arg.dat) args_[i].base = rows_.at(arg.dat).data();
      if (!args_[i].map) continue;
      const int column = arg.through_map() ? arg.column : 0;
      const int *const table = args_[i].map - column;
      Storage &there = tables_[table];
      const std::size_t entries = static_cast<std::size_t>(sample.size) * static_cast<std::size_t>(args_[i].map_stride);
      if (!there.data()) there = send(table, entries * sizeof(int));
      args_[i].map = reinterpret_cast<const int *>(there.data()) + column;
    }
    shape_.set_size = sample.size; // too few to have several ways measured
    shape_.args = exec_args_.data();
    shape_.layouts = layouts_.empty() ? nullptr : layouts_.data();
    shape_.numbers = nullptr;
    shape_.row_numbers = nullptr;
  }
  There(const There &) = delete;
  const op_exec_signature &signature() const { return shape_; }
  std::span<const op_range_arg> args() const { return args_; }
  void fetch(const TrialSample &sample) const {
    for (auto &[dat, rows] : sample.rows) {
      if (rows.empty()) continue;
      const Layout layout = layout_of(*dat, rows);
      std::vector<char> come(layout.aos() ? 0 : layout.bytes());
      char *const to = layout.aos() ? rows.data() : come.data();
      executor_.copy(to, OP_SPACE_HOST, rows_.at(dat).data(), space(), layout.aos() ? rows.size() : come.size());
      if (!layout.aos()) layout_to_rows(rows.data(), come.data(), layout);
    }
  }

 private:
  static int count_of(const Dat &dat, const std::vector<char> &rows) {
    return static_cast<int>(rows.size() / static_cast<std::size_t>(dat.size));
  }
  static Layout layout_of(const Dat &dat, const std::vector<char> &rows) {
    return with_rows(dat.layout, count_of(dat, rows));
  }
  void tell_rows(std::size_t i, const Dat &dat, const std::vector<char> &rows) {
    exec_args_[i].rows = count_of(dat, rows);
    if (layouts_.empty() || dat.layout.aos()) return;
    const Layout layout = layout_of(dat, rows);
    layouts_[i] = layout.range();
    args_[i].stride = layout.stride();
  }
  Storage send_rows(const Dat &dat, const std::vector<char> &rows) const {
    if (dat.layout.aos()) return send(rows.data(), rows.size());
    const Layout layout = layout_of(dat, rows);
    std::vector<char> ordered(layout.bytes());
    rows_to_layout(ordered.data(), rows.data(), layout);
    return send(ordered.data(), ordered.size());
  }
  op_space space() const { return executor_.caps().space; }
  Storage send(const void *from, std::size_t bytes) const {
    Storage out(executor_, space(), std::max<std::size_t>(bytes, 1));
    if (bytes > 0) executor_.copy(out.data(), space(), from, OP_SPACE_HOST, bytes);
    return out;
  }
  Executor &executor_;
  op_exec_signature shape_;
  std::vector<op_range_arg> args_;
  std::vector<op_exec_arg> exec_args_;
  std::vector<op_range_layout> layouts_;
  std::map<const Dat *, Storage> rows_;
  std::map<const int *, Storage> tables_;
};

// A kernel that asks for numbers of targets gets them by a table that the device takes for the map.
bool has_sample(const op_exec_signature &signature) {
  return std::none_of(signature.args, signature.args + signature.nargs,
                      [](const op_exec_arg &arg) { return arg.kind == OP_RANGE_MAP_INDEX && arg.map >= 0; });
}

} // namespace

TrialResult try_on_device(Executor &executor, const op_exec_source &source, const op_exec_signature &signature,
                          TrialRequest request) {
  if (!has_sample(signature) || request.reduction->exact() || request.what->set.size == 0) return {};
  request.fetch_row = [&](char *row, const Dat &dat, int n) {
    if (!dat.remote.data()) return;
    const auto fetch = [&](char *to, std::ptrdiff_t at, int bytes) {
      executor.copy(to, OP_SPACE_HOST, dat.remote.data() + at, dat.remote.space(), static_cast<std::size_t>(bytes));
    };
    if (dat.layout.aos()) return fetch(row, std::ptrdiff_t{n} * dat.size, dat.size);
    const Layout &layout = dat.layout;
    const int value = layout.value_bytes;
    for (int c = 0; c < dat.dim; ++c) fetch(row + c * value, n * layout.stride() + c * layout.step(), value);
  };
  request.elsewhere = [&](const TrialSample &sample) {
    const There there(executor, signature, request, sample);
    const Kernel kernel(executor, source, there.signature());
    const OneColour division(executor.kernel_plan_request(kernel.get()), sample.size);
    executor.kernel_plan(kernel.get(), division.plan());
    op_exec_call call{};
    call.size = sizeof call;
    call.args = there.args().data();
    call.plan = &division.plan();
    call.end = sample.size;
    const std::vector<char> start = sample.record;
    call.reduce_start = start.empty() ? nullptr : start.data();
    call.reduce_result = sample.record.empty() ? nullptr : sample.record.data();
    executor.loop_run(kernel.get(), call);
    there.fetch(sample);
  };
  return try_code(request);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
