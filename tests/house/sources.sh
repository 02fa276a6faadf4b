#!/bin/sh
# sources.sh TREE: prints a line for each source and test that stands in TREE
# and not in its Makefile.am or in the sources.am of a room, or the other way
# round, and says with its status whether there was none. What is not listed is
# not built, not tested, and missing from the tarball. A test also has a row in
# tests/claims, for how many claims it makes at least.

set -eu
cd "$1"

# Makefile.am and what it includes.
lists() {
	echo Makefile.am
	sed -n 's/^include //p' Makefile.am
}

# Every word of the lists that could be a file of ours, and then what stands.
words() {
	lists | xargs sed 's/#.*//' | tr -s ' \t\\=' '\n' | sort -u
}

standing() {
	find src include tests -name '*.[ch]' -o -path 'tests/*.sh' \
		-o -name sources.am | sort
}

tests() {
	find tests -name 'test_*.c' -o -name 'test_*.sh' | sort
}

{
	words | sed 's/^/word /'
	find src include tests | sed 's/^/file /'
	standing | sed 's/^/source /'
	sed '/^#/d; s/^/row /' tests/claims
	tests | sed 's/^/test /'
} | awk '
	$1 == "word" { words[$2] = 1 }
	$1 == "file" { files[$2] = 1 }

	# A test program is listed by its name, without .c.
	$1 == "source" {
		program = $2
		sub(/\.c$/, "", program)
		if (!($2 in words) && !(program in words))
			fault($2 ": is in no sources.am, nor in Makefile.am")
	}

	$1 == "row" { rows[$2] = 1 }

	$1 == "test" {
		name = $2
		sub(/\.(c|sh)$/, "", name)
		if (!(name in rows))
			fault(name ": has no row in tests/claims, which is \"" \
				name " CLAIMS\"")
		tests[name] = 1
	}

	function fault(line) {
		print line
		faults++
	}

	# A program may be made of sources of other names, and a file by a rule.
	function is_made(file,  variable) {
		variable = file
		gsub(/[^A-Za-z0-9]/, "_", variable)
		return (variable "_SOURCES") in words || (file ":") in words
	}

	END {
		for (word in words)
			if (word ~ /^(src|include|tests)\/.*[^:]$/ &&
			    !(word in files) && !((word ".c") in files) &&
			    !is_made(word))
				fault(word ": is listed and does not stand")
		for (name in rows)
			if (!(name in tests) && !is_made(name))
				fault(name ": has a row in tests/claims, and no source")
		exit faults > 0
	}'
