// The trial of code that an executor has made from text for a device of its own: it runs the sample there.
#pragma once

#include "host/executor.hpp"
#include "loop/form/trial.hpp"

namespace op2::core {

// What try_code() says. `source` and `signature` are those of the loop's kernel, which is there and keeps its code
// compiled; of the request `made` and `layouts` do not count. Throws what the executor reports.
TrialResult try_on_device(Executor &executor, const op_exec_source &source, const op_exec_signature &signature,
                          TrialRequest request);

} // namespace op2::core
