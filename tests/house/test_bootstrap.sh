#!/bin/sh
# bootstrap installs what is missing and nothing else, does nothing twice, and
# says in one line what is wrong. It is tried in a directory of its own, on a
# machine that is made of fakes: the only programs it finds are those in $bin,
# and each fake writes into $calls what it was asked.

. "${top_srcdir:=.}/tests/house/planting.sh"

# Without it what follows would be done to the machine itself.
: "${temporary:?is not set}"

bin=$temporary/bin
tree=$temporary/tree
calls=$temporary/calls
modules=$temporary/modules
output=$temporary/output
unset CC MAKE PKG_CONFIG MAKEFLAGS DEBIAN_FRONTEND

### A machine of fakes

# The libraries that configure looks for, with Debian's packages.
configure_modules() {
	sed -n 's/^PAVANE_LIBRARY[A-Z_]*(\[[^]]*\], \[\([^] ]*\)[^]]*\], \[\([^]]*\)\].*/\1 \2/p' \
		"$top_srcdir/configure.ac" | sort
}

# fake NAME: a program that notes its call, and does what the input says.
fake() {
	rm -f "$bin/$1"
	{
		echo '#!/bin/sh'
		echo "echo \"$1\${DEBIAN_FRONTEND:+/\$DEBIAN_FRONTEND} \$*\" >>'$calls'"
		cat
	} >"$bin/$1"
	chmod +x "$bin/$1"
}

# What every system has.
fake_system() {
	for name in sh awk cat chmod cp dirname env find grep mktemp rm sed touch tr
	do
		ln -s "$(command -v $name)" "$bin/$name"
	done
	fake id <<-END
		echo 0
	END
}

# What bootstrap asks for: $modules lists what pkg-config knows.
fake_tools() {
	for name in gcc autoconf automake libtoolize; do
		fake $name </dev/null
	done
	configure_modules | sed 's/ .*//' >"$modules"
	fake pkg-config <<-END
		grep -qwF -e "\$2" '$modules'
	END
	fake make <<-END
		[ ! -e '$temporary/make-fails' ]
	END
	fake autoreconf <<-END
		cp '$temporary/configure' .
		touch Makefile.in configure
	END
}

# A configure that leaves what bootstrap looks at.
fake_configure() {
	cat >"$temporary/configure" <<-END
		#!/bin/sh
		echo "configure \$*" >>'$calls'
		[ "\$1" = --quiet ] && shift
		echo "echo '\$*'" >config.status
		chmod +x config.status
		touch Makefile
	END
	chmod +x "$temporary/configure"
}

# An apt-get that brings libyaml.
fake_apt() {
	fake apt-get <<-END
		[ "\$1" = install ] && echo yaml-0.1 >>'$modules'
		[ ! -e '$temporary/apt-fails' ]
	END
}

# A fresh checkout on a machine that has all.
begin() {
	rm -rf "$bin" "$tree" "$calls" "$temporary/make-fails" \
		"$temporary/apt-fails"
	mkdir -p "$bin" "$tree/m4" "$tree/src/base" "$tree/tests"
	cp "$top_srcdir/bootstrap" "$tree"
	touch -t 202001010000 "$tree/configure.ac" "$tree/Makefile.am" \
		"$tree/m4/own.m4" "$tree/src/base/sources.am"
	fake_system
	fake_tools
	fake_configure
	fake_apt
	: >"$calls"
}

without_yaml() {
	configure_modules | sed 's/ .*//; /^yaml-/d' >"$modules"
}

# Runs bootstrap from elsewhere, as it would be on that machine.
bootstrap() {
	: >"$calls"
	(cd / && PATH=$bin TMPDIR=$temporary "$tree/bootstrap" "$@") \
		</dev/null >"$output" 2>&1
	status=$?
}

### What is claimed of it

exits() {
	[ "$status" -eq "$1" ]
	ok $? "$2"
	[ "$status" -eq "$1" ] || remark "$(cat "$output")"
}

says() {
	grep -Eq -e "$1" "$output"
	result=$?
	ok $result "$2"
	[ $result -eq 0 ] || remark "$(cat "$output")"
}

called() {
	grep -Eq -e "$1" "$calls"
	result=$?
	ok $result "$2"
	[ $result -eq 0 ] || remark "$(cat "$calls")"
}

never_called() {
	grep -Eq -e "$1" "$calls"
	result=$((! $?))
	ok $result "$2"
	[ $result -eq 0 ] || remark "$(cat "$calls")"
}

### Options

begin
bootstrap --help
exits 0 "--help succeeds"
says '^Usage: ./bootstrap' "and says how to use it"
says '--no-install' "and names the options"
never_called '.' "and does nothing"
bootstrap --table
exits 0 "--table succeeds"
says '^module +yaml-0.1 +libyaml-dev +libyaml-devel ' \
	"and prints each thing with its packages"
never_called '.' "and does nothing, too"

bootstrap --colour
exits 2 "an unknown option is wrong usage"
says '^bootstrap: unknown option "--colour"; see --help$' "and is named"
[ "$(wc -l <"$output")" -eq 1 ]
ok $? "in one line"
never_called '.' "and nothing is done"

bootstrap --packages
exits 0 "--packages succeeds"
says '^apt-get install --yes .*gcc libc6-dev make .*libyaml-dev .*libicu-dev .*libpsl-dev libxml2-dev libsqlite3-dev libcurl4-openssl-dev .*libssl-dev$' \
	"and prints the whole line of apt-get, though nothing is missing"
[ "$(wc -l <"$output")" -eq 1 ]
ok $? "and nothing else"
never_called '.' "and does nothing"

