#compdef pavane
# Completion of pavane for zsh, printed by `pavane completion zsh`. It starts no
# program.

@TABLE@
_pavane_is_crawl() {
	[[ -e $REPLY/state.db ]]
}

# The directory of a crawl, or, where there is none, the way to one.
_pavane_crawl() {
	_path_files -g '*(-/+_pavane_is_crawl)' || _path_files -/
}

# Keys of a kind with a = behind each, and the words that may stand behind that
# of one.
_pavane_offer_keys() {
	local -a keys named words_of
	local name entry
	_pavane_keys $1
	if [[ $PREFIX != *=* ]]; then
		for entry in $keys; do
			named+=("${entry%%=*}:${entry#*:}")
		done
		_describe -t keys key named -S = -q
		return
	fi
	name=${PREFIX%%=*}
	entry=${keys[(r)$name=*]}
	[[ -n $entry ]] || return 1
	words_of=(${(s: :)${${entry#*=}%%:*}})
	IPREFIX+=$name=
	PREFIX=${PREFIX#*=}
	(( $#words_of )) && compadd -a words_of
}

_pavane() {
	local curcontext=$curcontext state line ret=1
	typeset -A opt_args
	_arguments -C -S \
		'(-h --help)'{-h,--help}'[print this help]' \
		"(-V --version)"{-V,--version}"[print the program's version]" \
		'1: :->command' '*:: :->rest' && ret=0
	case $state in
	command) _pavane_commands && ret=0 ;;
	rest) _pavane_command $words[1] && ret=0 ;;
	esac
	return ret
}

# It is loaded by name, or read as a whole.
if [[ $funcstack[1] == _pavane ]]; then
	_pavane "$@"
else
	compdef _pavane pavane
fi
