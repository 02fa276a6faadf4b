#!/bin/sh
# `crawl --stream KIND`: rows on the standard output once they are saved, and
# nothing else there.

. "${top_srcdir:=.}/tests/cli/program.sh"

# The site of the demonstration, whose pages have a heading each.
"$pavane" demo --serve 0 >served &
site=$!
trap 'kill $site; wait $site; rm -rf "$work"' EXIT
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
authority=$(sed 's#^http://\([^/]*\)/.*#\1#' served)

cat >policy.yaml <<END
seeds: ["http://$authority/"]
politeness: {delay: 0, ip_delay: 0, backoff: {overload: 100ms}}
pages:
  page: {match: {path: "/*"}, fields: {title: h1}}
  none: {match: {path: "/nowhere"}, follow: []}
END

run crawl policy.yaml -o here --stream page
exits 0 "a crawl prints rows, and finishes"
[ -s out ] && cmp -s out here/fields/page.jsonl
claim $? "they are those of the file, and nothing else is printed there"
says err '^Finished after ' "the summary is on the standard error"
says err '^  rows       page: [0-9]+ rows of [0-9]+ pages$' \
	"and counts the rows"

run crawl policy.yaml -o here --stream page
exits 0 "a crawl that is finished"
silent out "prints no row again"

"$pavane" crawl policy.yaml -o there --stream page 2>err </dev/null |
	head -n 1 >out
[ "$(wc -l <out)" -eq 1 ]
claim $? "whoever reads no further gets what was printed"
run status there
says out '^  rows       page: [0-9]+ rows' "and the crawl is not held up"

run crawl policy.yaml -o other --stream nope
exits 2 "a kind that the policy has not"
says err '^pavane: --stream nope: the policy has no kind of page nope with ' \
	"is told"
run crawl policy.yaml -o other --stream none
exits 2 "so is one without fields"
run crawl policy.yaml -o other --stream page --json
exits 2 "and two who want the same output"
[ ! -e other ]
claim $? "none of which begins a crawl"

tap_done
