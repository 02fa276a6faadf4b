#!/bin/sh
# untested.sh TREE: prints each source of TREE that has no test of its name. A
# report: some are tested through others.

set -eu
cd "$1"

find src -name '*.c' | sort | while read -r file; do
	room=$(dirname "${file#src/}")
	name=$(basename "$file" .c)
	[ -f "tests/$room/test_$name.c" ] ||
		echo "$file: has no tests/$room/test_$name.c"
done
