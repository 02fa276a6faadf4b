#include "sink/sink.h"

#include "policy/policy.h"
#include "tap.h"

/* The names of those that a policy wants, with spaces between them. */
static void list_wanted(const struct pv_sink_plan *plan, struct pv_buf *names)
{
	pv_buf_clear(names);
	for (size_t i = 0; i < pv_sink_kind_count; i++) {
		if (!pv_sink_kinds[i]->is_wanted ||
		    pv_sink_kinds[i]->is_wanted(plan))
			pv_buf_append_format(
			    names, "%s ", pv_sink_kinds[i]->name);
	}
}

static void test_wanted(void)
{
	struct pv_policy *policy = pv_policy_create();
	struct pv_sink_plan plan = {.policy = policy, .round = 1};
	struct pv_buf names;
	pv_buf_init(&names, 1000);
	policy->output.has_mirror = true;
	list_wanted(&plan, &names);
	is_text(pv_buf_str(&names), "mirror journal ",
	    "the journal comes last, to tell of the file");
	policy->output.has_mirror = false;
	list_wanted(&plan, &names);
	is_text(pv_buf_str(&names), "journal ",
	    "where nothing is to be kept there is a journal all the same");
	plan.round = 2;
	list_wanted(&plan, &names);
	is_text(pv_buf_str(&names), "journal report of changes ",
	    "and an update reports what has changed");
	pv_buf_finish(&names);
	pv_policy_destroy(policy);
}

/* What is for other shards comes from the frontier, and not with pages. */
static void test_whole(void)
{
	for (size_t i = 0; i < pv_sink_kind_count; i++) {
		const struct pv_sink_kind *kind = pv_sink_kinds[i];
		ok(kind->name && kind->open && kind->sync && kind->close &&
			(kind->prepare || kind->append ||
			    kind == &pv_sink_outbound) &&
			!kind->files == !kind->recover,
		    "%s has the verbs that it needs", kind->name);
	}
}

int main(void)
{
	test_wanted();
	test_whole();
	return tap_done();
}
