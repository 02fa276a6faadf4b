#!/bin/sh
# README.md: its commands, options, policy and program are those that there are.

. "${top_srcdir:=.}/tests/cli/program.sh"

readme=$top_srcdir/README.md

# The lines of the block in that language.
block() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p}" "$readme"
}

sed -n 's/^| `pavane \([a-z]*\).*/\1/p' "$readme" | sort >told
run --help
sed -n 's/^  pavane \([a-z]*\)  *[A-Za-z[].*/\1/p' out | sort -u >there
[ -s told ] && cmp -s told there
claim $? "its table has each command of the program, and no other"

grep -oE '^    \./pavane .*|pavane [a-z]+ [^`|]*--[a-z-]+' "$readme" |
	sed 's#^ *\./##' >lines
while read -r name command rest; do
	run "$command" --help
	exits 0 "there is $name $command"
	for word in $rest; do
		case $word in
		--*)
			says out "[ ,]$word( |\$)" "$command has $word"
			;;
		esac
	done
done <lines
run mirror --help
tr '\n' ' ' <"$readme" | sed 's/.*Often used: \([^#]*\)\..*/\1/' |
	grep -oE '`--[a-z-]+' | tr -d '`' >options
while read -r word; do
	says out " $word( |\$)" "mirror has $word"
done <options
[ "$(wc -l <options)" -ge 5 ]
claim $? "and those are what is often used"

block yaml >policy.yaml
run check policy.yaml
exits 0 "its policy is valid"
says out 'rests 2s after an answer' "and says what stands there"
sed -i -e 's/delay: 2s/dely: 2s/' policy.yaml
run check policy.yaml
said=$(head -n 1 err)
tr '\n' ' ' <"$readme" | grep -qF "\`$said\`"
claim $? "a mistake in it is reported as it says"

block c >mirror.c
[ -s mirror.c ] && ${CC:-cc} -std=c17 -Wall -Wextra -Werror -fsyntax-only \
	-I"$top_srcdir/include" mirror.c 2>err
claim $? "its program compiles"
tap_done
