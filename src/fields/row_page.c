#include "fields/row_page.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/json/json.h"
#include "base/json/json_ld.h"
#include "base/json/json_text.h"
#include "base/pattern/regex.h"
#include "base/utf8.h"
#include "policy/policy.h"
#include "policy/seeds.h"
#include "tree/text.h"

#define SCRIPTS_MAX 1000

struct pv_field_ceilings pv_field_ceilings_of(const struct pv_policy *policy)
{
	return (struct pv_field_ceilings){
	    .page_bytes = (size_t)policy->output.fields.max_page,
	    .value_bytes = (size_t)policy->output.fields.max_value,
	    .rows = (size_t)policy->output.fields.max_rows,
	};
}

void pv_row_page_begin(struct pv_row_page *page)
{
	page->budget.steps = PV_TREE_STEPS;
	page->regex_budget = PV_REGEX_PAGE_STEPS;
	pv_json_list_init(&page->nodes);
	pv_matches_init(&page->scripts, SCRIPTS_MAX);
	pv_url_init(&page->base, PV_SEED_ADDRESS_MAX);
	if (page->text.len > page->ceilings.page_bytes) {
		page->text =
		    pv_utf8_head(page->text, page->ceilings.page_bytes);
		page->is_cut = true;
	}
}

void pv_row_page_end(struct pv_row_page *page)
{
	pv_tree_destroy(page->tree);
	pv_json_destroy(page->body);
	for (size_t i = 0; i < page->block_count; i++)
		pv_json_destroy(page->blocks[i]);
	free(page->blocks);
	for (size_t i = 0; i < page->value_count; i++)
		pv_json_destroy(page->values[i].value);
	free(page->values);
	pv_json_list_finish(&page->nodes);
	pv_matches_finish(&page->scripts);
	pv_url_finish(&page->base);
}

const struct pv_tree *pv_row_page_tree(struct pv_row_page *page)
{
	struct pv_tree_ceilings ceilings = PV_TREE_CEILINGS;
	if (page->tree)
		return page->tree;
	ceilings.bytes = page->ceilings.page_bytes;
	page->tree = pv_tree_create(page->text, &ceilings);
	if (pv_tree_end(page->tree) != PV_TREE_WHOLE)
		page->is_cut = true;
	return page->tree;
}

const struct pv_json *pv_row_page_json(struct pv_row_page *page)
{
	if (!page->is_body_read)
		page->body = pv_json_read_page(page->text);
	page->is_body_read = true;
	return page->body;
}

static void read_blocks(struct pv_row_page *page)
{
	if (page->are_blocks_read)
		return;
	page->are_blocks_read = true;
	pv_matches_clear(&page->scripts);
	pv_tree_scripts(
	    pv_row_page_tree(page), "application/ld+json", &page->scripts);
	for (size_t i = 0; i < page->scripts.count; i++) {
		struct pv_json *block =
		    pv_json_read_page(page->scripts.items[i].text);
		if (block)
			*PV_ARRAY_PUSH(page->blocks, page->block_count,
			    page->block_size) = block;
	}
}

const struct pv_json_list *pv_row_page_ld(
    struct pv_row_page *page, const char *type)
{
	read_blocks(page);
	pv_json_list_finish(&page->nodes);
	pv_json_list_init(&page->nodes);
	for (size_t i = 0; i < page->block_count; i++)
		pv_json_ld_find(page->blocks[i],
		    type ? pv_str_of(type) : PV_STR(""), &page->nodes);
	return &page->nodes;
}

static struct pv_json *find_in_scripts(
    struct pv_row_page *page, const char *after)
{
	pv_matches_clear(&page->scripts);
	pv_tree_scripts(pv_row_page_tree(page), NULL, &page->scripts);
	for (size_t i = 0; i < page->scripts.count; i++) {
		struct pv_str value = pv_json_find_value(
		    page->scripts.items[i].text, pv_str_of(after));
		struct pv_json *read =
		    value.ptr ? pv_json_read_page(value) : NULL;
		if (read)
			return read;
	}
	return NULL;
}

const struct pv_json *pv_row_page_script(
    struct pv_row_page *page, const char *after)
{
	for (size_t i = 0; i < page->value_count; i++) {
		if (pv_str_equal(
			pv_str_of(page->values[i].after), pv_str_of(after)))
			return page->values[i].value;
	}
	struct pv_json *value = find_in_scripts(page, after);
	*PV_ARRAY_PUSH(page->values, page->value_count, page->value_size) =
	    (struct pv_script_value){after, value};
	return value;
}

const struct pv_url *pv_row_page_base(struct pv_row_page *page)
{
	if (page->is_base_known)
		return &page->base;
	page->is_base_known = true;
	struct pv_str href = pv_tree_base(pv_row_page_tree(page));
	if (!href.ptr || pv_url_join(&page->base, page->url, href,
			     page->encoder) != PV_URL_OK)
		pv_url_parse(&page->base, pv_url_page(page->url));
	return &page->base;
}
