// Global variables: read, summed, extrema with and without payload.
#include "globals_kernels.h"
#include "lab.hpp"

namespace forms {

using Globals = Forms;

TEST_F(Globals, ThatAreRead) {
  everywhere(Reach::wide, [](Results &results) {
    const op_set cells = op_decl_set(777, "cells"), nodes = op_decl_set(10, "nodes");
    double one = 1.25;
    const int five[] = {3, 0, 0, 0, 11};
    std::vector<double> table = numbers<double>(100, 1);
    const op_dat x = dat<double>(cells, 1, numbers<double>(777, 2), "x"), out = zeros<double>(cells, 2, "out");
    for (int call = 0; call < 2; ++call) { // the values may change from call to call
      FORMS_RUN(read_globals, "read_globals", cells, direct(x, OP_READ), global(&one, 1, OP_READ),
                global(const_cast<int *>(five), 5, OP_READ), global(table.data(), 100, OP_READ), direct(out, OP_WRITE));
      results.same("read_globals", fetch<double>(out));
      one = -3;
      table[99] = 1e10;
    }
    results.form("read_globals", Form::vector8);

    std::vector<int> index(777);
    Random random(3);
    for (int &i : index) i = random.below(100);
    const op_dat found = zeros<double>(cells, 1, "found");
    FORMS_RUN(look_up, "look_up", cells, direct(dat<int>(cells, 1, index, "index"), OP_READ),
              global(table.data(), 100, OP_READ), direct(found, OP_WRITE));
    results.form("look_up", Form::compilers);
    results.same("look_up", fetch<double>(found));

    // A table with one value for each element of a small set: no number beyond it may reach the kernel.
    const op_map map = op_decl_map(cells, nodes, 2, random_table(777, 2, 10, 4).data(), "map");
    std::vector<double> of_nodes = numbers<double>(10, 5);
    FORMS_RUN(look_up_target, "look_up_target", cells, op_arg_idx(1, map), global(of_nodes.data(), 10, OP_READ),
              direct(found, OP_WRITE));
    results.form("look_up_target", Form::compilers);
    results.same("look_up_target", fetch<double>(found));
  });
}

TEST_F(Globals, ThatAreSummed) {
  everywhere(Reach::wide, [](Results &results) {
    const int size = 1003;
    const op_set cells = op_decl_set(size, "cells");
    const std::vector<double> vx = numbers<double>(1003, 6);
    const std::vector<float> vf = numbers<float>(1003, 7);
    const op_dat x = dat<double>(cells, 1, vx, "x"), i = dat<int>(cells, 1, numbers<int>(1003, 8), "i"),
                 f = dat<float>(cells, 1, vf, "f");
    const double big = static_cast<double>(size) * 4;
    double sx = 0.125, s3[] = {1, 0, -5};
    float sf = 2;
    int si = 7;
    long long sl = -1;
    FORMS_RUN(sum_all, "sum_all", cells, direct(x, OP_READ), direct(f, OP_READ), direct(i, OP_READ),
              global(&sx, 1, OP_INC), global(s3, 3, OP_INC), global(&sf, 1, OP_INC), global(&si, 1, OP_INC),
              global(&sl, 1, OP_INC));
    results.form("sum_all", Form::vector8);
    results.sums<double>("sx", {sx, s3[0], s3[1], s3[2]}, {big, big, big, big});
    results.sums<float>("sf", {sf}, {static_cast<float>(big)});
    results.same<int>("si", {si});
    results.same<long long>("sl", {sl});

    float both[] = {0, 0};
    unsigned su = 0;
    FORMS_RUN(sum_floats, "sum_floats", cells, direct(f, OP_READ), direct(i, OP_READ), global(both, 2, OP_INC),
              global(&su, 1, OP_INC));
    results.form("sum_floats", Form::vector4);
    results.sums<float>("both", {both[0], both[1]}, {static_cast<float>(big), static_cast<float>(500 * big)});
    results.same<unsigned>("su", {su});

    std::vector<double> many(17);
    FORMS_RUN(sum_17, "sum_17", cells, direct(x, OP_READ), global(many.data(), 17, OP_INC));
    results.form("sum_17", Form::scalar);
    results.sums("sum_17", many, std::vector<double>(17, big));
  });
}

TEST_F(Globals, ThatAreExtrema) {
  everywhere(Reach::wide, [](Results &results) {
    for (const int size : {5, 16, 1003}) {
      const std::string label = std::to_string(size) + ":";
      const auto n = static_cast<std::size_t>(size);
      const op_set cells = op_decl_set(size, "cells");
      std::vector<double> vx = numbers<double>(2 * n, 9);
      vx[1] = std::numeric_limits<double>::infinity();
      vx[n / 2 * 2] = std::numeric_limits<double>::quiet_NaN(); // compares with nothing
      const op_dat x = dat<double>(cells, 2, vx, "x"), f = dat<float>(cells, 1, numbers<float>(n, 10), "f"),
                   i = dat<int>(cells, 1, numbers<int>(n, 11), "i"),
                   u = dat<unsigned>(cells, 1, numbers<unsigned>(n, 12), "u"),
                   l = dat<long long>(cells, 1, numbers<long long>(n, 13), "l"),
                   ul = dat<unsigned long long>(cells, 1, numbers<unsigned long long>(n, 14), "ul");
      double low[] = {100, 100}, high = -100;
      FORMS_RUN(extremes_double, (label + "double").c_str(), cells, direct(x, OP_READ), global(low, 2, OP_MIN),
                global(&high, 1, OP_MAX));
      results.form(label + "double", Form::vector8);
      results.same<double>("double", {low[0], low[1], high});
      float low_f = 0.5f, high_f = 1e30f; // the start wins
      FORMS_RUN(extremes_float, (label + "float").c_str(), cells, direct(f, OP_READ), global(&low_f, 1, OP_MIN),
                global(&high_f, 1, OP_MAX));
      results.form(label + "float", Form::vector4);
      results.same<float>("float", {low_f, high_f});
      int low_i = 400, high_i = -400;
      unsigned low_u = 4000000000u, high_u = 3;
      long long low_l = 1LL << 60, high_l = -(1LL << 60);
      unsigned long long low_ul = ~0ULL, high_ul = 0;
      FORMS_RUN(extremes_of_integers, (label + "integers").c_str(), cells, direct(i, OP_READ), direct(u, OP_READ),
                direct(l, OP_READ), direct(ul, OP_READ), global(&low_i, 1, OP_MIN), global(&high_i, 1, OP_MAX),
                global(&low_u, 1, OP_MIN), global(&high_u, 1, OP_MAX), global(&low_l, 1, OP_MIN),
                global(&high_l, 1, OP_MAX), global(&low_ul, 1, OP_MIN), global(&high_ul, 1, OP_MAX));
      results.form(label + "integers", Form::vector8);
      results.same<long long>("integers", {low_i, high_i, low_u, high_u, low_l, high_l});
      results.same<unsigned long long>("unsigned", {low_ul, high_ul});
    }
  });
}

TEST_F(Globals, ThatSayWhereTheyWereFound) {
  everywhere(Reach::wide, [](Results &results) {
    for (const int values : {3, 1000000}) // few: many equal ones, of which the first wins
      for (const int size : {1, 8, 9, 1003}) {
        const std::string label = std::to_string(values) + "/" + std::to_string(size) + ":";
        const auto n = static_cast<std::size_t>(size);
        const op_set cells = op_decl_set(size, "cells");
        Random random(15);
        std::vector<double> vx(2 * n);
        std::vector<float> vf(2 * n);
        std::vector<int> vi(n);
        for (double &value : vx) value = random.below(values) / 16.0;
        for (float &value : vf) value = static_cast<float>(random.below(values)) / 16.0f;
        for (int &value : vi) value = random.below(values);
        const op_dat x = dat<double>(cells, 2, vx, "x"), f = dat<float>(cells, 2, vf, "f"),
                     i = dat<int>(cells, 1, vi, "i"), f1 = dat<float>(cells, 1, {vf.begin(), vf.begin() + size}, "f1");
        double low[] = {1e9, 1e9}, place[] = {-1, -2, -3, -4}, high = -1;
        int at[] = {-1, -1}, where = -1;
        FORMS_RUN(where_least, (label + "least").c_str(), cells, op_arg_idx(-1, OP_ID), direct(x, OP_READ),
                  direct(f1, OP_READ), global(low, 2, OP_MIN), op_arg_payload(at, 2, "int", 3),
                  op_arg_payload(place, 4, "double", 3), global(&high, 1, OP_MAX), op_arg_payload(&where, 1, "int", 6));
        results.form(label + "least", Form::vector8);
        results.same<double>("least", {low[0], low[1], place[0], place[1], place[2], place[3], high});
        results.same<int>("where", {at[0], at[1], where});
        EXPECT_EQ(*std::max_element(vf.begin(), vf.begin() + size), high);

        float most = 0, beside = -7; // with few values nothing may be greater: then the payload stays
        int found = -5;
        FORMS_RUN(where_floats, (label + "floats").c_str(), cells, op_arg_idx(-1, OP_ID), direct(f, OP_READ),
                  global(&most, 1, OP_MAX), op_arg_payload(&found, 1, "int", 2),
                  op_arg_payload(&beside, 1, "float", 2));
        results.form(label + "floats", Form::vector4);
        results.same<float>("floats", {most, beside});
        results.same<int>("found", {found});
        int least = 0; // never beaten
        long long far = 12;
        FORMS_RUN(where_integers, (label + "never").c_str(), cells, op_arg_idx(-1, OP_ID), direct(i, OP_READ),
                  global(&least, 1, OP_MIN), op_arg_payload(&far, 1, "ll", 2));
        results.same<long long>("never", {least, far});
        EXPECT_EQ(12, far);
        least = 1 << 30;
        FORMS_RUN(where_integers, (label + "integers").c_str(), cells, op_arg_idx(-1, OP_ID), direct(i, OP_READ),
                  global(&least, 1, OP_MIN), op_arg_payload(&far, 1, "ll", 2));
        results.form(label + "integers", Form::vector8);
        results.same<long long>("integers", {least, far});
      }
  });
}

TEST_F(Globals, InLoopsThatHaveAllKindsOfArguments) {
  everywhere(Reach::wide, [](Results &results) {
    for (const int size : {100, 999}) {
      const auto n = static_cast<std::size_t>(size);
      const std::string name = "all" + std::to_string(size);
      const op_set edges = op_decl_set(size, "edges"), nodes = op_decl_set(40, "nodes");
      const op_map map = op_decl_map(edges, nodes, 2, random_table(size, 2, 40, 16).data(), "map");
      const op_dat a = dat<double>(nodes, 1, numbers<double>(40, 17), "a"), r = zeros<double>(edges, 1, "r"),
                   inc = zeros<double>(nodes, 2, "inc");
      double sum = 0, most = -100;
      int at = -1;
      FORMS_RUN(all_kinds, name.c_str(), edges, through(map, 0, a, OP_READ), through(map, 1, a, OP_READ),
                direct(r, OP_WRITE), op_arg_idx(-1, OP_ID), through(map, 1, inc, OP_INC), global(&sum, 1, OP_INC),
                global(&most, 1, OP_MAX), op_arg_payload(&at, 1, "int", 6));
      results.form(name, Form::vector8);
      results.same(name, fetch<double>(r));
      results.sums(name + " inc", fetch<double>(inc), std::vector<double>(80, 4.0 * size / 10));
      results.sums<double>(name + " sum", {sum}, {4.0 * static_cast<double>(n)});
      results.same<double>(name + " most", {most});
      results.same<int>(name + " at", {at});
    }
  });
}

} // namespace forms

// SPDX-License-Identifier: MIT
