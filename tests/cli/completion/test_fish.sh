#!/bin/sh
# `pavane completion fish`: fish offers what the table has.

. "${top_srcdir:=.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/completion/offers.sh"

command -v fish >/dev/null || skip_all "there is no fish"

cat >ask.fish <<'EOF_ASK'
source $argv[1]
while read -l line
	echo "== $line"
	complete -C $line
end
EOF_ASK

ask() {
	fish --no-config ask.fish "$1"
}

compare_offers fish
fish --no-config -c "source script; complete -C 'pavane mirror --de'" >told
grep -q "^--depth$(printf '\t')follow at most N links" told
ok $? "a sentence stands beside each"
tap_done
