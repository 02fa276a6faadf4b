#!/bin/sh
# Who may include whom is written in src/ROOMS, and holds.

. "${top_srcdir:=.}/tests/house/planting.sh"

# planted CLAIM PATTERN FILE LINE...: so many lines more in that file are found
# as a fault.
planted() {
	claim=$1
	pattern=$2
	shift 2
	copy_tree
	plant "$@"
	finds "$pattern" "finds $claim" "$house/rooms.sh" "$copy"
}

# The last lines of ROOMS are rooms of the test's own, so that they may name
# any other.
planted_room() {
	claim=$1
	pattern=$2
	line=$3
	copy_tree
	mkdir -p "$copy/src/${line%%:*}"
	plant src/ROOMS "$line"
	finds "$pattern" "finds $claim" "$house/rooms.sh" "$copy"
}

finds_none "every include is one that src/ROOMS allows" \
	"$house/rooms.sh" "$top_srcdir"

planted "an include of a room further up" \
	'src/base/str.c:[0-9]+: base may not include "api/version.h"' \
	src/base/str.c '#include "api/version.h"'
planted "it in a header" \
	'src/base/str.h:[0-9]+: base may not include "cli/x.h"' \
	src/base/str.h '#include "cli/x.h"'
planted "it behind spaces and a comment" \
	'src/base/str.c:[0-9]+: base may not include "cli/x.h"' \
	src/base/str.c ' #  include	"cli/x.h" /* only this once */'
planted "the program looking into the library" \
	'src/cli/main.c:[0-9]+: cli may not include "base/str.h"' \
	src/cli/main.c '#include "base/str.h"'
planted "the public header looking into the library" \
	'pavane.h:[0-9]+: pavane may not include "base/str.h"' \
	include/pavane/pavane.h '#include "base/str.h"'
planted "another room's library" \
	'<jansson.h> is foreign, and not of cli' \
	src/cli/main.c '#include <jansson.h>'
planted "nobody's library" \
	'<curl/curl.h> is foreign, and not of base' \
	src/base/str.c '#include <curl/curl.h>'
planted "a library in quotes" \
	'"pcre2.h" is not "room/file.h"' \
	src/base/pattern/pattern.c '#include "pcre2.h"'
planted "a header named without its room" \
	'"str.h" is not "room/file.h"' \
	src/base/buf.c '#include "str.h"'
planted "a way around" \
	'"../api/x.h" is not "room/file.h"' \
	src/base/buf.c '#include "../api/x.h"'
planted "a header of ours in angle brackets" \
	'<api/x.h> is foreign' \
	src/base/buf.c '#include <api/x.h>'
planted "an include that only a compiler can read" \
	'cannot be read: #include HEADER' \
	src/base/buf.c '#include HEADER'
planted "config.h in a header" \
	'src/base/str.h:[0-9]+: config.h belongs into a .c file' \
	src/base/str.h '#include "config.h"'

planted "a room without a line" \
	'src/attic has no line' src/attic/trunk.c ''
planted "a source outside the rooms" \
	'src/stray.c has no line' src/stray.c ''
planted "a line without a room" \
	'cellar is no directory' src/ROOMS 'cellar: base |'
planted "two lines for one room" \
	'base has two lines' src/ROOMS 'base: |'
planted "a line that cannot be read" \
	'src/ROOMS: not "room: rooms \| headers": attic base' \
	src/ROOMS 'attic base'

planted_room "a room naming one that does not stand above it" \
	'attic names tower, which does not stand above it' 'attic: tower |'
planted_room "a room naming itself" \
	'attic names attic, which does not stand above it' 'attic: attic |'

# Rooms within rooms: each knows those of its house by name, and who stands below
# the house may know all of them.
inner='attic/floor: base |
attic/roof: base attic/floor | curl/curl.h
attic: attic/roof |
tower: attic |
barn/loft: base |
shed: barn |'

# planted_inner CLAIM PATTERN FILE LINE: the same in a copy with such rooms.
planted_inner() {
	claim=$1
	pattern=$2
	shift 2
	copy_tree
	mkdir -p "$copy/src/attic/floor" "$copy/src/attic/roof" "$copy/src/tower" \
		"$copy/src/barn/loft" "$copy/src/shed"
	plant src/ROOMS "$inner"
	[ $# -eq 0 ] || plant "$@"
	if [ -n "$pattern" ]; then
		finds "$pattern" "finds $claim" "$house/rooms.sh" "$copy"
	else
		finds_none "$claim" "$house/rooms.sh" "$copy"
	fi
}

planted_inner "rooms within a room stand like others" ''
planted_inner "one may include another that it names" '' \
	src/attic/roof/x.c '#include "attic/floor/y.h"'
planted_inner "and a foreign header of its own" '' \
	src/attic/roof/x.c '#include <curl/curl.h>'
planted_inner "who names the house may include each of its rooms" '' \
	src/tower/x.c '#include "attic/floor/y.h"'
planted_inner "an include of an inner room further up" \
	'attic/floor may not include "attic/roof/y.h"' \
	src/attic/floor/x.c '#include "attic/roof/y.h"'
planted_inner "one of a room of the same house that the line does not name" \
	'attic may not include "attic/floor/y.h"' \
	src/attic/x.c '#include "attic/floor/y.h"'
planted_inner "a library of another room of the house" \
	'<curl/curl.h> is foreign, and not of attic/floor' \
	src/attic/floor/x.c '#include <curl/curl.h>'
planted_inner "an inner room naming a house that does not stand above it" \
	'cellar names lodge, which does not stand above it' \
	src/ROOMS 'cellar: lodge |'
planted_inner "rooms of a house that stand apart" \
	'attic/window stands apart from the other rooms of attic' \
	src/ROOMS 'attic/window: base |'
planted_inner "that a room without a line shares that of its house" '' \
	src/attic/window/x.c '#include "attic/roof/y.h"'
planted_inner "a house that only has rooms needs no line" '' \
	src/shed/x.c '#include "barn/loft/y.h"'
planted_inner "no room within a room within a room" \
	'not "room: rooms . headers": attic/roof/tile: base' \
	src/ROOMS 'attic/roof/tile: base |'

copy_tree
sed 's/^fetch: /&robots /' "$top_srcdir/src/ROOMS" >"$copy/src/ROOMS"
finds 'fetch names robots, and both are workers' \
	"finds a worker naming another" "$house/rooms.sh" "$copy"

# What is new and right is not found.
copy_tree
plant src/ROOMS 'attic: base | curl/curl.h'
plant src/attic/trunk.c '#include "attic/trunk.h"' '#include <curl/curl.h>' \
	'#include <sys/stat.h>' '#include "base/str.h"' '#include "config.h"'
finds_none "a new room needs one line" "$house/rooms.sh" "$copy"

tap_done
