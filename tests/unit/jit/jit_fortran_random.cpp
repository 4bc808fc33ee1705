// jit_fortran_random.cpp: kernels written at random; see jit_fortran_program.hpp.
//
// Values stay moderate, so that nothing overflows and no NaN arises, whose maximum is not defined.
#include <random>
#include <sstream>
#include <vector>

#include "jit_fortran_program.hpp"

namespace op2_test {

namespace {

enum class Kind { real8, real4, integer, logical };

// What the kernels call.
const char *const procedures = R"f(
  pure type(pair) function made(a, b) result(p)
    real(8), intent(in) :: a, b
    p%a = a
    p%v = [b, a - b]
  end function made

  pure real(8) function total(p)
    type(pair), intent(in) :: p
    total = p%a + sum(p%v) * p%n
  end function total

  subroutine turn(p, by)
    type(pair), intent(inout) :: p
    real(8), intent(in) :: by
    p%v = [p%v(2), -p%v(1)] * 0.5d0
    p%a = p%a * 0.5d0 + by
  end subroutine turn

  pure real(8) function mean(v)
    real(8), intent(in) :: v(:)
    integer :: i
    mean = 0
    do i = 1, size(v)
      mean = mean + v(i) * i
    end do
    mean = mean / max(1, ubound(v, 1))
  end function mean

  subroutine relax(v, by)
    real(8), intent(inout) :: v(0:)
    real(8), intent(in) :: by
    v = v * 0.5d0
    if (size(v) > 1) v(1) = v(1) + by
  end subroutine relax

  pure function twice(v) result(w)
    real(8), intent(in) :: v(:)
    real(8) :: w(size(v))
    w = 2 * v
    w(1) = w(size(v)) - 1
  end function twice

  elemental real(8) function either8(x)
    real(8), intent(in) :: x
    either8 = merge(x, 1 - x, x > 0.5d0)
  end function either8

  pure real(8) function either4(x)
    real(4), intent(in) :: x
    either4 = x * 0.25
  end function either4

