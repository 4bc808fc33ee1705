"""refused.py TOOL: what op2-fortran-ranges refuses, and what it leaves out, each with file and line."""
import os
import subprocess
import sys
import tempfile

KERNEL = '''module k
contains
  subroutine f(a, b)
    real(8), intent(in) :: a(2)
    real(8), intent(inout) :: b
    b = b + a(1)
  end subroutine f
end module k
'''
LOOP = '''subroutine s
  call op_par_loop_2(f, set, op_arg_dat(x, 1, m, 2, 'real(8)', OP_READ), &
    op_arg_gbl(t, 1, 'real(8)', OP_INC))
end subroutine s
'''


def run(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'p.F90')
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        done = subprocess.run([sys.executable, sys.argv[1], *options, name], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr.replace(folder + os.sep, '')


failures = 0


def expect(what, text, code, words, *options):
    global failures
    got, out, said = run(text, *options)
    if got != code or not all(w in out + said for w in words):
        failures += 1
        print(f'FAILED: {what}: exit code {got}\n{said}')


expect('a good program', KERNEL + LOOP, 0, ['subroutine f_range(ctx', 'subroutine k_ranges', 'm1(n * s1)', 'v2(1)'])
expect('sources of fixed form', '', 1, ['only free form'], '/nowhere/a.f')
expect('no such file', '', 1, ['nowhere.f90'], '/nowhere.f90')
expect('another number of arguments', KERNEL + LOOP.replace('loop_2', 'loop_3'), 1, ['p.F90:10:', 'op_par_loop_3 with 2'])
expect('another number of parameters', (KERNEL + LOOP).replace('f(a, b)', 'f(a)'), 1, ['p.F90:10:', 'has 1 parameters'])
expect('a shape of its own', (KERNEL + LOOP).replace('a(2)', 'a(:)'), 1, ['p.F90:4:', 'has a shape of its own'])
expect('a value', (KERNEL + LOOP).replace('intent(in) :: a', 'value :: a'), 1, ['p.F90:4:', 'is value'])
expect('no declaration', (KERNEL + LOOP).replace('    real(8), intent(inout) :: b\n', ''), 1, ['p.F90:3:', "'b' of 'f' is not declared"])
expect('a text', (KERNEL + LOOP).replace('real(8), intent(in)', 'character(8), intent(in)'), 1, ['p.F90:3:', 'no dat holds'])
expect('a column without a map', (KERNEL + LOOP).replace('x, 1, m', 'x, 1, OP_ID'), 1, ['p.F90:10:', 'idx 1 with map'])
expect('too few words', (KERNEL + LOOP).replace("t, 1, 'real(8)', OP_INC", 't, 1'), 1, ['p.F90:10:', 'has the parameters'])
expect('a statement that goes on', KERNEL + LOOP + 'call x(a, &\n', 1, ['p.F90:13:', 'does not end'])
expect('#if without end', '#ifdef A\n' + KERNEL + LOOP, 1, ['#if without #endif'])
expect('a condition', '#if F(2)\n#endif\n' + KERNEL + LOOP, 1, ['p.F90:1:', 'cannot read the condition'])
expect('kernels of two modules', KERNEL + KERNEL.replace('module k', 'module l').replace('f', 'g') + LOOP +
       LOOP.replace('loop_2(f', 'loop_2(g'), 1, ['k and l', '--module'])
expect('one of two modules', KERNEL + KERNEL.replace('module k', 'module l').replace(' f', ' g') + LOOP +
       LOOP.replace('loop_2(f', 'loop_2(g'), 0, ['subroutine g_range', "'f' is not in module 'l'"], '--module', 'L')
expect('a vector argument', (KERNEL + LOOP).replace('x, 1, m', 'x, -2, m'), 0, ['p.F90:10:', 'left out', 'vector'])
expect('an optional argument', (KERNEL + LOOP).replace('op_arg_dat(x', 'op_opt_arg_dat(on, x'), 0, ['p.F90:10:', 'left out', 'optional'])
expect('a column that varies', (KERNEL + LOOP).replace('x, 1, m', 'x, i, m'), 0, ['p.F90:10:', 'left out', 'not a number'])
expect('other arguments', KERNEL + LOOP + LOOP.replace('x, 1, m', 'x, -1, OP_ID').replace('s\n', 'r\n'), 0,
       ['p.F90:14:', 'other arguments than in', 'subroutine f_range'])
expect('a kernel elsewhere', KERNEL + LOOP + 'subroutine r\n  call op_par_loop_1(gone, set, op_arg_idx(-1, OP_ID))\nend\n', 0,
       ['p.F90:14:', "'gone' is in none"])
expect('conditions that hold', '#if defined(A) && B > 1\n' + KERNEL + '#else\nno\n#endif\n' + LOOP, 0, ['f_range'], '-DA', '-D', 'B=2')
sys.exit(failures != 0)
