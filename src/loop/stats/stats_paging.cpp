#include "loop/stats/stats_paging.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "loop/stats/stats_line.hpp"

namespace op2::core {

std::string paging_text(const PagingStats &stats) {
  if (stats.limit <= 0) return "";
  const PagerStats &pager = stats.pager;
  if (stats.device)
    return table_line("  data on the host (%s): at most %.1f MB of %.1f MB allowed on the device at a time\n",
                      stats.form.c_str(), 1e-6 * static_cast<double>(pager.peak), 1e-6 * stats.limit) +
           table_line("  %.1f MB brought, %.1f MB taken back, %.4f s waited for; %lld chunks came late\n\n",
                      1e-6 * pager.read_bytes, 1e-6 * pager.written_bytes, pager.wait_seconds,
                      static_cast<long long>(pager.faults));
  const double hidden = std::max(0.0, pager.io_seconds - pager.wait_seconds);
  std::string out = table_line("  data in a file (%s): at most %.1f MB of %.1f MB allowed in memory at a time\n",
                               stats.form.c_str(), 1e-6 * static_cast<double>(pager.peak), 1e-6 * stats.limit);
  out += table_line(
      "  %.1f MB read, %.1f MB written in %.4f s, of which %.4f s were hidden behind computation; %lld chunks by page "
      "faults\n\n",
      1e-6 * pager.read_bytes, 1e-6 * pager.written_bytes, pager.io_seconds, hidden,
      static_cast<long long>(pager.faults));
  return out;
}

std::string paging_json(const PagingStats &stats) {
  const PagerStats &pager = stats.pager;
  return text("{\"limit\": ", fixed(stats.limit, 0), ", \"peak\": ", pager.peak,
              ", \"read\": ", fixed(pager.read_bytes, 0), ", \"written\": ", fixed(pager.written_bytes, 0),
              ", \"io_seconds\": ", fixed(pager.io_seconds, 9), ", \"wait_seconds\": ", fixed(pager.wait_seconds, 9),
              ", \"faults\": ", pager.faults, "}");
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
