#!/bin/sh
# abi.sh describe HEADERS LIBRARY: prints what programs know of the library: its
# functions, and the types of the headers in that directory (needs abidw).
# abi.sh compare REFERENCE HEADERS LIBRARY: prints what has changed since that
# was printed, as far as a program notices that was built then, and says with
# its status whether nothing has. What is new breaks no program: functions, and
# members at the end of a struct that may grow (doc/abi.md).
# abi.sh growing HEADERS: prints the names of the structs that may.
# abi.sh symbols VERSION LIBRARY: prints Debian's table of symbols; a symbol
# that stands in the table on the standard input keeps its version.
# abi.sh undeclared HEADERS LIBRARY: prints a line for each function that the
# library exports and no header declares, or the other way round, and says with
# its status whether there was none.
# abi.sh renew TREE VERSION LIBRARY: writes both files of the tree anew.
# abi.sh name LIBRARY: prints the name of Debian's package, such as libpavane0.

set -eu
kind=$1
shift
: "${NM:=nm}" "${READELF:=readelf}"

soname() {
	"$READELF" -dW "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]$/\1/p'
}

# libpavane.so.0 -> libpavane0
package_name() {
	soname "$1" | sed 's/\.so\./ /; s/\([0-9]\) /\1-/; s/ //'
}

# Its exported functions, each as NAME@NODE; without a map, as NAME.
exported() {
	# NM may hold a command with arguments.
	# shellcheck disable=SC2086
	$NM -D -P --defined-only "$1" |
		awk '$2 != "A" && $1 !~ /^__/ { print $1 }' |
		sed 's/@@/@/' | LC_ALL=C sort
}

# Types of ours that no header shows may change at any time, and so may the
# libraries that we need.
describe() {
	abidw --exported-interfaces-only --drop-private-types \
		--headers-dir "$1" --no-corpus-path --no-comp-dir-path \
		--no-show-locs --no-elf-needed --type-id-style hash "$2"
}

# Those that begin with their size, and those that the library alone makes.
growing() {
	printf 'pavane_%s\n' broken_link committed link page progress refusal refused status
	cat "$1"/*.h | awk '
		/^struct pavane_[a-z_]* {/ { name = $2; line = NR }
		/^\tsize_t size;/ && NR == line + 1 { print name }'
}

# A member that lies where there was padding is read from what a program never
# set.
is_in_padding() {
	awk '/type size has.*t changed/ { same = NR }
		/data member insertion/ && NR == same + 1 { found = 1 }
		END { exit !found }'
}

compare() {
	now=$(mktemp "${TMPDIR:-/tmp}/abi.XXXXXX")
	trap 'rm -f "$now" "$now.growing"' EXIT
	describe "$2" "$3" >"$now"
	printf '[suppress_type]\n  name_regexp = ^(%s)$\n%s\n' \
		"$(growing "$2" | tr '\n' '|')" \
		'  has_data_member_inserted_at = end' >"$now.growing"
	if ! said=$(abidiff --no-default-suppression --no-added-syms \
		--suppressions "$now.growing" "$1" "$now"); then
		echo "$said"
		return 1
	fi
	said=$(abidiff --no-default-suppression --no-added-syms "$1" "$now") ||
		if echo "$said" | is_in_padding; then
			echo "a new member lies in padding:"
			echo "$said"
			return 1
		fi
}

symbols() {
	package=$(package_name "$2")
	echo "$(soname "$2") $package #MINVER#"
	echo "* Build-Depends-Package: ${package%%[0-9]*}-dev"
	{
		sed -n 's/^ \([^ ]*\) \(.*\)/old \1 \2/p'
		exported "$2" | sed 's/^/now /'
	} | awk -v version="$1" '
		$1 == "old" { since[$2] = $3 }
		$1 == "now" {
			# Most linkers make a symbol of the node itself.
			node = $2
			sub(/.*@/, "", node)
			if (!is_told[node]++)
				tell(node "@" node)
			tell($2)
		}
		function tell(name) {
			print " " name, name in since ? since[name] : version
		}'
}

undeclared() {
	{
		# The service is the program's, which needs no symbols.
		find "$1" -name '*.h' ! -name serve.h -exec cat {} + |
			grep -o '\bpavane_[a-z0-9_]*(' |
			sed 's/($//; s/^/declared /'
		exported "$2" | sed 's/@.*//; s/^/exported /'
	} | awk '
		$1 == "declared" { is_declared[$2] = 1 }
		$1 == "exported" { is_exported[$2] = 1 }
		END {
			for (name in is_declared)
				if (!(name in is_exported))
					fault(name " is declared, not exported")
			for (name in is_exported)
				if (!(name in is_declared))
					fault(name " is exported, not declared")
			exit faults > 0
		}
		function fault(line) {
			print line
			faults++
		}'
}

# A file is not to be lost where what would replace it cannot be made.
renew() {
	package=$(package_name "$3")
	table=$1/debian/$package.symbols
	reference=$1/tests/house/$package.abi
	[ -f "$table" ] || : >"$table"
	symbols "$2" "$3" <"$table" >"$table.new"
	describe "$1/include/pavane" "$3" >"$reference.new"
	mv "$table.new" "$table"
	mv "$reference.new" "$reference"
}

case $kind in
describe) describe "$@" ;;
compare) compare "$@" ;;
growing) growing "$@" ;;
symbols) symbols "$@" ;;
undeclared) undeclared "$@" ;;
renew) renew "$@" ;;
name) package_name "$@" ;;
esac
