#include "reading/program/given.h"

#include "fields/given_row.h"
#include "policy/policy.h"
#include "reading/link_collector.h"

static bool refuse(const struct pv_giving *giving, const char *why)
{
	pv_buf_append_text(giving->why, why);
	return false;
}

/* Rows */

/* Rows are of pages that came as a whole, as those that fields read are. */
static bool may_have_rows(const struct pv_giving *giving)
{
	if (!giving->context->policy->output.fields.forms)
		return refuse(giving, "the policy writes no rows "
				      "(output.fields)");
	if (!pv_answer_is_success(giving->answer))
		return refuse(giving, "only an answer of 200 to 299 that came "
				      "whole has rows");
	return true;
}

/* Its number; false if the page cannot have it. */
static bool find_kind(
    const struct pv_giving *giving, struct pv_str name, size_t *number)
{
	const struct pv_pages *pages = &giving->context->policy->pages;
	const struct pv_rows *rows = &giving->findings->rows;
	*number = pv_pages_find(pages, name);
	if (*number == pages->count) {
		pv_buf_append_format(giving->why,
		    "the policy has no kind of pages \"%.*s\" (pages)",
		    (int)(name.len < 80 ? name.len : 80), name.ptr);
		return false;
	}
	if (!pages->items[*number].field_count) {
		pv_buf_append_format(giving->why,
		    "the kind \"%s\" has no fields, and so no rows",
		    pages->items[*number].name);
		return false;
	}
	if (rows->has_kind && rows->kind != *number) {
		pv_buf_append_format(giving->why,
		    "the page has rows of the kind \"%s\", and a page has rows "
		    "of one kind",
		    pages->items[rows->kind].name);
		return false;
	}
	return true;
}

bool pv_given_add_row(
    const struct pv_giving *giving, struct pv_str kind, struct pv_str json)
{
	const struct pv_policy *policy = giving->context->policy;
	struct pv_rows *rows = &giving->findings->rows;
	size_t number;
	if (!may_have_rows(giving) || !find_kind(giving, kind, &number))
		return false;
	const struct pv_given_row given = {
	    .kind = &policy->pages.items[number],
	    .readers = &giving->context->fields,
	    .url = giving->answer->url,
	    .carry = giving->answer->visit->carry,
	    .ceilings = pv_field_ceilings_of(policy),
	};
	bool is_given = pv_rows_give(&given, json, rows, giving->why);
	if (is_given || rows->problem_count) {
		rows->has_kind = true;
		rows->kind = number;
	}
	return is_given;
}

/* Links */

static bool find_address(const struct pv_giving *giving, struct pv_str address)
{
	switch (pv_url_join(
	    &giving->desk->url, giving->answer->url, address, NULL)) {
	case PV_URL_OK:
		return true;
	case PV_URL_INVALID:
		return refuse(giving, "this is no web address");
	case PV_URL_FOREIGN_SCHEME:
		return refuse(giving, "only addresses of http and https are "
				      "requested");
	case PV_URL_TOO_LONG:
		break;
	}
	return refuse(giving, "the address is too long");
}

/* Whether the list of links had room for it, if it was to stand there. */
static bool collect(struct pv_link_collector *collector, bool is_page)
{
	struct pv_found_links *links = &collector->findings->links;
	bool had_more = links->has_more;
	links->has_more = false;
	pv_link_collector_add_link(collector, is_page, false);
	bool has_room = !links->has_more;
	links->has_more = had_more || !has_room;
	return has_room;
}

bool pv_given_add_link(const struct pv_giving *giving, struct pv_str address,
    enum pavane_place place)
{
	const struct pv_found_links *links = &giving->findings->links;
	struct pv_link_collector collector = {
	    .context = giving->context,
	    .answer = giving->answer,
	    .desk = giving->desk,
	    .findings = giving->findings,
	    .is_page = giving->answer->visit->standing.use == PV_PAGE,
	    .closed =
		links->is_same_page ? PV_REASON_SAME_BODY : PV_REASON_NONE,
	    .leads_only = links->leads_only,
	};
	if (place != PAVANE_LINK && place != PAVANE_RESOURCE)
		return refuse(giving, "what is added is a link or a resource "
				      "(PAVANE_LINK, PAVANE_RESOURCE)");
	if (place == PAVANE_LINK && !collector.is_page)
		return refuse(giving, "this was requested as a part of a page, "
				      "and leads to no pages");
	if (!find_address(giving, address))
		return false;
	return collect(&collector, place == PAVANE_LINK) ||
	       refuse(giving, "too many links on one page");
}
