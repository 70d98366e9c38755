#!/usr/bin/env python3
"""The shipped lessons are what tools/make_lessons.py writes, byte for byte, and each licence is beside them.

    check_lessons.py

Exit 1 when a file differs, 77 when the collection, NumPy or h5py is absent.
"""
import filecmp
import os
import sys
import tempfile

import harness

harness.add_tools()
import make_lessons  # noqa: E402


def files(folder):
    return sorted(os.path.relpath(os.path.join(d, f), folder) for d, _, names in os.walk(folder) for f in names
                  if f != "README.md")


def main():
    shared, shipped, problems = harness.shared_folder(), os.path.join(harness.ROOT, "resources", "lessons"), []
    with tempfile.TemporaryDirectory() as folder:
        make_lessons.write(shared, folder)
        made = files(folder)
        for name in sorted(set(made) | set(files(shipped))):
            ours, theirs = os.path.join(shipped, name), os.path.join(folder, name)
            if not os.path.exists(ours) or not os.path.exists(theirs):
                why = "is not shipped" if os.path.exists(theirs) else "is not made by the tool"
                problems.append("%s: %s" % (name, why))
            elif not filecmp.cmp(ours, theirs, shallow=False):
                problems.append("%s: differs from what tools/make_lessons.py writes" % name)
    print("".join("FAIL %s\n" % p for p in problems), end="")
    print("lessons: %d files checked, %d differ" % (len(made), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
