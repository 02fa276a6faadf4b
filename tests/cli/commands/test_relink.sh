#!/bin/sh
# `pavane relink`: the links of a mirror are made right, once, and it is said
# what was done.

. "${top_srcdir:=.}/tests/cli/program.sh"

run demo -q -o here
exits 0 "there is a mirror"
file=$(find here/site -name pavane.html)
address=$(sed -n 's/.*"\(http:[^"]*\/dances\/pavane.html\)".*/\1/p' \
	here/journal.jsonl | head -n 1)
leads_away() { grep -rFq "\"$address\"" here/site; }
! leads_away
claim $? "and no page leads into the web for what is there"

run relink here
exits 0 "all is linked already"
says out '^[0-9]+ documents, 0 of them with links that had to change$' \
	"so nothing changes"
silent err "and where there is no terminal, no progress is shown"

mv "$file" kept.html
run relink here
exits 0 "a file has gone"
says out '^[0-9]+ documents, [1-9][0-9]* of them with links that had' \
	"documents that led to it change"
leads_away
claim $? "to its address"

mv kept.html "$file"
run relink --json here
exits 0 "it is back"
says out '^\{"documents":[0-9]+,"changed":[1-9][0-9]*,"failed":0\}$' \
	"and they lead to it again, told in JSON"
! leads_away
claim $? "as before"
run relink -q here
silent out "-q says nothing"

mkdir empty
run relink empty
exits 1 "a directory without a crawl"
says err 'empty/policy.yaml: cannot be read' "is told"
run relink
exits 2 "and that one is missing"

tap_done
