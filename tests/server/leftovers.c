#include "server/leftovers.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#if defined(__SANITIZE_ADDRESS__)
#define WANTS_ALL_BACK true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WANTS_ALL_BACK true
#endif
#endif
#ifndef WANTS_ALL_BACK
#define WANTS_ALL_BACK false
#endif

static bool has_preload(const struct home *home)
{
	const char *const *more = home->environment;
	while (more && *more) {
		if (pv_str_starts(pv_str_of(*more++), PV_STR("LD_PRELOAD=")))
			return true;
	}
	return false;
}

/* AddressSanitizer complains if it is not loaded first; it need not be. */
size_t leftovers_watch(
    const struct home *home, struct pv_arena *arena, const char *environment[3])
{
	const char *options = getenv("ASAN_OPTIONS");
	char *library = realpath(LEFTOVERS_LIBRARY, NULL);
	bool is_watched = library && !has_preload(home);
	environment[0] = pv_arena_format(arena, "ASAN_OPTIONS=%s%s",
	    is_watched ? "verify_asan_link_order=0:" : "",
	    options ? options : "");
	if (is_watched) {
		environment[1] =
		    pv_arena_format(arena, "LD_PRELOAD=%s", library);
		environment[2] = pv_arena_format(
		    arena, "PAVANE_LEFTOVERS=%s/leftovers", home->path);
	}
	free(library);
	return is_watched ? 3 : 1;
}

bool leftovers_are_known(const struct home *home)
{
	return home->watched_ends > 0;
}

/* A page that is being written when the program ends at once has no name yet. */
static bool is_nameless(struct pv_str line)
{
	return pv_str_find(line, '#') != PV_NOT_FOUND &&
	       pv_str_ends(line, PV_STR(" (deleted)\n"));
}

bool leftovers_read(struct home *home, struct pv_buf *left)
{
	struct pv_buf told;
	unsigned ends = 0;
	pv_buf_init(&told, 1 << 20);
	home_read(home, "leftovers", &told);
	struct pv_str rest = pv_buf_str(&told);
	size_t end;
	while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
		struct pv_str line = pv_str_head(rest, end + 1);
		bool is_file =
		    pv_str_starts(line, PV_STR("/")) && !is_nameless(line);
		bool is_end = pv_str_equal(line, PV_STR(".\n"));
		ends += is_end;
		if (is_file || (WANTS_ALL_BACK && !is_end))
			pv_buf_append(left, line);
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&told);
	return ends >= home->watched_ends;
}
