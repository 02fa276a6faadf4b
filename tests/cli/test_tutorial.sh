#!/bin/sh
# doc/tutorial.md, typed: each command of its blocks is run, with the demo's
# site at a free port, and prints what stands below it. Numbers may differ,
# lines that show progress may come, and "..." stands for any lines.

. "${top_srcdir:=.}/tests/cli/program.sh"

PATH=$(dirname "$pavane"):$PATH
tutorial=$top_srcdir/doc/tutorial.md

# What is compared of a text: columns and numbers are not.
plain() {
	sed -E -e '/^[0-9]+ of [0-9]+ done, /d' \
		-e '/^(stopping: )?saving the state$/d' -e "s#$pavane#pavane#g" \
		-e 's/[0-9]+([.:-][0-9]+)*(ms|m [0-9]+s|m|s)?/N/g' -e 's/ +/ /g'
}

# matches EXPECTED ACTUAL: whether the lines are the same, but for "...".
matches() {
	awk 'NR == FNR { expected[++count] = $0; next }
	{ actual[++lines] = $0 }
	END {
		for (at = 1; at <= count; at++) {
			if (expected[at] == "...") {
				is_open = 1
				continue
			}
			while (is_open && line < lines &&
			    actual[line + 1] != expected[at])
				line++
			if (actual[++line] != expected[at] || line > lines)
				exit 1
			is_open = 0
		}
		exit !is_open && line != lines
	}' "$1" "$2"
}

# Runs what is in the file command, and compares with the file expected.
try() {
	command=$(sed "s/127\.0\.0\.1:8123/$authority/g" command)
	sh -c "$command" >out 2>&1 </dev/null
	: >err
	plain <expected >expected.plain
	plain <out >actual.plain
	matches expected.plain actual.plain
	claim $? "$(cat command)"
	typed=$((typed + 1))
}

pavane demo --serve 0 >served &
site=$!
trap 'kill $site; wait $site; rm -rf "$work"' EXIT
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
authority=$(sed 's#^http://\([^/]*\)/.*#\1#' served)

# A policy is saved under the name that stands before it.
sed "s/127\.0\.0\.1:8123/$authority/g" "$tutorial" | awk '
/^```/ { is_policy = $0 == "```yaml"; next }
is_policy { print >name }
match($0, /`[a-z]+\.yaml`:$/) { name = substr($0, RSTART + 1, RLENGTH - 3) }'

sed -n '/^```console$/,/^```$/{/^```console/!p}' "$tutorial" >blocks
typed=0
while IFS= read -r line <&3; do
	case $line in
	'$ '* | '```')
		[ ! -s command ] || try
		: >command
		: >expected
		[ "$line" = '```' ] || echo "${line#??}" >command
		;;
	*) echo "$line" >>expected ;;
	esac
done 3<blocks
[ "$typed" -eq "$(grep -c '^\$ ' "$tutorial")" ] && [ "$typed" -gt 10 ]
claim $? "each command was typed"

printf 'one\n...\nthree\n' >expected.plain
printf 'one\ntwo\nthree\n' >out
matches expected.plain out
ok $? "lines may be left out where dots stand"
printf 'one\ntwo\nfour\n' >out
! matches expected.plain out
ok $? "but no line may differ"
printf 'one\nthree\nfour\n' >out
! matches expected.plain out
ok $? "nor may one follow"
[ "$(wc -l <"$tutorial")" -le 200 ]
ok $? "the tutorial is short"
tap_done
