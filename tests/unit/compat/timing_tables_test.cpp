// timing_tables_test.cpp: the timing tables in OP2's formats, character by character.
#include "compat/timing_tables.hpp"

#include "ranks.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

LoopStats &fill(LoopStats &row, int calls, double seconds) {
  row.calls = calls;
  row.seconds = seconds;
  row.plan_seconds = 0.25;
  row.bytes = 3e9;
  return row;
}

// The second process waits longer for messages.
TEST(TimingTables, CharacterByCharacter) {
  unit::run_ranks(2, [](Communicator &ranks) {
    StatsTable table;
    fill(table.of("save_soln", "cells"), 1000, 0.5);
    fill(table.of("res_calc", "edges"), 2000, 12.25).wait_seconds = ranks.rank() == 0 ? 0.125 : 0.625;
    table.of("never", "cells");
    EXPECT_EQ(
        "\n  count   plan time     MPI time(std)        time(std)           GB/s      GB/s   kernel name \n"
        " -------------------------------------------------------------------------------------------\n"
        "   2000;    0.2500;    0.3750(  0.2500);   12.2500(  0.0000);    0.4898;         ;   res_calc\n"
        "   1000;    0.2500;    0.0000(  0.0000);    0.5000(  0.0000);   12.0000;         ;   save_soln\n"
        "Total plan time:   0.5000\n",
        op2_timing_table(table, ranks));
    EXPECT_EQ(
        "\n  count     time     GB/s     GB/s   kernel name \n ----------------------------------------------- \n"
        "   2000   12.2500   0.4898            res_calc \n   1000    0.5000  12.0000            save_soln \n"
        "Total kernel time = 12.750000\n",
        op2_timing_totals(table, ranks));
  });
  StatsTable table;
  fill(table.of("save_soln", "cells"), 1000, 0.5);
  EXPECT_EQ(
      "rank,thread,nranks,nthreads,count,total time,plan time,mpi time,GB used,GB total,kernel name\n"
      "1,0,3,2,1000,0.500000,0.250000,0.000000,3.000000,3.000000,save_soln\n",
      op2_timing_csv(table, 1, 3, 2));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
