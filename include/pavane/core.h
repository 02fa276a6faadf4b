#ifndef PAVANE_CORE_H
#define PAVANE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What all parts of the library's interface share. */

/* Begins a struct of which the first member is `size`: with its size, and all else
 * 0. The library reads and writes no further than that, so that a program works
 * with a later library, whose structs have grown.
 *
 *	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
 *
 * Where the size was never set nothing is read or written, not even on_line, and
 * the function fails: with NULL, false, PAVANE_WRONG or the like. Structs that the
 * library gives out grow at their ends alone; a program neither copies them nor
 * has them within its own. Other structs stay as they are, and so do those of
 * which there are arrays. */
#ifdef __cplusplus
template <class sized> struct pavane_sized {
	static sized init()
	{
		sized fresh = sized();
		fresh.size = sizeof(fresh);
		return fresh;
	}
};
#define PAVANE_INIT(type) pavane_sized<type>::init()
#else
#define PAVANE_INIT(type)            \
	{                            \
		.size = sizeof(type) \
	}
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PAVANE_API __attribute__((visibility("default")))

/* Called when the system has no memory left; must not return. The library's
 * own says so and ends the program with status 1; a host program that defines
 * a function of this name decides otherwise. */
PAVANE_API __attribute__((noreturn)) void pavane_out_of_memory(size_t size);

/* "0.1.0" */
PAVANE_API const char *pavane_version(void);

/* Gets text in pieces, each of them whole lines. */
typedef void (*pavane_write_fn)(void *ctx, const char *text, size_t len);

/* What was probably meant by an unknown word: the nearest of the words (a list
 * that ends with NULL), or NULL if none is near. */
PAVANE_API const char *pavane_nearest_word(
    const char *written, const char *const *words);

enum pavane_level {
	PAVANE_ERROR, /* somebody must do something */
	PAVANE_WARNING,
	PAVANE_INFO,
	PAVANE_DEBUG, /* each event of a host */
	PAVANE_TRACE, /* each request */
};

/* Gets a line for people, without its end and safe to print. */
typedef void (*pavane_line_fn)(
    void *ctx, enum pavane_level level, const char *line);

/* How a crawl ended. */
enum pavane_end {
	PAVANE_FINISHED,
	PAVANE_FAILED,    /* could not go on; what was done is kept */
	PAVANE_STOPPED,   /* by pavane_crawl_stop */
	PAVANE_LIMITED,   /* by a limit of the policy */
	PAVANE_NOT_BEGUN, /* finished, but a seed could not be fetched; or, if
			     it is_attended, nothing has answered */
};

/* What came of a question or an order. */
enum pavane_answer {
	PAVANE_YES,
	PAVANE_NO,
	PAVANE_WRONG,      /* what should be a web address is none */
	PAVANE_UNREADABLE, /* a file cannot be read: errno says why */
	PAVANE_OTHER_TYPE, /* a media type that is not read */
	PAVANE_LATE,       /* it is not carried out yet, and will be */
	PAVANE_FULL,       /* there is no room for it now: try again later */
	PAVANE_OVER,       /* the crawl is ending, or has ended */
};

#ifdef __cplusplus
}
#endif

#endif
