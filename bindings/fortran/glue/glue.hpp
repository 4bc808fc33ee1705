// What the Fortran modules call: functions of C for what op2/*.h does not say in a way that Fortran can. Strings end
// with a NUL unless a length goes with them; access modes, columns and positions count from 1, as Fortran's do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "op2/op2.h"

namespace op2::fortran {

// The library's name of a type as Fortran spells it ("real(8)", "r8", "double precision"); NULL if it is none that is
// known: names of kinds, types of the user's own.
const char *type_name(const char *text, std::size_t length);
// Whether it is a real, an integer or a logical of whatever kind; 'r', 'i', 'l' or '?'.
char type_class(const char *text, std::size_t length);

// The name of a procedure as its author wrote it, of its symbol.
std::string name_as_written(std::string symbol);

void raise(op_status code, const char *call, const std::string &message);
// The same for an argument. A program that goes on hears of it again from its loop, whose own message has C's numbers.
void raise_argument(op_status code, const char *call, const std::string &message);
void report_loop(op_status of_loop);

// Arrays of the program from which maps and dats were declared. NULL if it is none.
void remember(const void *array, op_dat dat);
void remember(const void *array, op_map map);
op_dat dat_of(const void *array);
op_map map_of(const void *array);
// Memory to the end of the session.
void *keep(std::vector<char> &&bytes);
void forget_all(); // at the end of a session

} // namespace op2::fortran

extern "C" void *op2f_memalloc(std::size_t bytes); // the program's own

// SPDX-License-Identifier: MIT
