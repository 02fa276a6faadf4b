#!/bin/sh
# sources.sh TREE: prints a line for each source and test that stands in TREE
# and not in its Makefile.am, or the other way round, and says with its status
# whether there was none. What is not listed is not built, not tested, and
# missing from the tarball.

set -eu
cd "$1"

# Every word of Makefile.am that could be a file of ours.
words=$(sed 's/#.*//' Makefile.am | tr -s ' \t\\=' '\n' | sort -u)

lists() {
	echo "$words" | grep -Fqx -e "$1"
}

standing() {
	find src include tests -name '*.[ch]' -o -path 'tests/*.sh'
}

# A test program is listed by its name, without .c.
unlisted() {
	standing | sort | while read -r file; do
		lists "$file" || lists "${file%.c}" ||
			echo "$file: is not in Makefile.am"
	done
}

# A program may be made of sources of other names.
has_sources() {
	lists "$(echo "$1" | tr -c 'A-Za-z0-9\n' _)_SOURCES"
}

# What a rule of Makefile.am makes.
is_made() {
	lists "$1:"
}

unstanding() {
	echo "$words" | grep -E '^(src|include|tests)/.*[^:]$' |
		while read -r file; do
			[ -e "$file" ] || [ -f "$file.c" ] ||
				has_sources "$file" || is_made "$file" ||
				echo "$file: stands only in Makefile.am"
		done
}

faults=$(unlisted; unstanding)
[ -z "$faults" ] || { echo "$faults"; exit 1; }
