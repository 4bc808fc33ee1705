// The trial of code that an executor has compiled from text: the executor runs the sample on its device.
#pragma once

#include "host/executor.hpp"
#include "loop/trial/trial.hpp"

namespace op2::core {

// Returns what try_code() does. `source` and `signature` are those of the loop's kernel, which must exist: it keeps the
// code compiled. Ignores `made` and `layouts` of the request. Throws the failures of the executor.
TrialResult try_on_device(Executor &executor, const op_exec_source &source, const op_exec_signature &signature,
                          TrialRequest request);

} // namespace op2::core

// SPDX-License-Identifier: MIT
