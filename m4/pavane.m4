# PAVANE_LIBRARY(VARIABLE, MODULE, DEBIAN-PACKAGE, WHAT-FOR)
# Looks for a library with pkg-config. What is missing is collected, so that
# one run of configure names all of it (PAVANE_LIBRARIES_FOUND).
AC_DEFUN([PAVANE_LIBRARY], [
	PKG_CHECK_MODULES([$1], [$2], [], [
		AC_MSG_RESULT([no])
		pavane_missing="$pavane_missing
  $2 ($4) is missing: install $3"
		pavane_packages="$pavane_packages $3"
	])
])

# PAVANE_LIBRARY_OPTIONAL(VARIABLE, MODULE, DEBIAN-PACKAGE, WHAT-FOR, WISH)
# The same for a library that may be left out: with the wish "no" it is, with
# "yes" it must be there. Where it is, HAVE_VARIABLE is defined and the
# conditional VARIABLE is true.
AC_DEFUN([PAVANE_LIBRARY_OPTIONAL], [
	AS_IF([test "x$5" != xno], [
		PKG_CHECK_MODULES([$1], [$2], [
			pavane_has_$1=yes
			AC_DEFINE([HAVE_$1], [1], [Whether there is $2.])
		], [
			AC_MSG_RESULT([no])
			AS_IF([test "x$5" = xyes], [pavane_missing="$pavane_missing
  $2 ($4) is missing: install $3"
				pavane_packages="$pavane_packages $3"])
		])
	])
	AM_CONDITIONAL([$1], [test "x$pavane_has_$1" = xyes])
])

# PAVANE_LIBRARIES_FOUND
# Ends configure if a library is missing, with a sentence for each.
AC_DEFUN([PAVANE_LIBRARIES_FOUND], [
	AS_IF([test -n "$pavane_missing"], [
		AC_MSG_ERROR([libraries are missing:
$pavane_missing

On Debian: apt-get install$pavane_packages
(other systems: ./bootstrap --packages)])
	])
])

# PAVANE_COMPILE_FLAGS(VARIABLE, FLAGS...)
# Adds each flag that the compiler takes without a warning.
AC_DEFUN([PAVANE_COMPILE_FLAGS], [
	for pavane_flag in $2; do
		AC_MSG_CHECKING([whether $CC takes $pavane_flag])
		pavane_saved=$CFLAGS
		CFLAGS="$CFLAGS -Werror $pavane_flag"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
			[AC_MSG_RESULT([yes]); $1="$$1 $pavane_flag"],
			[AC_MSG_RESULT([no])])
		CFLAGS=$pavane_saved
	done
])

# PAVANE_LINK_FLAGS(VARIABLE, FLAGS...)
# Adds each flag that the linker takes without a warning.
AC_DEFUN([PAVANE_LINK_FLAGS], [
	for pavane_flag in $2; do
		AC_MSG_CHECKING([whether the linker takes $pavane_flag])
		pavane_saved=$LDFLAGS
		LDFLAGS="$LDFLAGS $pavane_flag"
		AC_LINK_IFELSE([AC_LANG_PROGRAM()],
			[AC_MSG_RESULT([yes]); $1="$$1 $pavane_flag"],
			[AC_MSG_RESULT([no])])
		LDFLAGS=$pavane_saved
	done
])

# PAVANE_EXPORT_MAP(VARIABLE, MAP)
# The flags that make a library export what the map says, each with its version;
# where the linker reads no maps, what begins with pavane_.
AC_DEFUN([PAVANE_EXPORT_MAP], [
	PAVANE_LINK_FLAGS([$1], [-Wl,--version-script=$srcdir/$2])
	AS_IF([test -n "$$1"],
		[$1='-Wl,--version-script=$(srcdir)/$2'],
		[$1="-export-symbols-regex '^pavane_'"])
])
