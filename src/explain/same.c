#include "explain/same.h"

static void tell(const struct pv_explain_same *explanation, const char *key,
    struct pv_str text, const struct pv_origin *origin)
{
	struct pv_scope_line line = {.key = key, .text = text};
	if (origin)
		line.origin = *origin;
	explanation->on_line(&line, explanation->ctx);
}

static void tell_key(
    const struct pv_explain_same *explanation, enum pv_identity_change change)
{
	const char *key = pv_sameness_key(change), *domain;
	struct pv_origin origin =
	    pv_host_manners_origin(explanation->manners, key, &domain);
	struct pv_buf text;
	pv_buf_init(&text, 1024);
	pv_buf_append_format(&text, "by %s", key);
	if (domain)
		pv_buf_append_format(&text, ", for %s", domain);
	tell(explanation, "", pv_buf_str(&text), &origin);
	pv_buf_finish(&text);
}

void pv_explain_same_tell(const struct pv_explain_same *explanation)
{
	if (!explanation->changes)
		return;
	tell(explanation, "stands for", explanation->given, NULL);
	for (unsigned change = PV_IDENTITY_ALIAS; change <= PV_IDENTITY_SORTED;
	     change *= 2) {
		if (explanation->changes & change)
			tell_key(explanation, (enum pv_identity_change)change);
	}
}
