#!/bin/sh
# hardened.sh layout FILE: prints a line for each protection that the layout of
# an ELF program or shared library lacks, and says with its status whether there
# was none.
# hardened.sh guards FILE: the same for the guards that compilers put into
# functions with arrays; a small program has no such function.

set -eu
kind=$1
file=$2
: "${READELF:=readelf}"

status=0

# wants TEXT PATTERN LACK: a line of the text matches.
wants() {
	if ! echo "$1" | grep -Eq -e "$2"; then
		echo "$file: $3"
		status=1
	fi
}

# What readelf says comes first into variables, so that a failing readelf is
# not taken for a lack.
check_layout() {
	header=$("$READELF" -hW "$file")
	segments=$("$READELF" -lW "$file")
	dynamic=$("$READELF" -dW "$file")
	wants "$header" 'Type: +DYN' "stands at a fixed address"
	wants "$segments" 'GNU_RELRO' "keeps its tables of pointers writable"
	wants "$dynamic" 'BIND_NOW|FLAGS_1.* NOW' "looks up functions late"
	wants "$segments" 'GNU_STACK.* RW ' "has a stack that can be executed"
}

check_guards() {
	symbols=$("$READELF" --dyn-syms -W "$file")
	wants "$symbols" ' __stack_chk_fail' "does not guard its stack"
	wants "$symbols" ' __[a-z]+_chk(@|$)' "does not check what it copies"
}

case $kind in
layout) check_layout ;;
guards) check_guards ;;
esac
exit $status
