// The process' handler of page faults while there are pagers. It passes on what is not theirs.
#pragma once

namespace op2::core::paging {

class Paging;

void watch_faults(Paging &paging);
void stop_watching_faults(Paging &paging);

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