while read -r manager yaml line; do
	begin
	rm "$bin/apt-get"
	fake "$manager" </dev/null
	bootstrap --packages
	says "^$line\$" "--packages knows $manager"
	without_yaml
	bootstrap
	exits 1 "where $manager installs, it stops"
	says "^$manager .* $yaml\$" "and names the line"
	never_called "^$manager" "and leaves it to the user"
done <<'END'
dnf libyaml-devel dnf install --assumeyes .*pkgconf-pkg-config libyaml-devel .*
pacman libyaml pacman -S --needed --noconfirm .*pkgconf libyaml .*
zypper libyaml-devel zypper --non-interactive install .* libyaml-devel .*
apk yaml-dev apk add gcc musl-dev .*yaml-dev .*
brew libyaml brew install make autoconf .*libyaml .*
END

begin
rm "$bin/apt-get"
bootstrap --packages
exits 1 "with no package manager, --packages fails"
says 'no package manager .*libyaml-dev' "and gives Debian's names"
without_yaml
bootstrap
exits 1 "with no package manager, what is missing stops it"
says 'missing: yaml-0.1$' "and is named"

### The table

bootstrap_modules() {
	awk '$1 == "module" { print $2, $3 }' "$top_srcdir/bootstrap" | sort
}

[ -n "$(configure_modules)" ] &&
	[ "$(configure_modules)" = "$(bootstrap_modules)" ]
ok $? "the table names the libraries that configure looks for"
remark "configure.ac: $(configure_modules | tr '\n' ' ')"
remark "bootstrap:    $(bootstrap_modules | tr '\n' ' ')"

### Nothing is missing

begin
bootstrap
exits 0 "where all is there, it builds"
never_called '^(apt-get|sudo)' "and never calls apt-get"
called '^autoreconf --install' "and makes configure"
called '^configure --quiet$' "and runs it"
called '^make .*-j [0-9]' "and make, with jobs"

bootstrap
exits 0 "a second run succeeds"
never_called '^(autoreconf|configure|apt-get)' "and only makes"
says 'configured already' "and says so"
bootstrap --no-install
exits 0 "--no-install goes on where nothing is missing"
called '^make' "to the building"

touch -t 203001010000 "$tree/configure.ac"
bootstrap
called '^autoreconf' "a newer configure.ac makes configure anew"
touch -t 202001010000 "$tree/configure.ac"
touch -t 203001010000 "$tree/m4/own.m4"
bootstrap
called '^autoreconf' "and so does a newer macro"
touch -t 202001010000 "$tree/m4/own.m4"
touch -t 203001010000 "$tree/Makefile.am"
bootstrap
called '^autoreconf' "and a newer Makefile.am"
touch -t 202001010000 "$tree/Makefile.am"
touch -t 203001010000 "$tree/src/base/sources.am"
bootstrap
called '^autoreconf' "and a newer list of a room"
touch -t 202001010000 "$tree/src/base/sources.am"

bootstrap -- --enable-sanitizers CC=clang
called '^configure --quiet --enable-sanitizers CC=clang$' \
	"what follows -- goes to configure"
called '^make clean' "and what other arguments made is cleaned away"
bootstrap -- --enable-sanitizers CC=clang
never_called '^(configure|make clean)' "the same arguments do not do it again"
bootstrap
never_called '^configure' "without -- the tree stays as it is configured"
says 'configured already, with --enable-sanitizers CC=clang' "and says how"
bootstrap --
called '^configure --quiet$' "a -- alone takes the arguments back"

touch "$temporary/make-fails"
bootstrap
[ $status -ne 0 ]
ok $? "where make fails, it fails"

### Something is missing

begin
without_yaml
bootstrap
exits 0 "what is missing is installed, for root"
called '^apt-get/noninteractive update$' "after an update"
called '^apt-get/noninteractive install --yes --no-install-recommends libyaml-dev$' \
	"and nothing but that, with no questions"
called '^make' "and it goes on to build"

begin
without_yaml
bootstrap --no-install
exits 1 "with --no-install, what is missing stops it"
says 'missing: yaml-0.1$' "and is named"
says '^apt-get install --yes --no-install-recommends libyaml-dev$' \
	"with the line that installs it"
never_called '^(apt-get|autoreconf|make)' "and nothing is done"

begin
rm "$bin/gcc"
bootstrap --no-install
says '^apt-get install .*recommends gcc libc6-dev$' \
	"a compiler needs the C library's headers"
begin
fake gcc <<'END'
exit 1
END
bootstrap --no-install
says 'missing: cc$' "a compiler that cannot compile is none"

begin
rm "$bin/pkg-config" "$bin/automake"
bootstrap --no-install
says 'missing: automake, pkg-config, yaml-0.1, ' \
	"without pkg-config nobody knows of libraries"

begin
fake mktemp <<'END'
exit 1
END
bootstrap
exits 1 "where no temporary file can be made, it stops"
never_called '^(gcc|apt-get|make)' "before it does anything"

begin
without_yaml
touch "$temporary/apt-fails"
bootstrap
exits 1 "where apt-get fails, it fails"
says 'failed: .*apt-get update' "and says what failed"
never_called '^make' "and does not build"

begin
without_yaml
fake id <<'END'
echo 1000
END
bootstrap
exits 1 "without root and sudo nothing is installed"
says '^apt-get install --yes --no-install-recommends libyaml-dev$' \
	"but the line is named"
never_called '^apt-get' "and not tried"

fake true </dev/null
fake sudo <<'END'
[ "$1" = -n ] && shift
exec "$@"
END
bootstrap
exits 0 "with sudo it is"
called '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install' \
	"which is asked not to ask where nobody could answer"

tap_done
