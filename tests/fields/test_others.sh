#!/bin/sh
# Rows of hostile texts, as Python's own readers of JSON, CSV and SQLite see
# them: all three are the same.

. "${top_srcdir:=.}/tests/tap.sh"

python=
for one in python3 /usr/bin/python3; do
	"$one" -c 'import csv, json, sqlite3, sys; sys.exit(
		sys.version_info < (3, 11))' 2>/dev/null && python=$one && break
done
[ -n "$python" ] || skip_all 'python3 (3.11) and its sqlite3 are not installed'

directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT

./tests/fields/write_rows "$directory"
ok $? 'rows of hostile texts are written'

"$python" "$top_srcdir/tests/fields/read_rows.py" "$directory" \
	>"$directory/faults" 2>&1
ok $? 'JSON, CSV and SQLite give the same rows to Python'
remark "$(cat "$directory/faults")"

[ "$(tail -c 2 "$directory/fields/select.csv" | od -An -tx1 | tr -d ' ')" = 0d0a ]
ok $? 'lines of CSV end with CR LF'

[ "$(stat -c %a "$directory/fields/fields.db")" = 600 ]
ok $? 'only the owner may read the table'

tap_done
