#!/bin/sh
# `pavane completion bash`: bash offers what the table has.

. "${top_srcdir:=.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/completion/offers.sh"

command -v bash >/dev/null || skip_all "there is no bash"

# bash calls the function so when the Tab key is pressed.
cat >ask.bash <<'EOF_ASK'
source "$1"
while IFS= read -r line; do
	COMP_LINE=$line
	COMP_POINT=${#line}
	_pavane
	echo "== $line"
	printf '%s\n' "${COMPREPLY[@]}"
done
EOF_ASK

ask() {
	bash --norc --noprofile ask.bash "$1"
}

compare_offers bash

# At = and : readline begins a word; in a shell without these it does not.
sed -i 's/^source/COMP_WORDBREAKS=" "\n&/' ask.bash
echo 'pavane crawl --set=scope.hosts=si' | ask ./script >told
grep -qx -e '--set=scope.hosts=site' told
ok $? "a word is offered as a whole where = is no end of one"
echo "pavane status 'my cr" | ask ./script >told
grep -qx 'my crawl' told
ok $? "a directory is found behind a quote"
sed -i 's/^source/shopt -s failglob\n&/' ask.bash
echo 'pavane status none' | ask ./script >told 2>&1
[ "$(grep -c . told)" -eq 1 ]
ok $? "a pattern without a match is no failure where a person wants it to be one"
run completion bahs
exits 2 "another shell is wrong usage"
says err 'did you mean bash\?' "and the nearest is named"
run completion
exits 2 "and so is none"
tap_done
