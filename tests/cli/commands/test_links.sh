#!/bin/sh
# `pavane links --broken`: what could not be had, and where it stands.

. "${top_srcdir:=.}/tests/cli/program.sh"

run demo -q -o here
exits 0 "there is a mirror"
run links here --broken
exits 1 "its broken link ends it with 1"
says out '^http://.*/dances/tarantella.html$' "the address is told"
says out '^  answered 404 \(not found\)$' "and why"
says out '^  on http://.*/dances/, stored in here/site/.*/dances/index.html$' \
	"and the page that links to it, with its file"
says out '^1 address could not be fetched; 1[0-9] documents were read' \
	"and how much was looked at"
silent err "and nothing else"
run links here --broken --refused
says out '^  left out: .*rule 1\)$' "what a rule refused is told if asked for"
says out '^  left out: .*robots' "and what robots.txt did"
run links here --broken --json
[ "$(wc -l <out)" -eq 1 ]
claim $? "JSON is a line for each"
says out '^\{"url":".*tarantella.html","fate":"broken",.*"pages":\[\{.*\}\]\}$' \
	"with its pages"
run links here --broken --csv
[ "$(wc -l <out)" -eq 2 ] && [ "$(head -n 1 out)" = "url,what,why,page,file" ]
claim $? "CSV has a head, and a line for each page"
run links here --broken --csv --json
exits 2 "it is one or the other"
run links here
exits 2 "without --broken there is nothing to tell"
says err 'pavane links DIR --broken' "and it is said what there is"
run links
exits 2 "without a directory as well"
run links not-there --broken
exits 1 "what is no crawl ends with 1"
says err "is not a crawl's directory" "and is told"
run where here --broken http://a.example/
exits 2 "others do not take it"
tap_done
