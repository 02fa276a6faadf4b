#!/bin/sh
# The progress of crawls that nobody runs.

. "${top_srcdir:-.}/tests/cli/program.sh"

run status
exits 2 "status needs a directory"
says err "^pavane: status needs a crawl's directory: pavane status DIR\.\.\.$" \
	"which is said"

# Port 9 answers nobody.
for name in a 'b "c"'; do
	run mirror http://127.0.0.1:9/ -o "$name" -q --set limits.wait=1s
done
run status a 'b "c"'
exits 0 "several crawls are shown"
says out "^a: " "the first"
says out "^'b \"c\"': " "and the second"
[ "$(grep -c '^$' out)" -eq 1 ]
claim $? "with an empty line between them"
run status a nowhere 'b "c"'
exits 1 "where there is no crawl the status says so"
says err "nowhere.* is not a crawl's directory" "with the reason"
says out "^'b \"c\"': " "and the others are shown all the same"
run status --json a 'b "c"'
exits 0 "several are shown as JSON"
[ "$(wc -l <out)" -eq 2 ] && [ "$(grep -c '^{.*}$' out)" -eq 2 ]
claim $? "a line each"
says out ',"directory":"b \\"c\\""}$' "which names the directory"
tap_done
