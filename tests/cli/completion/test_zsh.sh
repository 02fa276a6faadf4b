#!/bin/sh
# `pavane completion zsh`: zsh offers what the table has.

. "${top_srcdir:=.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/completion/offers.sh"

command -v zsh >/dev/null || skip_all "there is no zsh"
zsh -f -c 'zmodload zsh/zpty && autoload +X -Uz compinit' 2>/dev/null ||
	skip_all "this zsh has no completion system"

ask() {
	zsh -f "$top_srcdir/tests/cli/completion/zsh_offers.zsh" \
		"$1" "$work/asked" && cat asked
}

compare_offers zsh
head -n 1 script | grep -qx '#compdef pavane'
ok $? "its completion system finds the script by its first line"
tap_done
