#!/bin/sh
# Each fault of tests/mutants/table can still be planted, and the runner sees
# one that cannot.

. "${top_srcdir:=.}/tests/tap.sh"

run=$top_srcdir/tests/mutants/run
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pavane-mutants.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

if ! python3 -c '' 2>/dev/null; then
	skip "each fault can be planted" "python3 is not here"
	tap_done
fi

# refuses PATTERN CLAIM LINE...: a table of these lines is refused so.
refuses() {
	pattern=$1
	claim=$2
	shift 2
	printf '%s\n' "$@" >"$scratch/table"
	found=$(MUTANTS_TABLE=$scratch/table python3 "$run" --check)
	[ $? -ne 0 ] && echo "$found" | grep -Eq -e "$pattern"
	status=$?
	ok $status "$claim"
	[ $status -eq 0 ] || remark "${found:-found nothing}"
}

mistakes=$(python3 "$run" --check)
ok $? "the place of each fault occurs once"
remark "$mistakes"

first='file: src/base/str.c'
refuses 'table:1: .* 0 times' "a place that is gone is told" \
	"$first" 'find: no such line' 'with: '
refuses 'table:3: .* [0-9]+ times' "a place that occurs more than once is told" \
	'# A remark.' '' "$first" 'find: return' 'with: goto'
refuses 'nothing is changed' "a fault that changes nothing is told" \
	"$first" 'find: #include "base/str.h"' 'with: #include "base/str.h"'
refuses 'no such test: tests/base/test_none' "a test that is gone is told" \
	"$first" 'find: #include "base/str.h"' 'with: ' \
	'tests: tests/base/test_none'
refuses 'No such file' "a source that is gone is told" \
	'file: src/base/none.c' 'find: x' 'with: y'
printf '%s\n' 'file: src/elsewhere/sub/str.c' 'find: #include "base/str.h"' \
	'with: ' >"$scratch/table"
MUTANTS_TABLE=$scratch/table python3 "$run" --check
ok $? "a source that was moved is found by its name"
refuses 'No such file' "unless several are called so" \
	'file: src/elsewhere/policy.c' 'find: x' 'with: y'
refuses 'the same as in line 1' "a fault that stands there twice is told" \
	"$first" 'find: #include "base/str.h"' 'with: ' '' \
	"$first" 'find: #include "base/str.h"' 'with: '
tap_done
