# damage.py MESH.h5 FOLDER COUNT: writes COUNT copies of a mesh of op2_mesh into FOLDER, in each of which a value, a shape, a type or an
# attribute is another one, always the same ones. Exit code 77 where h5py is missing.
import random
import shutil
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(f"skipped: {missing} (package python3-h5py)")
    sys.exit(77)

source, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
ODD = [-1, -2, -(2**31), 2**31 - 1, 0, 1, 2, 7, 255, 65536, 10**6]
REAL = [float("nan"), float("inf"), 1e308, -1e308, 1e-320, 0.0]


def replace(file, name, data, **more):
    kept = dict(file[name].attrs)
    del file[name]
    file.create_dataset(name, data=data, **more)
    for key, value in kept.items():
        file[name].attrs[key] = value


def value(file, name, rng):
    data = file[name][...]
    if data.size == 0:
        return
    for _ in range(rng.choice([1, 1, 3])):
        choices = REAL if data.dtype.kind == "f" else ODD + [data.size, len(data), len(data) - 1]
        data.flat[rng.randrange(data.size)] = rng.choice(choices)
    file[name][...] = data


def shape(file, name, rng):
    data = file[name][...]
    ways = [data[:-1], data[:0], numpy.concatenate([data, data]), data.reshape(-1), data.reshape(1, -1),
            data.reshape((1,) + data.shape), numpy.concatenate([data, data[:1]]), data.reshape(-1, 1),
            numpy.resize(data, (len(data), 200)), numpy.resize(data, (len(data), 3)), numpy.resize(data, (3, 5))]
    replace(file, name, rng.choice(ways))


def kind(file, name, rng):
    data = file[name][...]
    way = rng.randrange(9)
    if way == 0:
        replace(file, name, data.astype("int64") + 2**40)
    elif way == 1:
        replace(file, name, data.astype("uint8"))
    elif way == 2:
        replace(file, name, data.astype("float32") * 1.5)
    elif way == 3:
        replace(file, name, numpy.full(data.shape, b"text"))
    elif way == 4:
        replace(file, name, numpy.zeros(data.shape, [("a", "i4"), ("b", "f8")]))
    elif way == 5:
        del file[name]
        file.create_dataset(name, (len(data),), dtype=h5py.vlen_dtype("i4"))
    elif way == 6:
        replace(file, name, data.astype(">i8"))
    elif way == 7:
        replace(file, name, h5py.Empty("i4"))
    else:
        replace(file, name, data, chunks=True, compression="gzip")


def gone(file, name, rng):
    del file[name]
    if rng.random() < 0.5:
        file.create_group(name)
    elif rng.random() < 0.5:
        file[name] = h5py.SoftLink("/nowhere") if rng.random() < 0.5 else h5py.SoftLink("/" + name)


def attribute(file, name, rng):
    owner = file["bface_patch"]
    way = rng.choice([3, b"\xff\xfe 1", "1\n2\n\n 3", "0 a\n0 b\n", "99999999999999 x\n", "-1 none\n", "", [1.5, 2], "1 " + "n" * 900,
                      h5py.Empty("S4")])
    owner.attrs[rng.choice(["patches", "patches1", "size", "dim", "type"])] = way


rng = random.Random(11)
for number in range(count):
    path = f"{folder}/{number}.h5"
    shutil.copy(source, path)
    with h5py.File(path, "r+") as file:
        for _ in range(rng.choice([1, 1, 2])):
            name = rng.choice(sorted(file))
            change = rng.choice([value, value, value, shape, kind, gone, attribute])
            try:
                change(file, name, rng)
            except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
                pass  # what was changed before stands in the way

# SPDX-License-Identifier: MIT
