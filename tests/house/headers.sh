#!/bin/sh
# headers.sh TREE: prints a line for each header of TREE that lacks its guard
# or does not compile alone, and says with its status whether there was none. A
# header that its own .c includes before all else compiles alone if that does.
#
# CC and house_flags are the compiler and what it needs to find the libraries.
# The public header must compile as C++ too, if CXX, or one of the usual
# names, is such a compiler.

set -eu
cd "$1"
: "${CC:=cc}" "${house_flags:=}"

headers() {
	find src include -name '*.h' | sort
}

# src/base/str.h -> base/str.h, as it is included
included_name() {
	echo "${1#*/}"
}

# src/base/str.h -> PAVANE_BASE_STR_H
guard_of() {
	name=$(included_name "$1")
	echo "pavane/${name#pavane/}" | tr 'a-z/.' 'A-Z__'
}

# The guard is the first thing in a header but comments, and its #endif the
# last.
check_guard() {
	awk -v file="$1" -v guard="$(guard_of "$1")" '
		{ gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "") }
		is_comment || /\/\*/ {
			is_comment = !/\*\//
			next
		}
		NF { line[++count] = $0 }
		END {
			if (line[1] == "#ifndef " guard &&
					line[2] == "#define " guard &&
					line[count] ~ /^#endif/)
				exit 0
			print file ": the guard ought to be " guard
			exit 1
		}' "$1"
}

# Twice, so that the guard is tried.
including() {
	printf '#include "%s"\n#include "%s"\n' "$1" "$1"
}

# Compiles alone what includes the header; $2 and what follows is the compiler.
check_alone() {
	header=$1
	shift
	if ! said=$(including "$(included_name "$header")" |
		"$@" -Isrc -Iinclude -D_GNU_SOURCE -Wall -Wextra -Werror \
			-fsyntax-only - 2>&1); then
		echo "$header: does not compile alone: $(echo "$said" |
			grep error: | head -n 1)"
		return 1
	fi
}

cxx_compiler() {
	for compiler in ${CXX:+"$CXX"} c++ g++ clang++; do
		if echo 'class x {};' |
			$compiler -x c++ -fsyntax-only - >/dev/null 2>&1; then
			echo "$compiler"
			return
		fi
	done
}

# Whether the first that the compiler reads of its .c file is this header.
comes_first() {
	[ "$(grep -m 1 '^#' "${1%.h}.c" 2>/dev/null)" = \
		"#include \"$(included_name "$1")\"" ]
}

check_header() {
	is_good=0
	check_guard "$1" || is_good=1
	! comes_first "$1" || return $is_good
	# CC and the flags are lists of words.
	# shellcheck disable=SC2086
	check_alone "$1" $CC $house_flags -std=c17 -x c || is_good=1
	return $is_good
}

status=0
for header in $(headers); do
	check_header "$header" || status=1
done
cxx=$(cxx_compiler)
if [ -n "$cxx" ]; then
	for header in $(headers | grep '^include/'); do
		# shellcheck disable=SC2086
		check_alone "$header" $cxx -pedantic -x c++ || status=1
	done
fi
exit $status
