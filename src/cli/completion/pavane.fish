# Completion of pavane for fish, printed by `pavane completion fish`. It starts no
# program.

# Where the cursor stands: "command", "COMMAND argument NUMBER FIRST", FIRST being
# the command's first argument, or "COMMAND key" behind the host of --domain.
function __pavane_place
	set -l typed (commandline -opc)
	set -l command
	set -l first
	set -l number 1
	set -l skipped 0
	set -l is_ended
	for word in $typed[2..-1]
		if test $skipped -gt 0
			set skipped (math $skipped - 1)
		else if test -z "$is_ended" -a "$word" = --
			set is_ended yes
		else if test -z "$is_ended"; and string match -q -- '--domain=*' "$word"
			set skipped 1
		else if test -z "$is_ended"; and string match -q -- '-?*' "$word"
			__pavane_takes_word $word
			and set skipped 1
			test "$word" = --domain
			and set skipped 2
		else if test -z "$command"
			set command $word
		else
			test $number -eq 1
			and set first $word
			set number (math $number + 1)
		end
	end
	if test -z "$command"
		echo command
	else if test $skipped -eq 1
		echo "$command key"
	else
		echo "$command argument $number $first"
	end
end

# Whether the cursor stands in such a place.
function __pavane_at
	string match -q -- $argv[1] (__pavane_place)
end

# What is typed of a word, without the option that it belongs to.
function __pavane_typed
	commandline -ct | string replace -r '^--[a-z-]+=' ''
end

# The directories of crawls, or, where there are none, the way to one.
function __pavane_crawls
	set -l typed (__pavane_typed | string unescape)
	set -l path (string replace -r '^~/' "$HOME/" -- $typed)
	set -l found $path*/state.db
	if set -q found[1]
		set found (string replace -r 'state\.db$' '' -- $found)
	else
		set found $path*/
	end
	if string match -q '~/*' -- $typed
		set found "~/"(string sub -s (math (string length -- $HOME/) + 1) -- $found)
	end
	printf '%s\n' $found
end

# The keys of a kind with a = behind each, or the words that may stand behind
# that of one.
function __pavane_offer_keys
	set -l typed (__pavane_typed)
	set -l name (string match -r '^[^=]+(?==)' -- $typed)
	__pavane_keys $argv[1] | while read -l -d \t key values sentence
		if not set -q name[1]
			printf '%s=\t%s\n' $key $sentence
		else if test "$key" = "$name"
			for value in (string split -n ' ' -- $values)
				printf '%s=%s\n' $key $value
			end
		end
	end
end

@TABLE@
complete -c pavane -f
