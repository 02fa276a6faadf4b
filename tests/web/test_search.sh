#!/bin/sh
# The pages of the demo's mirror, searched in Chromium from its start page and
# from the list of pages, from the disk and served.

. "${top_srcdir:=.}/tests/cli/program.sh"

browser=$(command -v chromium || command -v chromium-browser) ||
	skip_all 'chromium is not installed'
command -v python3 >/dev/null || skip_all 'python3 is not installed'

# shows ADDRESS: the text of a page after its scripts have run, a line for each
# element, as the browser has it.
shows() {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--no-first-run --disable-background-networking \
		--user-data-dir="$work/profile" --virtual-time-budget=5000 \
		--dump-dom "$1" 2>/dev/null >dom || return 1
	sed -n '/<form/,/<\/form>/p' dom | sed 's/<li>/\n&/g' >out
}

shows 'data:text/html,<form>here</form>' && grep -q here out ||
	skip_all 'chromium does not run here'

TMPDIR=$work "$pavane" demo >demo 2>err </dev/null
directory=$(sed -n 's/^directory: //p' demo)
[ -f "$directory/pages/1.html" ]
claim $? 'the mirror of the demo has a list of pages'

shows "file://$directory/index.html#q=LUTE%20music"
says out 'role="status">1 page<' 'a search on the start page finds a page'
says out '<li><a href="site/[^"]*/music/lute.html">The lute</a>' \
	'by words of its title and its address, in any case'
! grep -q '<form[^>]*hidden' out
claim $? 'the search is shown, since scripts run'

shows "file://$directory/pages/1.html#q=the%20dances"
says out '<li><a href="\.\./site/[^"]*/dances/pavane.html">The pavane</a>' \
	'so does a search on the list'
says dom '<ul class="plain" hidden' 'which takes the place of the list'

shows "file://$directory/index.html#q=waltz"
says out 'role="status">0 pages<' 'what is not there is not found'

shows "file://$directory/index.html#q=%E0%A4"
says out 'role="status"><' 'a broken address searches for nothing'

sed 's/pavaneMore = false/pavaneMore = true/' "$directory/pages/search.js" \
	>more && cp more "$directory/pages/search.js"
shows "file://$directory/index.html#q=waltz"
says out '0 pages \(not all pages are listed\)' \
	'a list that is not whole says so'

rm "$directory/pages/1.js"
shows "file://$directory/index.html#q=lute"
says out 'not all of the list could be loaded' \
	'a part that is missing is reported'

cat >"$directory/pages/1.js" <<'END'
pavanePages(1, [["<img src=x onerror=alert(1)> <b>Café lute","http://a/<i>","x"]]);
END
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$directory" \
	>served 2>/dev/null &
server=$!
trap 'kill $server; wait $server; rm -rf "$work"' EXIT
while kill -0 $server && [ ! -s served ]; do
	sleep 0.02
done
port=$(sed 's/.* port \([0-9]*\).*/\1/' served)
shows "http://127.0.0.1:$port/index.html#q=CAFE%20lute"
says out 'role="status">1 page ' 'a mirror that is served is searched as well'
says out '&lt;img src=x onerror=alert\(1\)&gt; &lt;b&gt;Café lute</a>' \
	'without its accents, and what comes from the web is only text'
tap_done
