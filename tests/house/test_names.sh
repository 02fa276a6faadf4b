#!/bin/sh
# What leaves an object is called pv_ or pavane_, and only the latter leaves
# the library; and no function is called that the house avoids.

. "${top_srcdir:=.}/tests/house/planting.sh"

archive=$top_builddir/.libs/librooms.a
program="$top_builddir/.libs/libcli.a $top_builddir/src/cli/pavane-main.o"
library=$top_builddir/.libs/libpavane.so
ours='^(pv_|pavane_)'
# The version of what is exported has a name, too (libpavane.map).
public='^(pavane_|PAVANE_0(@|$))'

# Compiles source text as the library is compiled, with further arguments for
# the compiler in front.
compile() {
	printf '%s\n' "$1" >"$temporary/planted.c"
	shift
	# CC and the flags are lists of words.
	# shellcheck disable=SC2086
	${CC:-cc} ${house_flags:-} -w -fPIC "$@" "$temporary/planted.c"
}

### Names

finds_none "every name that the library's objects share is pv_ or pavane_" \
	"$house/names.sh" exported "$ours" "$archive"
# shellcheck disable=SC2086 # Two files.
finds_none "and so in the program, main excepted" \
	"$house/names.sh" exported "$ours|^main\$" $program

# shellcheck disable=SC2086
finds_none "and none of them is the name of something in the library" \
	"$house/names.sh" twice "$archive" $program
compile 'void pv_buf_init(void) {}' -c -o "$temporary/planted.o"
finds 'pv_buf_init is exported twice' "finds one that is" \
	"$house/names.sh" twice "$archive" "$temporary/planted.o"

for source in 'void help(void) {}' 'int errors;' 'const int limit = 3;' \
	'__attribute__((weak)) void pvx(void) {}'; do
	compile "$source" -c -o "$temporary/planted.o"
	finds 'is exported, and does not match' "finds $source" \
		"$house/names.sh" exported "$ours" "$temporary/planted.o"
done
compile 'static int help(void) { return 1; } int pv_x(void) { return help(); }' \
	-c -o "$temporary/planted.o"
finds_none "what is static has any name" \
	"$house/names.sh" exported "$ours" "$temporary/planted.o"

if [ -f "$library" ]; then
	finds_none "the shared library exports pavane_ alone" \
		"$house/names.sh" shared "$public" "$library"
else
	skip "the shared library exports pavane_ alone" "it is not built"
fi
compile 'int pavane_x(void) { return 1; }
	__attribute__((visibility("default"))) int pv_x(void) { return 1; }' \
	-shared -o "$temporary/planted.so"
finds 'pv_x is exported' "finds a library that exports more" \
	"$house/names.sh" shared "$public" "$temporary/planted.so"

### Calls

finds_none "no source calls what the house avoids" \
	"$house/calls.sh" "$top_srcdir"

for call in 'strcpy(a, b);' 'n = sprintf (a, "%d", n);' 'x = atoi("1");' \
	'fn = strtok;' 'if (isdigit(c))' 'a(); /* why */ strcat(a, b);' \
	'f("a \" b", sscanf);'; do
	copy_tree
	plant src/base/str.c "$call"
	finds 'src/base/str.c:[0-9]+: [a-z]+$' "finds $call" \
		"$house/calls.sh" "$copy"
done
copy_tree
plant src/base/str.c '/* strcpy(a, b)' ' * atoi() */' '// gets()' \
	'f("strcpy(a, b)");' 'pv_strcpy(a, b);' 'snprintf(a, 1, "b");'
finds_none "words in comments and texts are no calls" \
	"$house/calls.sh" "$copy"

for call in 'now = pv_time_now();' 'a = uv_hrtime();' \
	'uv_timer_start(a, b, 1, 0);'; do
	copy_tree
	plant src/crawl/run/crawl.c "$call"
	finds 'src/crawl/run/crawl.c:[0-9]+: [a-z_]+$' \
		"finds $call, where a clock is given" "$house/calls.sh" "$copy"
done
copy_tree
plant src/fetch/fetch.c 'uv_timer_start(a, b, 1, 0);'
finds_none "and nothing where it is not" "$house/calls.sh" "$copy"
for file in src/fetch/easy.c src/api/mirror/links.c; do
	copy_tree
	plant "$file" 'now = pv_time_now();'
	finds "$file:[0-9]+: pv_time_now\$" \
		"only the files that are named may ask, not $file" \
		"$house/calls.sh" "$copy"
done
copy_tree
plant src/limiter/clock_file.c 'int took_ms;'
finds '^src/limiter/clock_file.c: asks no clock' \
	"a name that is not needed is found" "$house/calls.sh" "$copy"

tap_done
