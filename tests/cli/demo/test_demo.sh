#!/bin/sh
# `pavane demo`: everything at once, on this machine. The site itself holds the
# crawl to P1, P4 and P7.

. "${top_srcdir:=.}/tests/cli/program.sh"

run demo -o here
exits 0 "the demo goes as it should"
[ "$(head -n 1 out)" = "directory: here" ]
claim $? "its directory is said first"
for text in 'the crawl was completed' 'robots.txt was requested first' \
	'no page that it forbids was requested' 'ms of rest before each$' \
	'only after its Retry-After' 'none without need' \
	'is in the journal, with its reason'; do
	says out "^  yes +.*$text" "the site agrees: $text"
done
says out '^Finished after ' "it finishes"
says out '^All checks passed\.' "and says so"
says out "^  open       file://$work/here/index.html\$" "and where to look"
says out "^  start page file://$work/here/site/.*index.html\$" \
	"and where the mirror begins"
# What changes from run to run is left out.
plain() {
	sed -E -e '/^[0-9]+ of [0-9]+ done/d' -e 's#/[^ ]*/(pavane-demo|here)[^/ ]*#DIR#g' \
		-e 's#^(directory:) .*#\1#' -e 's/[0-9]+([.][0-9]+)*/N/g' \
		-e 's/ +/ /g' -e '/^All checks/,$d' -e '/^$/d'
}
sed -n 's/^<text[^>]*>\(.*\)<\/text>$/\1/p' "$top_srcdir/doc/demo-end.svg" |
	sed -e 1d -e 's/&#x27;/'"'"'/g' -e 's/&lt;/</g' -e 's/&gt;/>/g' \
		-e 's/&amp;/\&/g' | plain >drawn
plain <out >printed
cmp -s drawn printed
claim $? "doc/demo-end.svg shows the same (doc/screenshots.py draws it)"
grep -q '<meta name="generator" content="pavane ' here/index.html
claim $? "the page that leads to it is there"
page=$(find here/site -name 'pavane.html')
[ -n "$page" ] && grep -q 'A procession of couples' "$page"
claim $? "its pages are there"
page=$(find here/site -name 'tempo.html')
[ -n "$page" ] && grep -q 'somebody waited' "$page"
claim $? "the one that was busy among them"
[ -z "$(find here/site -name 'rehearsal.html')" ]
claim $? "and none that robots.txt forbids"
run demo -q -o quiet
exits 0 "it goes as it should in silence"
silent out "which says nothing"
silent err "at all"
TMPDIR=$work run demo --json
exits 0 "and in JSON"
[ "$(grep -vc '^{.*}$' out)" -eq 0 ] && [ -s out ]
claim $? "with nothing else beside it"
{
	status=0
	"$pavane" demo -o piped 2>&1 || status=$?
	echo "$status" >status
} | head -n 1 >out
status=$(cat status)
: >err
exits 0 "who reads a line and goes away does not end it"
[ "$(cat out)" = "directory: piped" ]
claim $? "the line was the first"
for port in '' x -1 80x 65536; do
	run demo --serve "$port"
	exits 2 "'$port' is no port"
	says err '^pavane: --serve needs a port' "which is said"
done
"$pavane" demo --serve 0 >out 2>err &
site=$!
while kill -0 $site 2>/dev/null && [ ! -s out ]; do
	sleep 0.02
done
says out '^http://127\.0\.0\.1:[0-9]+/ is served until you press Ctrl\+C$' \
	"the site alone can be served, and its address is printed"
address=$(sed 's/ .*//' out)
run mirror "$address" -o served -q --contact me@example.org \
	--set politeness.delay=0 --set politeness.ip_delay=0 \
	--set politeness.backoff.failure=100ms \
	--set politeness.backoff.overload=200ms
exits 0 "it can be mirrored"
[ -n "$(find served/site -name 'minuet.html')" ]
claim $? "with its pages"
status=0
kill -TERM $site
wait $site || status=$?
exits 0 "a signal ends it"
tap_done
