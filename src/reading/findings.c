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
	pv_rows_init(&findings->rows);
	pv_terms_init(&findings->terms);
	pv_link_list_init(&findings->links.list, PV_FINDINGS_LINKS_BYTES);
	pv_buf_init(&findings->redirect.moved_to, URL_MAX);
	pv_buf_init(&findings->redirect.seed_redirect, URL_MAX);
	pv_buf_init(&findings->robots.text, PV_ROBOTS_BYTES);
	pv_url_init(&findings->robots.location, URL_MAX);
}

void pv_findings_finish(struct pv_findings *findings)
{
	pv_robots_rules_release(findings->robots.rules);
	pv_rows_finish(&findings->rows);
	pv_terms_finish(&findings->terms);
	pv_link_list_finish(&findings->links.list);
	pv_buf_finish(&findings->redirect.moved_to);
	pv_buf_finish(&findings->redirect.seed_redirect);
	pv_buf_finish(&findings->robots.text);
	pv_url_finish(&findings->robots.location);
}

void pv_findings_clear(struct pv_findings *findings)
{
	struct pv_findings kept = *findings;
	pv_robots_rules_release(kept.robots.rules);
	pv_rows_finish(&kept.rows);
	*findings = (struct pv_findings){
	    .terms.text = kept.terms.text,
	    .links.list = kept.links.list,
	    .redirect.moved_to = kept.redirect.moved_to,
	    .redirect.seed_redirect = kept.redirect.seed_redirect,
	    .robots.text = kept.robots.text,
	    .robots.location = kept.robots.location,
	};
	pv_rows_init(&findings->rows);
	pv_terms_clear(&findings->terms);
	pv_link_list_clear(&findings->links.list);
	pv_buf_clear(&findings->redirect.moved_to);
	pv_buf_clear(&findings->redirect.seed_redirect);
	pv_buf_clear(&findings->robots.text);
}

size_t pv_findings_bytes(const struct pv_findings *findings)
{
	return pv_link_list_bytes(&findings->links.list) +
	       findings->rows.arena.bytes + findings->redirect.moved_to.size +
	       findings->redirect.seed_redirect.size +
	       findings->robots.text.size + findings->terms.text.size +
	       findings->robots.location.text.size;
}

struct pv_robots_rules *pv_findings_take_rules(struct pv_findings *findings)
{
	struct pv_robots_rules *rules = findings->robots.rules;
	findings->robots.rules = NULL;
	return rules;
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
