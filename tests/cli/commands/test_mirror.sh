#!/bin/sh
# Where a mirror begins: addresses of a file, ranges, and those that are added to
# a mirror that is there.

. "${top_srcdir:-.}/tests/cli/program.sh"

"$pavane" demo --serve 0 >served 2>&1 &
site=$!
trap 'kill -9 $site 2>/dev/null; wait; rm -rf "$work"' EXIT
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
address=$(sed 's/ .*//' served)
bare=${address#http://}

mirror() {
	run mirror "$@" --contact me@example.org --set politeness.delay=0 \
		--set politeness.ip_delay=0 --set politeness.delay_factor=0 \
		--set politeness.backoff.failure=10ms \
		--set politeness.backoff.overload=10ms --depth 0 --no-requisites
}

# asked DIR: which pages have been asked for.
asked() {
	sed -nE 's|.*"url":"'"$address"'([^"]*)".*"status":.*|/\1|p' \
		"$1/journal.jsonl" | grep -v '^/robots.txt$\|css$\|svg$' |
		LC_ALL=C sort | tr '\n' ' '
}

### A list

printf '\357\273\277# a list\n\n  %s \r\n%smusic/viol.html\n' "$bare" "$address" \
	>list.txt
mirror -i list.txt -o listed
exits 0 "the addresses of a file are mirrored"
[ "$(asked listed)" = '/ /music/viol.html ' ]
claim $? "one a line, but for empty lines and comments"
"$pavane" mirror --input-file - -o piped --contact me@example.org --depth 0 \
	--set politeness.delay=0 --set politeness.ip_delay=0 --no-requisites \
	<list.txt >out 2>err
[ "$(asked piped)" = '/ /music/viol.html ' ]
claim $? "or of the standard input"
mirror "${address}dances/allemande.html" -i list.txt -o both
[ "$(asked both)" = '/ /dances/allemande.html /music/viol.html ' ]
claim $? "beside those of the command line"
printf '%s\n\nhttp://[x/\nftp://a.test/\n' "$address" >wrong.txt
mirror -i wrong.txt -o wrong
exits 2 "a list with mistakes is refused"
says err '^wrong.txt:3: http://\[x/: this address has no host' "with the line"
says err '^wrong.txt:4: ftp://a.test/: this is not an http' "of each mistake"
[ ! -e wrong ]
claim $? "and nothing is begun"
printf 'a\0b\n' >binary
mirror -i binary
exits 2 "what is no text is refused"
says err '^pavane: binary:1: holds a NUL' "which is said"
mirror -i nowhere.txt
exits 2 "so is a file that is not there"
says err '^pavane: nowhere.txt: No such file' "which is said"
: >empty
mirror -i empty
exits 2 "and one that lists nothing"
says err '^pavane: empty: no address is listed there' "which is said"
mirror list.txt
exits 2 "a list is no address"
says err 'if it lists addresses, write --input-file list.txt' \
	"and the option is named"
yes "${address}a" | head -n 100001 >long
mirror -i long
exits 2 "P5: a list that is too long is refused"
says err '^pavane: long:100001: more than 100000 addresses: put them' \
	"with what to do instead"

### Ranges

mirror "${address}dance[1-3].html?a[]=1" -o ranged
[ "$(asked ranged)" = \
	'/dance1.html?a[]=1 /dance2.html?a[]=1 /dance3.html?a[]=1 ' ]
claim $? "a range in brackets is expanded, other brackets are not"

### A mirror that is there

mirror "$address" -o m
exits 0 "a mirror is made"
mirror "${address}music/viol.html" -o m
exits 0 "and goes on with another address"
says out '^1 address is added to the crawl that is there$' "which is said"
[ "$(asked m)" = '/ /music/viol.html ' ]
claim $? "it is asked for"
says_not() {
	! grep -Eq -e "$2" "$1"
	claim $? "$3"
}
says_not err 'out of scope now' "P3: nothing falls out of its scope"
mirror "$address" -o m
says_not out 'is added' "the same address once more is no other"
says err 'nothing to do' "so there is nothing to do"
grep -q "^  - ${address}music/viol.html" m/policy.yaml
claim $? "P3: and what was added stays"
mirror "${address}dances/allemande.html" -o m --fresh --yes
says_not out 'is added' "a fresh start has that address alone"
[ "$(asked m)" = '/dances/allemande.html ' ]
claim $? "and asks for nothing else"
### Options of other tools

run mirror -m -np -w 2 --limit-rate=200k -R zip,iso -U bot/1 -l3 --tries 3 \
	-P stored http://localhost/ --print-policy
exits 0 "options of wget are understood"
for line in 'agent: bot/1  # -U bot/1' 'bandwidth: 200KiB/s  # --limit-rate' \
	'delay: 2s  # -w 2' 'below: true  # -np' 'depth: 3  # -l 3' \
	'deny: {ext: \[zip, iso\]}' 'retries: 2  # --tries 3'; do
	says out "$line" "as keys of the policy: $line"
done
run mirror -P stored http://localhost/ --dry-run
says out '^  directory    stored$' "-P names the directory"
run mirror -w 2 --delay 5s -o x --domain localhost delay=3s http://localhost/ \
	--print-policy
says out 'delay: 5s  # --delay' "our own options count before them"
says out '    delay: 3s  # --domain' "and keep their arguments"
run mirror -o -np http://localhost/ --dry-run
says out '^  directory    -np$' "whatever these look like"
run mirror http://localhost/ --dry-run -- -np
exits 2 "behind -- there are only addresses"
run mirror -O file http://localhost/
exits 2 "what means something else here is answered"
says err '^pavane: -O file: .*use -o DIR$' "with what does the same"
run mirror --random-agent http://localhost/
exits 2 "so is what is not done here"
says err '^pavane: --random-agent: never: servers are told who asks$' "why"
run mirror -k http://localhost/
exits 2 "and a letter that wget and curl read differently"
says err '^pavane: -k: .*write the long option$' "with the way out"
run mirror --wayt 2 http://localhost/
exits 2 "an option that nobody has is wrong"
run status -np .
exits 2 "commands that begin no crawl take none of them"
run from
exits 2 "from needs a command"
run from 'wget -m -np -w 2 docs.example.org/'
exits 0 "a command of wget is a policy"
says out "^  - 'https://docs.example.org/'\$" "with whole addresses"
mv out from.yaml
run check from.yaml --contact me@your.domain
exits 0 "that is right"
run from -- curl -L --limit-rate 1k http://localhost/
exits 0 "a command may be words"
says out '^  bandwidth: 1024B/s  # --limit-rate 1k$' "as they came"
run from 'aria2c http://localhost/'
exits 2 "of a tool that is not known nothing is guessed"
says err 'aria2c is no tool that is known here' "which is said"

tap_done
