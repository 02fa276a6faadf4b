#!/bin/sh
# `pavane completion zsh`: zsh offers what the table has.

. "${top_srcdir:=.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/completion/offers.sh"

command -v zsh >/dev/null || skip_all "there is no zsh"
zsh -f -c 'zmodload zsh/zpty && zpty tried true && autoload +X -Uz compinit' 2>/dev/null ||
	skip_all "this zsh has no completion system, or no terminals"

ask() {
	zsh -f "$top_srcdir/tests/cli/completion/zsh_offers.zsh" \
		"$1" "$work/asked" && cat asked
}

compare_offers zsh
mkdir functions
mv script functions/_pavane
echo 'pavane mirror --dep' | ask "$work/functions/_pavane" >told
[ "$(sed 1d told | grep .)" = --depth ]
ok $? "installed, the script is found by its name"
tap_done
