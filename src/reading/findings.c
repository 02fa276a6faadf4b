#include "reading/findings.h"

#include <stdio.h>
#include <string.h>

#include "policy/seeds.h"
#include "robots/robots.h"

/* Longer addresses are refused before they are visited, but those of seeds. */
#define URL_MAX PV_SEED_ADDRESS_MAX

void pv_findings_init(struct pv_findings *findings)
{
	*findings = (struct pv_findings){.is_kept = false};
	pv_terms_init(&findings->terms);
	pv_link_list_init(&findings->links, PV_FINDINGS_LINKS_BYTES);
	pv_buf_init(&findings->moved_to, URL_MAX);
	pv_buf_init(&findings->seed_redirect, URL_MAX);
	pv_buf_init(&findings->robots_text, PV_ROBOTS_BYTES);
	pv_url_init(&findings->location, URL_MAX);
}

void pv_findings_finish(struct pv_findings *findings)
{
	pv_robots_rules_release(findings->rules);
	pv_terms_finish(&findings->terms);
	pv_link_list_finish(&findings->links);
	pv_buf_finish(&findings->moved_to);
	pv_buf_finish(&findings->seed_redirect);
	pv_buf_finish(&findings->robots_text);
	pv_url_finish(&findings->location);
}

void pv_findings_clear(struct pv_findings *findings)
{
	struct pv_findings kept = *findings;
	pv_robots_rules_release(kept.rules);
	*findings = (struct pv_findings){
	    .terms.text = kept.terms.text,
	    .links = kept.links,
	    .moved_to = kept.moved_to,
	    .seed_redirect = kept.seed_redirect,
	    .robots_text = kept.robots_text,
	    .location = kept.location,
	};
	pv_terms_clear(&findings->terms);
	pv_link_list_clear(&findings->links);
	pv_buf_clear(&findings->moved_to);
	pv_buf_clear(&findings->seed_redirect);
	pv_buf_clear(&findings->robots_text);
}

size_t pv_findings_bytes(const struct pv_findings *findings)
{
	return pv_link_list_bytes(&findings->links) + findings->moved_to.size +
	       findings->seed_redirect.size + findings->robots_text.size +
	       findings->terms.text.size + findings->location.text.size;
}

void pv_findings_remark(struct pv_findings *findings, const char *what)
{
	if (!findings->why[0])
		snprintf(findings->why, sizeof(findings->why), "%s", what);
}

void pv_findings_add_remark(struct pv_findings *findings, const char *what)
{
	char *why = findings->why;
	size_t most = sizeof(findings->why) - 1;
	size_t room = most - (strlen(what) < most ? strlen(what) : most);
	size_t len = strnlen(why, room > 2 ? room - 2 : 0);
	snprintf(why + len, sizeof(findings->why) - len, "%s%s",
	    len ? "; " : "", what);
}
