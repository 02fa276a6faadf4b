#include "fleet/joining/directory_place.h"

#include <stdio.h>
#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"

/* A directory is known again, and no other is taken for it. */

static const struct pv_hash_key key = {{1, 2}};

int main(void)
{
	struct scratch scratch;
	char one[600], moved[600];
	ok(scratch_make(&scratch), "there is a place for directories");
	snprintf(one, sizeof(one), "%s/one", scratch.path);
	snprintf(moved, sizeof(moved), "%s/moved", scratch.path);
	mkdir(one, 0700);
	int64_t place = pv_directory_place(one, key);
	ok(place > 0, "a directory has a place");
	ok(pv_directory_place(one, key) == place, "the same each time");
	ok(pv_directory_place(scratch.path, key) != place,
	    "another one has another");
	rename(one, moved);
	ok(pv_directory_place(moved, key) == place,
	    "one that was moved is the same");
	ok(pv_directory_place(one, key) == 0, "what is not there has none");
	scratch_remove(&scratch);
	return tap_done();
}