  subroutine flip(flag, x)
    logical, intent(inout) :: flag
    real(8), intent(in) :: x
    if (x < 0) flag = .not. flag
  end subroutine flip
)f";

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string kernel(int number) {
    out_.str("");
    out_ << "  subroutine r" << number << "(x, s, n, y, t, m)\n"
         << "    real(8), intent(in) :: x(4)\n    real(4), intent(in) :: s(3)\n    integer, intent(in) :: n(3)\n"
         << "    real(8), intent(inout) :: y(4)\n    real(4), intent(inout) :: t(3)\n    integer, intent(inout) :: "
            "m(2)\n"
         << "    real(8) :: a, b, v(3), w(2, 2)\n    real(4) :: f\n    integer :: i, j, k\n    logical :: l\n    "
            "type(pair) :: p, q(2)\n"
         << "    a = x(1); b = y(2); f = s(1); k = n(1); l = x(2) > 0\n    v = x(2:4)\n    w(:, 1) = x(1:2); w(:, 2) = "
            "y(3:4)\n"
         << "    i = 1; j = 2\n    p = made(a, b); q = p; q(2)%a = x(3)\n";
    for (int s = 0; s < 7; ++s) statement(2, 4);
    out_ << "    y(1) = y(1) + a; t(2) = f; m(1) = k + m(1); if (l) m(2) = m(2) + 1\n    y(2:4) = y(2:4) + v - w(1, "
            "2)\n    y(3) = min(max(y(3) + total(p) - q(1)%a, -9d0), 9d0)\n";
    out_ << "  contains\n    real(8) function inner(p, q)\n      real(8), intent(in) :: p\n      integer, intent(in) "
            ":: q\n"
         << "      inner = p * 0.5d0 + a\n      if (q > 2) inner = inner - v(2)\n    end function inner\n  end "
            "subroutine r"
         << number << "\n";
    return out_.str();
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  template <class... Words>
  std::string one_of(const Words &...words) {
    const std::vector<std::string> all = {words...};
    return all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
  }

  std::string index(int below) {
    return pick(2) ? std::to_string(1 + pick(below))
                   : "mod(" + std::string(1, "kij"[pick(3)]) + " + 60, " + std::to_string(below) + ") + 1";
  }

  std::string leaf(Kind kind) {
    switch (kind) {
      case Kind::real8:
        return one_of("a", "b", "x(" + index(4) + ")", "y(" + index(4) + ")", "v(" + index(3) + ")",
                      "w(" + index(2) + ", " + index(2) + ")", std::string("0.5d0"), std::string("1.25d0"),
                      std::string("3.0_8"), std::string("real(f, 8)"), std::string("dble(k)"), std::string("0.1d0"),
                      std::string("p%a"), "p%v(" + index(2) + ")", "q(" + index(2) + ")%a",
                      "q(" + index(2) + ")%v(" + index(2) + ")");
      case Kind::real4:
        return one_of("f", "s(" + index(3) + ")", "t(" + index(3) + ")", std::string("0.5"), std::string("1.7e0"),
                      std::string("real(k)"), std::string("real(a)"), std::string(".3"));
      case Kind::integer:
        return one_of("k", "i", "j", "n(" + index(3) + ")", std::string("2"), std::string("3"), std::string("int(a)"),
                      std::string("nint(f)"), std::string("m(1)"));
      case Kind::logical:
        return one_of("l", std::string("k > 1"), std::string("a < b"), std::string("f >= 0"));
    }
    return "";
  }

  std::string number(Kind kind, int depth) {
    if (depth <= 0) return leaf(kind);
    const auto sub = [&] { return number(kind, depth - 1); };
    const bool real = kind != Kind::integer;
    const std::string unit = kind == Kind::real8 ? "0.5d0" : kind == Kind::real4 ? "0.5" : "1";
    switch (pick(real ? 15 : 9)) {
      case 0:
        return sub() + " + " + sub();
      case 1:
        return sub() + " - " + sub();
      case 2:
        return "(" + sub() + ") * (" + sub() + ")";
      case 3:
        return "(" + sub() + " - " + leaf(kind) + ")";
      case 4:
        return "(-" + leaf(kind) + "**2) + " + sub();
      case 5:
        return "max(" + sub() + ", " + sub() + ")" + " - min(" + leaf(kind) + ", " + sub() + ")";
      case 6:
        return "merge(" + sub() + ", " + sub() + ", " + truth(depth - 1) + ")";
      case 7:
        return "abs(" + sub() + ") / (abs(" + leaf(kind) + ") + " + unit + ")";
      case 8:
        return "sign(" + sub() + ", " + sub() + " + " + unit + ")";
      case 9:
        return leaf(kind) + " ** " + one_of("3", "4", "5", "2", "19", index(3));
      case 10:
        return "sqrt(abs(" + sub() + "))";
      case 11:
        return leaf(kind) + " * " + leaf(kind) + " - " + leaf(kind) + " / 4";
      case 12:
        return kind == Kind::real8
                   ? one_of("dot_product(v, x(2:4))", "sum(v)", "sum(w)", "maxval(v) + minval(x)",
                            "sum(v * x(1:3)) - product(v)", "sum(x(:" + index(4) + "))", "mean(y(" + index(4) + ":))",
                            "mean(v) + mean(w(" + index(2) + ", :))", "total(q(" + index(2) + "))",
                            "either(" + leaf(kind) + ")", "either(" + leaf(Kind::real4) + ")",
                            "sum(q%a * w(:, " + index(2) + "))", "modulo(" + leaf(kind) + ", 1.5d0)",
                            "sum(x, mask=x > " + leaf(kind) + ")", "sum(twice(v))")
                   : "mod(" + sub() + ", 1.5)";
      case 13:
        return kind == Kind::real8 ? "inner(" + sub() + ", " + leaf(Kind::integer) + ")" : leaf(kind) + " + k";
      default:
        return kind == Kind::real8 ? sub() + " * " + leaf(Kind::real4) + " + " + leaf(Kind::integer)
                                   : sub() + " + 0.25 * " + leaf(kind);
    }
  }

  std::string truth(int depth) {
    if (depth <= 0) return leaf(Kind::logical);
    const Kind kind = pick(2) ? Kind::real8 : Kind::integer;
    switch (pick(5)) {
      case 0:
        return "(" + truth(depth - 1) + " .and. " + truth(depth - 1) + ")";
      case 1:
        return "(" + truth(depth - 1) + " .or. .not. (" + truth(depth - 1) + "))";
      case 2:
        return "any(v > " + leaf(Kind::real8) + ")";
      default:
        return "(" + number(kind, depth - 1) + one_of(" < ", " <= ", " > ", " .ge. ") + number(kind, 0) + ")";
    }
  }

  // A value of moderate size.
  std::string bounded(Kind kind, int depth) {
    const std::string value = number(kind, depth);
    if (kind == Kind::integer) return "mod(" + value + ", 9)";
    const std::string bound = kind == Kind::real8 ? "4.0d0" : "4.0";
    return "max(min(" + value + ", " + bound + "), -" + bound + ")";
  }

  std::string array(int depth) {
    const auto sub = [&] {
      return depth > 1 ? array(depth - 1)
                       : one_of("v", "x(1:3)", "y(2:4)", "x(4:2:-1)", "[a, b, 1.0d0]", "twice(v)", "[p%v, q(1)%a]",
                                "either(v)");
    };
    switch (pick(6)) {
      case 0:
        return sub() + " + " + sub();
      case 1:
        return "(" + sub() + ") * " + leaf(Kind::real8);
      case 2:
        return "abs(" + sub() + ")";
      case 3:
        return "max(" + sub() + ", " + leaf(Kind::real8) + ")";
      case 4:
        return "[matmul(w, x(2:3)), b]";
      default:
        return sub() + " - " + sub();
    }
  }

  void line(int indent, const std::string &text) { // in pieces, as lines have 132 characters
    std::string rest = std::string(static_cast<std::size_t>(2 * indent), ' ') + text;
    while (rest.size() > 120) {
      const std::size_t at = rest.rfind(' ', 110);
      if (at == std::string::npos || at < 10) break;
      out_ << rest.substr(0, at) << " &\n";
      rest = "      " + rest.substr(at);
    }
    out_ << rest << "\n";
  }

  void statement(int indent, int depth) {
    if (pick(4) == 0) return newer(indent, depth);
    switch (pick(depth > 2 ? 14 : 8)) {
      case 0:
        return line(indent, one_of("a", "b") + " = " + bounded(Kind::real8, 3));
      case 1:
        return line(indent, "y(" + index(4) + ") = " + bounded(Kind::real8, 3));
      case 2:
        return line(indent, one_of("f", "t(" + index(3) + ")") + " = " + bounded(Kind::real4, 2));
      case 3:
        return line(indent, one_of("k", "m(2)") + " = " + bounded(Kind::integer, 2));
      case 4:
        return line(indent, "v = min(max(" + array(2) + ", -4.0d0), 4.0d0)");
      case 5:
        return line(indent, "w(" + index(2) + ", " + index(2) + ") = " + bounded(Kind::real8, 2));
      case 6:
        return line(indent, "l = " + truth(2));
      case 7:
        return line(indent, "y(1:3) = min(max(" + array(2) + ", -4.0d0), 4.0d0)");
      case 8:
      case 9:
        line(indent, "if (" + truth(2) + ") then");
        block(indent, depth);
        if (pick(2)) {
          line(indent, "else if (" + truth(1) + ") then");
          block(indent, depth);
        }
        if (pick(2)) {
          line(indent, "else");
          block(indent, depth);
        }
        return line(indent, "end if");
      case 10:
        if (depth < 4) return statement(indent, 1);
        line(indent, "do i = " + one_of("1, 3", "3, 1, -1", "0, 4, 2", "n(1), n(2) + 1"));
        block(indent, depth - 1);
        if (pick(2)) line(indent + 1, "if (" + truth(1) + ") " + one_of("exit", "cycle"));
        block(indent, depth - 1);
        return line(indent, "end do");
      case 11:
        line(indent, "select case (" + one_of("k", "n(2)", "mod(k + n(1), 3)") + ")");
        line(indent, "case (" + one_of("1", "0, 2", ":0") + ")");
        block(indent, depth);
        line(indent, "case (3:5)");
        block(indent, depth);
        if (pick(2)) {
          line(indent, "case default");
          block(indent, depth);
        }
        return line(indent, "end select");
      case 12:
        line(indent, "where (v > " + leaf(Kind::real8) + ")");
        line(indent + 1, "v = v * 0.5d0 - x(1:3)");
        if (pick(2)) {
          line(indent, "elsewhere");
          line(indent + 1, "v = " + leaf(Kind::real8));
        }
        return line(indent, "end where");
      default:
        line(indent, "if (" + truth(2) + ") " + one_of("a", "b") + " = " + bounded(Kind::real8, 2));
    }
  }

  // What Fortran has had since 1990.
  void newer(int indent, int depth) {
    const std::string i4 = index(4), i3 = index(3);
    std::string label;
    switch (pick(depth > 2 ? 12 : 8)) {
      case 0:
        return line(indent, one_of("p", "q(" + index(2) + ")") + " = " +
                                one_of("made(" + bounded(Kind::real8, 1) + ", " + leaf(Kind::real8) + ")",
                                       "pair(a, [b, x(1)])", "pair(v=x(1:2), a=b)", "q(" + index(2) + ")", "p"));
      case 1:
        return line(indent, "q%a = min(max(" + one_of("v(1:2)", "q%v(1)", "q(2:1:-1)%a") + " + " + leaf(Kind::real8) +
                                ", -4d0), 4d0)");
      case 2:
        return line(indent, "call relax(" + one_of("v", "y(" + i4 + ":)", "v(1:3:2)", "w(" + index(2) + ", :)", "p%v") +
                                ", " + one_of("0.5d0", "x(2)", "x(1) * 0.25d0") + ")");
      case 3:
        return line(indent, "y(:" + i4 + ") = min(max(" + one_of("x(:" + i4 + ")", "y(:" + i4 + ") * a") + " - " +
                                leaf(Kind::real8) + ", -4d0), 4d0)");
      case 4:
        return line(indent, "v(" + i3 + ":) = v(:4 - (" + i3 + ")) * 0.5d0");
      case 5:
        return line(indent, "call flip(l, " + bounded(Kind::real8, 1) + ")");
      case 6:
        return line(indent, "call turn(" + one_of("p", "q(" + index(2) + ")") + ", x(" + i4 + "))");
      case 7:
        return line(indent, "k = mod(size(v) + k, 7) + count(v > " + leaf(Kind::real8) + ")");
      case 8:
        line(indent, "block");
        line(indent + 1, "real(8) :: a, c(2)");
        line(indent + 1, "a = x(" + i4 + ") * 0.5d0");
        line(indent + 1, "c = [a, b]");
        block(indent, depth);
        line(indent + 1, "b = min(max(b + c(1) * a, -4d0), 4d0)");
        return line(indent, "end block");
      case 9:
        line(indent, "associate (z => " + one_of("a", "v(" + i3 + ")", "p%v(1)", "q(" + index(2) + ")%a") + ", c => " +
                         bounded(Kind::real8, 1) + ", part => y(2:" + one_of("3", "2 + mod(k + 60, 3)") + "))");
        line(indent + 1, "z = z * 0.5d0 + c * 0.25d0 - sum(part) * 0.1d0");
        line(indent + 1, "part = part * 0.5d0 + z * 0.25d0");
        return line(indent, "end associate");
      case 10:
        if (depth < 4) return statement(indent, 1);
        label = "outer" + std::to_string(++loops_);
        line(indent, label + ": do i = 1, 3");
        line(indent + 1, "do j = 1, n(" + i3 + ")");
        line(indent + 2, "if (" + truth(1) + ") " + one_of("exit", "cycle") + " " + label);
        block(indent + 1, 2);
        line(indent + 2, "if (" + truth(1) + ") " + one_of("exit", "cycle"));
        block(indent + 1, 2);
        line(indent + 1, "end do");
        block(indent, 2);
        return line(indent, "end do " + label);
      default:
        line(indent, "do concurrent (k = 1:3, v(k) > " + one_of("a", "b", "x(4)", "p%a") + ")");
        line(indent + 1, "v(k) = v(k) * 0.5d0 - x(k)");
        return line(indent, "end do");
    }
  }

  void block(int indent, int depth) {
    for (int s = 0; s <= pick(2); ++s) statement(indent + 1, depth - 1);
  }

  std::mt19937 random_;
  int loops_ = 0;
  std::ostringstream out_;
};

} // namespace

std::string random_kernels(int count, unsigned seed) {
  std::string out =
      "module random\n  implicit none\n  type pair\n    real(8) :: a = 1, v(2)\n    integer :: n = 2\n  end type pair\n"
      "  interface either\n    module procedure either8, either4\n  end interface\ncontains\n";
  out += procedures;
  Writer writer(seed);
  for (int n = 1; n <= count; ++n) out += writer.kernel(n);
  return out + "end module random\n";
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
