#include "api/explain_same.h"

static void tell(const struct pv_same_tale *tale, const char *key,
    struct pv_str text, const struct pv_origin *origin)
{
	struct pv_scope_line line = {.key = key, .text = text};
	if (origin)
		line.origin = *origin;
	tale->on_line(&line, tale->ctx);
}

static void tell_key(
    const struct pv_same_tale *tale, enum pv_identity_change change)
{
	const char *key = pv_sameness_key(change), *domain;
	struct pv_origin origin =
	    pv_host_manners_origin(tale->manners, key, &domain);
	struct pv_buf text;
	pv_buf_init(&text, 1024);
	pv_buf_append_format(&text, "by %s", key);
	if (domain)
		pv_buf_append_format(&text, ", for %s", domain);
	tell(tale, "", pv_buf_str(&text), &origin);
	pv_buf_finish(&text);
}

void pv_same_tale_tell(const struct pv_same_tale *tale)
{
	if (!tale->changes)
		return;
	tell(tale, "stands for", tale->given, NULL);
	for (unsigned change = PV_IDENTITY_ALIAS; change <= PV_IDENTITY_SORTED;
	     change *= 2) {
		if (tale->changes & change)
			tell_key(tale, (enum pv_identity_change)change);
	}
}
