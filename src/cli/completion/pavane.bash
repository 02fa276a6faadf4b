# Completion of pavane for bash, printed by `pavane completion bash`. It starts no
# program, and needs bash alone.

@TABLE@
# Takes the line up to the cursor apart as a shell does: `typed` gets its words
# without their quotes, and `kept` the length of what readline keeps of the last
# one.
_pavane_split() {
	local line=${COMP_LINE:0:COMP_POINT} quote='' letter word='' is_word=''
	typed=()
	kept=0
	while [[ $line ]]; do
		letter=${line:0:1}
		line=${line:1}
		if [[ $quote && $letter == "$quote" ]]; then
			quote=''
		elif [[ $letter == \\ && $quote != \' ]]; then
			word+=${line:0:1}
			line=${line:1}
			is_word=1
		elif [[ $quote ]]; then
			word+=$letter
		elif [[ $letter == [\'\"] ]]; then
			quote=$letter
			is_word=1
		elif [[ $letter == [[:space:]] ]]; then
			[[ $is_word ]] && typed+=("$word")
			word=''
			is_word=''
			kept=0
		else
			word+=$letter
			is_word=1
			[[ $COMP_WORDBREAKS == *"$letter"* ]] && kept=${#word}
		fi
	done
	typed+=("$word")
}

# Offers those of the words that begin with what is typed.
_pavane_offer() {
	local word
	for word; do
		[[ $word == "$value"* ]] || continue
		word=$lead$word
		COMPREPLY+=("${word:kept}")
	done
}

# Offers the files of a kind that begin with what is typed.
_pavane_paths() {
	local kind=$1 path=$value home='' found fails=''
	shopt -q failglob && shopt -u failglob && fails=1
	if [[ $path == \~/* ]]; then
		home=$HOME/
		path=${path:2}
	fi
	for found in "$home$path"*; do
		case $kind in
		file) [[ -e $found ]] ;;
		directory) [[ -d $found ]] ;;
		crawl) [[ -e $found/state.db ]] ;;
		esac || continue
		[[ $home ]] && found=\~/${found#"$home"}
		_pavane_offer "$found"
	done
	[[ $fails ]] && shopt -s failglob
	compopt -o filenames 2>/dev/null
}

# Offers the keys of a kind with a = behind each, and the words that may stand
# behind that of one.
_pavane_offer_keys() {
	local keys entry
	_pavane_keys "$1"
	if [[ $value != *=* ]]; then
		_pavane_offer "${keys[@]/%=*/=}"
		compopt -o nospace 2>/dev/null
		return
	fi
	for entry in "${keys[@]}"; do
		[[ ${entry%%=*} == "${value%%=*}" ]] || continue
		lead+=${value%%=*}=
		value=${value#*=}
		# The words have no spaces in them.
		# shellcheck disable=SC2086
		_pavane_offer ${entry#*=}
		return
	done
}

_pavane_offer_kind() {
	case $1 in
	file | directory) _pavane_paths "$1" ;;
	crawl)
		_pavane_paths crawl
		# The way to a crawl.
		[[ ${#COMPREPLY[@]} -gt 0 ]] || _pavane_paths directory
		;;
	word) _pavane_offer "${words[@]}" ;;
	key | host_key | live_key | service_key) _pavane_offer_keys "$1" ;;
	esac
}

# Sets `kind` to that of the argument of an option; false if there is no such
# option.
_pavane_find_option() {
	local option
	for option in "${options[@]}"; do
		if [[ ${option%%=*} == "$1" ]]; then
			kind=${option#*=}
			return 0
		fi
	done
	return 1
}

# Sets `kind` to that of the argument of this number; false if there are fewer.
_pavane_find_argument() {
	local last=$((${#arguments[@]} - 1))
	if [[ $1 -le $last ]]; then
		kind=${arguments[$1]%...}
	elif [[ $last -ge 0 && ${arguments[last]} == *... ]]; then
		kind=${arguments[last]%...}
	else
		return 1
	fi
}

# Walks along the words before the last one. Then `kind` is that of the last word
# where an option needs one, else empty, `number` that of the argument, and
# `is_ended` whether -- has ended the options.
_pavane_walk() {
	local word
	kind=''
	for word in "${typed[@]:1:${#typed[@]}-2}"; do
		if [[ $kind == host_key && ! $has_host ]]; then
			has_host=1
		elif [[ $kind ]]; then
			kind=''
			has_host=''
		elif [[ ! $is_ended && $word == -- ]]; then
			is_ended=1
		elif [[ ! $is_ended && $word == --domain=* ]]; then
			kind=host_key
			has_host=1
		elif [[ ! $is_ended && $word == -?* ]]; then
			_pavane_find_option "$word"
		elif [[ ! $command ]]; then
			command=$word
			_pavane_table "$command"
		else
			[[ $number -gt 0 ]] || _pavane_table "$command $word"
			number=$((number + 1))
		fi
	done
}

_pavane() {
	local typed kept options=() arguments=() words=()
	local kind='' has_host='' command='' is_ended='' number=0 lead='' value
	COMPREPLY=()
	_pavane_split
	_pavane_table ''
	_pavane_walk
	value=${typed[${#typed[@]} - 1]}
	if [[ $kind == host_key && ! $has_host ]]; then
		return
	elif [[ $kind ]]; then
		_pavane_offer_kind "$kind"
	elif [[ ! $is_ended && $value == --*=* ]]; then
		lead=${value%%=*}=
		_pavane_find_option "${value%%=*}" || return
		value=${value#*=}
		[[ $kind == host_key ]] || _pavane_offer_kind "$kind"
	elif [[ ! $is_ended && $value == -* ]]; then
		_pavane_offer "${options[@]%%=*}"
	elif _pavane_find_argument "$number"; then
		_pavane_offer_kind "$kind"
	fi
}

complete -F _pavane pavane
