// exchange_kernel.h: an exchange without elements of a loop.
#include "exchange.h"

OP2_KERNEL_RESIDENT(op2_exchange, op2_exchange_params) {
  op2x::work work(p);
  while (work.next()) {
  }
}
