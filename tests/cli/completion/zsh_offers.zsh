# zsh -f zsh_offers.zsh SCRIPT FILE: reads lines, and writes to FILE for each what
# zsh offers when it stands at the prompt and the Tab key is pressed: the line after
# "== ", and the words, each with what is put behind it.
#
# Only a zsh that has a terminal completes: one runs on a pseudo-terminal, with
# the completion system and a compadd that tells what it gets. A script that is
# called _pavane is found by its name, others are read.

zmodload zsh/zpty
script=$1
file=$2
lines=("${(@f)$(cat)}")
print -rl -- $lines >$file.lines

tell() {
	autoload -Uz compinit
	fpath=(${1:h} $fpath)
	compinit -D -u
	[[ ${1:t} == _pavane ]] || source $1

	compadd() {
		local -a told
		local suffix
		# Calls that only sort words out.
		if (( ${@[(I)-[OAD]]} )); then
			builtin compadd "$@"
			return
		fi
		(( ${@[(i)-S]} < $# )) && suffix=${@[${@[(i)-S]} + 1]}
		builtin compadd -O told "$@"
		print -rl -- ${^told}$suffix >>$file
		builtin compadd "$@"
	}

	ask() {
		_main_complete
		compstate[insert]=
		compstate[list]=
	}

	ask_all() {
		local line
		while IFS= read -r line; do
			print -r -- "== $line" >>$file
			BUFFER=$line
			CURSOR=$#BUFFER
			zle ask
		done <$file.lines
		print done >$file.done
		BUFFER=exit
		zle accept-line
	}

	zle -C ask complete-word ask
	zle -N ask_all
	bindkey '^T' ask_all
}

: >$file
zpty told zsh -f -i
zpty -w told "file=${(q)file}"
zpty -w told "$(functions tell)"
zpty -w told "tell ${(q)script}"
zpty -w told "print ready >${(q)file}.ready"
zpty -w -n told $'\C-T'
# What it prints is read, so that it never waits.
while zpty -r told; do
	:
done >$file.seen 2>&1
