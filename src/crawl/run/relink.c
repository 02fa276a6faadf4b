#include "crawl/run/relink.h"

#include <errno.h>
#include <unistd.h>
#include <uv.h>

#include "crawl/visit/read_job.h"
#include "crawl/visit/rewrite.h"
#include "mirror/update/gone_files.h"
#include "policy/sameness.h"
#include "store/store.h"

/* Opening the state would make one where there is none. */
static bool has_state(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	bool is_there = access(pv_buf_text(&path), F_OK) == 0;
	if (!is_there)
		pv_why_add(why, (struct pv_place){.file = directory},
		    PV_STR(""),
		    "is not a crawl's directory: cannot read its state.db: %s",
		    strerror(errno));
	pv_buf_finish(&path);
	return is_there;
}

static bool link_all(const struct pv_relink *relink, struct pv_store *store,
    struct pv_relinking *result, struct pv_why *why)
{
	struct pv_sameness sameness;
	pv_sameness_init(&sameness, relink->policy);
	const struct pv_relinking_plan plan = {
	    .directory = relink->directory,
	    .identity = &sameness.identity,
	    .threads = uv_available_parallelism(),
	    .is_portable = relink->policy->output.mirror.portable,
	    .link_max = pv_policy_address_max(relink->policy),
	    .is_enough = relink->is_enough,
	    .ctx = relink->ctx,
	};
	bool is_run = pv_relinking_run(&plan, result, why);
	if (is_run && !result->failed && !result->is_cut) {
		pv_left_files_remove(store->database, relink->directory);
		pv_rewrite_note_linked(store->database);
	}
	pv_sameness_finish(&sameness);
	return is_run;
}

bool pv_relink_run(const struct pv_relink *relink, struct pv_relinking *result,
    struct pv_why *why)
{
	struct pv_store_options options = {
	    .directory = relink->directory,
	    .cache_bytes = PV_STORE_CACHE_BYTES,
	    .count_ceiling = PV_STORE_COUNT_CEILING,
	    .bytes_ceiling = PV_STORE_BYTES_CEILING,
	};
	const struct pv_output *output = &relink->policy->output;
	if (!has_state(relink->directory, why))
		return false;
	if (!output->has_mirror || !output->mirror.rewrite) {
		pv_why_add(why, (struct pv_place){.file = relink->directory},
		    PV_STR(""),
		    "is not a mirror with rewritten links "
		    "(output.mirror.rewrite)");
		return false;
	}
	struct pv_store *store = pv_store_open(&options, why);
	if (!store)
		return false;
	bool is_run = link_all(relink, store, result, why);
	pv_store_close(store);
	return is_run;
}
