// halo.cpp: packing and unpacking on the halo stream, beside the loops of the compute stream.
#include "halo/halo.hpp"

#include <algorithm>
#include <cstring>

#include "event.hpp"
#include "halo/exchange.hpp"

namespace op2::exec_cuda {

CUfunction Halo::kernel(bool pack) {
  if (!module_) {
    std::string text;
    for (const char *part : {"kernel", "halo_parts", "halo", "halo_kernels"}) text += device_text(part);
    module_ = std::make_unique<Module>(exec_, text, "op2_halo");
    pack_ = module_->function("op2_halo_pack");
    unpack_ = module_->function("op2_halo_unpack");
  }
  return pack ? pack_ : unpack_;
}

CUdeviceptr Halo::scratch(size_t bytes) {
  if (!scratch_ || scratch_->size() < bytes) {
    exec_.driver.check(exec_.driver.cuStreamSynchronize(exec_.streams->halo), "wait for halos");
    scratch_.reset();
    scratch_ = std::make_unique<Device>(exec_.driver, bytes);
  }
  return scratch_->address();
}

std::unique_ptr<Pinned> Halo::take_pinned(size_t bytes) {
  const auto fits = [&](const Spare &s) {
    return s.memory->size() >= bytes && s.memory->size() <= 4 * bytes + 65536 && (!s.used || s.used->past());
  };
  const auto found = std::find_if(spare_.begin(), spare_.end(), fits);
  if (found == spare_.end()) return std::make_unique<Pinned>(exec_.driver, bytes);
  std::unique_ptr<Pinned> pinned = std::move(found->memory);
  spare_.erase(found);
  return pinned;
}

void Halo::give_back(std::unique_ptr<Pinned> pinned, CUstream stream) {
  Spare spare{std::move(pinned), nullptr};
  if (stream) {
    spare.used = std::make_unique<Event>(exec_.driver);
    spare.used->record(stream);
  }
  spare_.push_back(std::move(spare));
}

void Halo::note_pack(const op_exec_halo_item *items, int32_t nitems) {
  if (!last_pack_) last_pack_ = std::make_unique<Event>(exec_.driver);
  last_pack_->record(exec_.streams->halo);
  for (int32_t i = 0; i < nitems; ++i)
    if (std::find(packing_.begin(), packing_.end(), items[i].base) == packing_.end()) packing_.push_back(items[i].base);
}

void Halo::before_writing(std::span<char *const> written, bool all) {
  if (packing_.empty()) return;
  const auto packed = [&](const char *dat) {
    return std::find(packing_.begin(), packing_.end(), dat) != packing_.end();
  };
  if (!all && std::none_of(written.begin(), written.end(), packed)) return;
  // The halo stream runs in order: after the last pack all of them are over.
  exec_.driver.check(exec_.driver.cuStreamWaitEvent(exec_.streams->compute, last_pack_->get(), 0), "wait for a pack");
  packing_.clear();
}

namespace {

void move_rows(op_exec &exec, const HaloPlan &plan, bool pack, CUdeviceptr buffer) {
  op2_halo_params params{};
  params.segments = plan.segments->as<const op2_halo_segment>();
  params.buffer = reinterpret_cast<char *>(buffer); // NOLINT: device addresses are numbers
  params.nsegments = plan.nsegments;
  launch(exec, exec.halo->kernel(pack), plan.blocks, OP2_HALO_THREADS, 0, exec.streams->halo, &params,
         pack ? "op2_halo_pack" : "op2_halo_unpack");
}

// What a message in host memory is packed into and unpacked from has the alignment of all device memory: the plan needs
// to know the alignment before there is the memory.
constexpr CUdeviceptr aligned = 0;

} // namespace

namespace {

// NULL: not for kernels that exchange.
KernelHalo *kernel_halo(op_exec &exec, const void *buffer) {
  return exec.exchanges ? exec.exchanges->find(buffer) : nullptr;
}

void note_rows_to_send(op_exec &exec, KernelHalo &messages, op_exec_halo &halo,
                       std::span<const op_exec_halo_item> items) {
  exec.exchanges->flush(); // an earlier round has other rows
  std::vector<const char *> dats;
  for (const op_exec_halo_item &item : items) dats.push_back(item.base);
  messages.set_pack(&plan_by_message(exec, halo, items), std::move(dats));
}

} // namespace

void before_loop(op_exec &exec, std::span<char *const> written) { exec.halo->before_writing(written, false); }

void before_copy(op_exec &exec) { exec.halo->before_writing({}, true); }

op_status halo_pack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems, void *buffer,
                    op_space space, op_event *done) {
  if (done) *done = nullptr;
  return entry_of_loop(exec, [&] {
    check_space(space);
    if (KernelHalo *const messages = kernel_halo(*exec, buffer))
      return note_rows_to_send(*exec, *messages, *halo, {items, static_cast<size_t>(nitems)});
    const bool direct = space == OP_SPACE_CUDA;
    const CUstream stream = exec->streams->halo;
    const HaloPlan &plan =
        plan_of(*exec, *halo, {items, static_cast<size_t>(nitems)}, direct ? device_address(buffer) : aligned);
    if (plan.bytes == 0) return;
    const CUdeviceptr message = direct ? device_address(buffer) : exec->halo->scratch(plan.bytes);
    exec->streams->order(exec->streams->compute,
                         stream); // loops launched so far may write these rows, later ones run beside
    move_rows(*exec, plan, true, message);
    exec->halo->note_pack(items, nitems);
    std::unique_ptr<Pinned> pinned = space == OP_SPACE_HOST ? exec->halo->take_pinned(plan.bytes) : nullptr;
    if (!direct)
      exec->driver.check(exec->driver.cuMemcpyDtoHAsync(pinned ? pinned->data() : buffer, message, plan.bytes, stream),
                         "copy a message");
    finish(*exec, stream, done, std::move(pinned), buffer, plan.bytes);
  });
}

op_status halo_unpack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                      const void *buffer, op_space space, op_event *done) {
  if (done) *done = nullptr;
  return entry_of_loop(exec, [&] {
    check_space(space);
    if (KernelHalo *const messages = kernel_halo(*exec, buffer)) {
      messages->set_unpack(&plan_by_message(*exec, *halo, {items, static_cast<size_t>(nitems)}));
      return finish_later(*exec, done);
    }
    const bool direct = space == OP_SPACE_CUDA;
    const CUstream stream = exec->streams->halo;
    const HaloPlan &plan =
        plan_of(*exec, *halo, {items, static_cast<size_t>(nitems)}, direct ? device_address(buffer) : aligned);
    if (plan.bytes == 0) return;
    const CUdeviceptr message = direct ? device_address(buffer) : exec->halo->scratch(plan.bytes);
    std::unique_ptr<Pinned> pinned;
    if (space == OP_SPACE_HOST) {
      pinned = exec->halo->take_pinned(plan.bytes);
      std::memcpy(pinned->data(), buffer, plan.bytes);
    }
    if (!direct) // beside the loops that are running
      exec->driver.check(exec->driver.cuMemcpyHtoDAsync(message, pinned ? pinned->data() : buffer, plan.bytes, stream),
                         "copy a message");
    exec->streams->order(exec->streams->compute, stream); // loops launched so far may read the rows as they were
    move_rows(*exec, plan, false, message);
    exec->streams->order(stream, exec->streams->compute); // loops launched from now on see the new rows
    if (pinned)
      exec->halo->give_back(std::move(pinned), stream);
    else
      finish(*exec, stream, done); // the buffer may be written again then and not before
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
