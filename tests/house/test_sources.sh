#!/bin/sh
# Makefile.am and the sources.am of each room list what stands in the tree. And
# reports, which nobody fails:
# what has no test of its name, and what has grown large.

. "${top_srcdir:=.}/tests/house/planting.sh"

# says PATTERN CLAIM REPORT: the report on the copy prints such a line.
says() {
	found=$(sh "$3" "$copy")
	echo "$found" | grep -Eq -e "$1"
	ok $? "$2"
}

### Lists

finds_none "the lists have every source and test, and nothing else" \
	"$house/sources.sh" "$top_srcdir"
copy_tree
finds_none "and so does that of a small tree" "$house/sources.sh" "$copy"

for file in src/base/new.c src/base/new.h include/pavane/new.h \
	tests/base/test_new.c tests/house/new.sh; do
	copy_tree
	plant "$file" ''
	finds "$file: is in no sources.am" "finds $file, which is not listed" \
		"$house/sources.sh" "$copy"
done
for file in src/base/str.c include/pavane/pavane.h tests/base/test_str.c; do
	copy_tree
	rm "$copy/$file"
	finds "${file%.c}(.c)?: is listed and does not stand" \
		"finds $file, which is listed and missing" \
		"$house/sources.sh" "$copy"
done
copy_tree
plant Makefile.am 'fuzzers = tests/fuzz/odd-name' \
	'tests_fuzz_odd_name_SOURCES = tests/base/test_str.c'
sh "$house/sources.sh" "$copy" | grep -q odd
ok $((! $?)) "a program may be made of sources of other names"
copy_tree
plant src/base/old.c ''
plant src/base/sources.am '# src/base/old.c'
finds 'src/base/old.c: is in no sources.am' \
	"finds a source that only a comment lists" "$house/sources.sh" "$copy"

copy_tree
plant src/base/new.c ''
plant src/new/sources.am 'librooms_la_SOURCES += src/base/new.c'
finds 'src/base/new.c: is in no sources.am' \
	"finds a source in a list that nothing includes" \
	"$house/sources.sh" "$copy"
finds 'src/new/sources.am: is in no sources.am' "and such a list" \
	"$house/sources.sh" "$copy"
copy_tree
rm "$copy/src/base/sources.am"
finds 'src/base/sources.am: is listed and does not stand' \
	"finds a list that is included and missing" \
	"$house/sources.sh" "$copy"

### Dictionaries

lacking=$(sh "$top_srcdir/tests/fuzz/run" --lacking)
test -z "$lacking"
ok $? "each fuzz target has a dictionary"
remark "$lacking"
fuzz=$temporary/fuzz
mkdir "$fuzz"
cp "$top_srcdir/tests/fuzz/run" "$fuzz"
: >"$fuzz"/fuzz_new.c
: >"$fuzz"/fuzz_url.c
: >"$fuzz"/url.dict
test "$(sh "$fuzz/run" --lacking)" = "$(printf 'new\nurl')"
ok $? "one without is found, and one whose dictionary is empty"

### Claims

copy_tree
plant tests/base/test_new.c ''
plant tests/base/sources.am 'unit_tests += tests/base/test_new'
finds 'tests/base/test_new: has no row in tests/claims' \
	"finds a test whose claims nobody counts" "$house/sources.sh" "$copy"
copy_tree
plant tests/claims 'tests/base/test_old 5'
finds 'tests/base/test_old: has a row in tests/claims, and no source' \
	"finds claims without a test" "$house/sources.sh" "$copy"

### Tests of that name

found=$(sh "$house/untested.sh" "$top_srcdir")
ok $? "sources without a test of their name are reported"
remark "$found"
copy_tree
plant src/base/new.c ''
says 'src/base/new.c: has no tests/base/test_new.c' \
	"reports a new source without a test" "$house/untested.sh"

### Sizes

found=$(sh "$house/sizes.sh" "$top_srcdir")
ok $? "what has grown large is reported"
remark "$found"

# A function of so many lines, with its braces.
long_function() {
	printf 'static int thing(int a,\n    int b)\n{\n'
	i=2
	while [ $i -lt "$1" ]; do
		printf '\ta++;\n'
		i=$((i + 1))
	done
	printf '}\n'
}

# A copy whose only new file is what the input says.
copy_with_input() {
	copy_tree
	cat >"$copy/src/base/new.c"
}

long_function 61 | copy_with_input
says '^src/base/new.c:3: thing: 61 lines$' "reports a long function" \
	"$house/sizes.sh"
long_function 60 | copy_with_input
sh "$house/sizes.sh" "$copy" | grep -q base/new
ok $((! $?)) "and none that is not"
for i in 1 2 3 4 5 6 7; do long_function 58; done | copy_with_input
says '^src/base/new.c:420: 420 lines$' "reports a long file" "$house/sizes.sh"
printf 'int f(int a, int b, int c, int d, int e, int f)\n{\n}\n' |
	copy_with_input
says 'f: 6 parameters' "reports many parameters" "$house/sizes.sh"
printf 'int f(int a)\n{\n\tif (a)\n\t\tif (a)\n\t\t\tif (a)\n\t\t\t\tif (a)\n\t\t\t\t\ta++;\n}\n' |
	copy_with_input
says 'f: 4 deep' "reports deep nesting" "$house/sizes.sh"
{
	printf 'int f(int a)\n{\n\treturn "a && b"'
	for i in 1 2 3 4 5; do printf ' && a || a ? a : a && a'; done
	printf ';\n}\n'
} | copy_with_input
says 'f: 21 turns' "reports many turns" "$house/sizes.sh"

tap_done
