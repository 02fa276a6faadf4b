#!/bin/sh
# The manual as a web site (make html), served: `pavane links` finds it whole.

. "${top_srcdir:=.}/tests/cli/program.sh"

command -v mandoc >/dev/null || skip_all "there is no mandoc"
command -v python3 >/dev/null || skip_all "there is no python3 to serve files"

build=$(dirname "$pavane")/doc
sh "$top_srcdir/doc/html.sh" site "$top_srcdir/doc/manual.css" \
	"$build"/pavane*.[135] >out 2>err
status=$?
exits 0 "there are pages"
silent err "and nothing is said"
ls site/*.html >pages
[ "$(wc -l <pages)" -eq $(($(ls "$build"/pavane*.[135] | wc -l) + 1)) ]
ok $? "one for each of the manual, and an index"

grep -q '<a href="index.html">User commands</a>' site/pavane-stop.1.html
ok $? "each leads back to the index"

python3 -u -m http.server 0 --bind 127.0.0.1 --directory site >served 2>/dev/null &
server=$!
trap 'kill $server; wait $server; rm -rf "$work"' EXIT
while kill -0 $server && [ ! -s served ]; do
	sleep 0.02
done
port=$(sed 's/.* port \([0-9]*\).*/\1/' served)

copy() {
	run mirror "http://127.0.0.1:$port/" -q -o "$1" --set politeness.delay=1ms \
		--set politeness.delay_factor=0 --set politeness.ip_delay=1ms
}

copy whole
exits 0 "it is copied"
find whole/site -name '*.html' >copied
[ "$(wc -l <copied)" -eq "$(wc -l <pages)" ]
claim $? "all pages are reached from the index"
[ -s "$(find whole/site -name manual.css)" ]
claim $? "and so are their styles"
run links whole --broken
exits 0 "no link is broken"

rm site/pavane-links.1.html
copy broken
run links broken --broken
exits 1 "one is where a page is missing"
says out '/pavane-links.1.html$' "and is named"
tap_done
