# PAVANE_COMPLETIONS(SHELL, DIRECTORY)
# ------------------------------------
# Where the completions of a shell are installed: in SHELLcompletiondir, which is
# DIRECTORY below the data directory unless --with-SHELL-completion-dir names
# another, or says no.
AC_DEFUN([PAVANE_COMPLETIONS],
[AC_ARG_WITH([$1-completion-dir],
	[AS_HELP_STRING([--with-$1-completion-dir=DIR],
		[completions of $1 (DATADIR/$2), or no])])
AS_CASE([$with_$1_completion_dir],
	[''|yes], [$1completiondir='${datadir}/$2'],
	[no], [$1completiondir=],
	[$1completiondir=$with_$1_completion_dir])
AC_SUBST([$1completiondir])
AM_CONDITIONAL(AS_TR_CPP([$1_COMPLETION]), [test -n "$$1completiondir"])
])
