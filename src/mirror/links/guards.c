#include "mirror/links/guards.h"

/* Lets an attribute of that name mean nothing, or what it did. */
static void turn_off(
    const struct pv_guards *guards, struct pv_str name, bool is_off)
{
	const struct pv_str off = PV_ATTRIBUTE_OFF;
	bool was_off = pv_attribute_is_off(name);
	size_t start = (size_t)(name.ptr - guards->links->text.ptr);
	if (is_off && !was_off)
		pv_edits_add(guards->edits, start, start, off);
	else if (was_off && !is_off)
		pv_edits_add(guards->edits, start, start + off.len, PV_STR(""));
}

/* Those that stand beside none but the links so far. */
void pv_guards_pass(struct pv_guards *guards, size_t link, bool leads_to_file)
{
	const struct pv_links *links = guards->links;
	if (leads_to_file)
		guards->files_end = link + 1;
	for (; guards->done < links->guard_count; guards->done++) {
		const struct pv_link_guard *guard =
		    &links->guards[guards->done];
		if (guard->end_link > link + 1)
			return;
		turn_off(
		    guards, guard->name, guards->files_end > guard->first_link);
	}
}

/* They would allow what is in the web, and no file. */
void pv_guards_end(const struct pv_guards *guards)
{
	const struct pv_links *links = guards->links;
	for (size_t i = 0; i < links->policy_count; i++)
		turn_off(guards, links->policies[i], guards->files_end > 0);
}
