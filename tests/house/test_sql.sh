#!/bin/sh
# Only the rooms that own the tables speak SQL, and only the room that chooses the
# engine of the frontier knows which it is.

. "${top_srcdir:=.}/tests/house/planting.sh"

# planted CLAIM FILE LINE: that line more in the file is found as a fault.
planted() {
	copy_tree
	plant "$2" "$3"
	finds "$2:[0-9]+: speaks SQL" "finds $1" "$house/sql.sh" "$copy"
}

# allowed CLAIM FILE LINE: it is not.
allowed() {
	copy_tree
	plant "$2" "$3"
	finds_none "$1" "$house/sql.sh" "$copy"
}

finds_none "no room but store, frontier and fleet speaks SQL, nor knows the engine" \
	"$house/sql.sh" "$top_srcdir"

planted "a question" src/base/str.c 'const char *q = "SELECT 1";'
planted "a change" src/base/str.c '	    "UPDATE copies SET file = ?1"'
planted "a transaction" src/base/str.c 'run("BEGIN");'
planted "SQL in a header" src/base/str.h '#define Q "DELETE FROM seen"'
planted "a prepared statement" src/base/str.c '	pv_statement_run(row);'
planted "its header" src/base/str.c '#include "store/statement.h"'
planted "a number that SQL tells" src/base/str.c \
	'	return pv_database_number(database, sql);'
planted "it in a room below a room" src/base/deep/new.c 'char q[] = "SELECT 1";'

# engine_found CLAIM FILE: an include of the engine there is found as a fault.
engine_found() {
	copy_tree
	plant "$2" '#include "frontier/sqlite/engine.h"'
	finds "$2:[0-9]+: only crawl/run may include the engine" "finds $1" \
		"$house/sql.sh" "$copy"
}

engine_found "the engine in another room" src/explain/new.c
engine_found "it in another room of the conductor" src/crawl/visit/new.c
engine_found "it in a header" src/explain/new.h
engine_found "it where the table of functions stands" src/frontier/new.h
engine_found "it in a room whose name begins in the same way" \
	src/crawl/runner/new.c

allowed "the engine may include its own headers" src/frontier/sqlite/new.c \
	'#include "frontier/sqlite/tables.h"'
allowed "the room that chooses the engine may include it" \
	src/crawl/run/new.c '#include "frontier/sqlite/engine.h"'
allowed "the room store may" src/store/new.c 'char q[] = "SELECT 1";'
allowed "the room frontier may" src/frontier/new.c 'pv_statement_step(row);'
allowed "a sentence is no SQL" src/base/str.c 'char q[] = "SELECTED";'
allowed "a method of HTTP is none" src/base/str.c '{"DELETE", PV_DELETE},'
allowed "a database may be opened and closed by anybody" \
	src/base/str.c 'pv_database_close(database);'

tap_done
