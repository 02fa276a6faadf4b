#!/bin/sh
# Only the rooms that own the tables speak SQL.

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

finds_none "no room but store and frontier speaks SQL" \
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

allowed "the room store may" src/store/new.c 'char q[] = "SELECT 1";'
allowed "the room frontier may" src/frontier/new.c 'pv_statement_step(row);'
allowed "a sentence is no SQL" src/base/str.c 'char q[] = "SELECTED";'
allowed "a database may be opened and closed by anybody" \
	src/base/str.c 'pv_database_close(database);'

tap_done
