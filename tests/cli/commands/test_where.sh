#!/bin/sh
# `pavane where`: which file of a mirror has an address, and back; P4 where
# there is none.

. "${top_srcdir:=.}/tests/cli/program.sh"

run demo -q -o here
exits 0 "there is a mirror"
file=$(find here/site -name pavane.html)
host=$(sed -n 's/.*"\(http:[^"]*\)\/dances\/pavane.html".*/\1/p' \
	here/journal.jsonl | head -n 1)

run where here "$host/dances/pavane.html#steps"
exits 0 "an address is found"
[ "$(cat out)" = "$file" ] && [ -f "$file" ]
claim $? "and its file is printed as it can be opened"
silent err "with nothing else"
run where here "$file"
[ "$(cat out)" = "$host/dances/pavane.html" ]
claim $? "a file has its address"
run where "$work/here/" "file://$work/$file"
[ "$(cat out)" = "$host/dances/pavane.html" ]
claim $? "as a browser calls it, too"
run where here "$host/dances/tarantella.html"
exits 1 "what there is not ends with 1"
silent out "and prints nothing"
says err ': answered 404 \(not found\)$' "but why"
run where here "$host/dances/slow.html"
says err ': answered 301, redirected to .*' "a redirect is told"
stub=$(grep -l 'content="pavane stub"' -r here/site | head -n 1)
run where here "$stub"
exits 0 "what leads on in its place has its address"
[ -n "$stub" ] && [ "$(cat out)" = "$host/dances/slow.html" ]
claim $? "the one that was redirected"
says err ': answered 301, redirected to .*, which is stored in ' "and is told for that"
run where here here/index.html
exits 1 "a page that is nobody's has none"
run where here "$host/logout"
says err ': left out: .*rule 1\)$' "and what was refused, with the rule"
run where here "$host/dances/pavane.html" "$host/never" "$host/"
exits 1 "one that is missing counts"
[ "$(wc -l <out)" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]
claim $? "and the others are found"
run where here --json "$file" "$host/never"
exits 1 "the same in JSON"
grep -Fq "{\"asked\":\"$file\",\"found\":true,\"url\":\"$host/dances/pavane.html\",\"file\":\"$file\",\"fate\":\"good\"," out
claim $? "has a line for what there is"
says out '"found":false,"url":"[^"]*/never","fate":"unseen",' \
	"and for what there is not"
run where here
exits 2 "a directory alone is wrong usage"
run where not-there http://a.example/
exits 1 "what is no crawl ends with 1"
says err "is not a crawl's directory" "and is told"
run where here ftp://a.example/
exits 2 "what is neither is wrong usage"
tap_done
