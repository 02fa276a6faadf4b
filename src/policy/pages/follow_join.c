#include "policy/pages/follow_join.h"

#include <stdarg.h>

#include "base/nearest.h"
#include "base/visible.h"
#include "policy/document/members.h"

#define SENTENCE_MAX 1024

/* A link among those of its kind. */
struct link {
	struct pv_reading *reading;
	const struct pv_pages *pages;
	const struct pv_page_kind *from;
	size_t number;
};

static struct pv_follow *follow_of(const struct link *link)
{
	return &link->from->follow[link->number];
}

/* The member of the link as it is written. */
static const struct pv_node *written(const struct link *link, const char *key)
{
	const struct pv_node *node =
	    pv_member_find(link->from->node, "follow")->first;
	for (size_t i = 0; i < link->number; i++)
		node = node->next;
	return pv_member_find(node, key);
}

/* Tells a problem of the key, whose item it is unless that is NULL. */
static bool __attribute__((format(printf, 4, 5))) fail(const struct link *link,
    const char *key, const struct pv_node *item, const char *format, ...)
{
	struct pv_reading *reading = link->reading;
	const struct pv_node *node = item ? item : written(link, key);
	struct pv_buf text;
	va_list list;
	va_start(list, format);
	pv_buf_init(&text, SENTENCE_MAX);
	pv_visible_append_format_list(&text, format, list);
	va_end(list);
	size_t mark = pv_reading_enter(reading, pv_str_of(link->from->name));
	pv_reading_enter(reading, PV_STR("follow"));
	pv_reading_enter(reading, pv_str_of(key));
	pv_reading_fail(reading, node, "%s", pv_buf_text(&text));
	pv_reading_leave(reading, mark);
	pv_buf_finish(&text);
	return false;
}

static bool find_kind(const struct link *link)
{
	struct pv_follow *follow = follow_of(link);
	struct pv_str name = pv_str_of(follow->as);
	follow->kind = pv_pages_find(link->pages, name);
	if (follow->kind < link->pages->count)
		return true;
	const char *nearest = pv_pages_nearest(link->pages, name);
	if (nearest)
		return fail(link, "as", NULL,
		    "there is no kind of page %s: did you mean %s?", follow->as,
		    nearest);
	return fail(link, "as", NULL,
	    "there is no kind of page %s: describe it in pages", follow->as);
}

/* The field whose name is the same but for capitals, which make no difference
 * in tables; NULL. */
static const char *field_like(const struct pv_page_kind *kind, const char *name)
{
	for (size_t i = 0; i < kind->field_count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(kind->fields[i].name), pv_str_of(name)))
			return kind->fields[i].name;
	}
	return NULL;
}

static const char *carried_like(
    const struct pv_page_kind *kind, const char *name)
{
	for (size_t i = 0; i < kind->carried.count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(kind->carried.items[i]), pv_str_of(name)))
			return kind->carried.items[i];
	}
	return NULL;
}

static bool is_same(const char *one, const char *other)
{
	return one && strcmp(one, other) == 0;
}

static bool has_name(const struct pv_page_kind *kind, const char *name)
{
	return is_same(field_like(kind, name), name) ||
	       is_same(carried_like(kind, name), name);
}

/* Gives the kind that the link leads to the names that it brings, of those that
 * its own kind has. False if there were new ones. */
static bool bring(const struct link *link)
{
	const struct pv_texts *carry = &follow_of(link)->carry;
	struct pv_page_kind *to = &link->pages->items[follow_of(link)->kind];
	struct pv_texts *carried = &to->carried;
	size_t count = carried->count;
	const char **items;
	if (!carry->count)
		return true;
	items = pv_arena_give_array(
	    link->reading->arena, count + carry->count, sizeof(*items));
	for (size_t i = 0; i < count; i++)
		items[i] = carried->items[i];
	carried->items = items;
	for (size_t i = 0; i < carry->count; i++) {
		if (has_name(link->from, carry->items[i]) &&
		    !carried_like(to, carry->items[i]))
			items[carried->count++] = carry->items[i];
	}
	return carried->count == count;
}

static bool fail_unknown(const struct link *link, const struct pv_node *item)
{
	const struct pv_page_kind *from = link->from;
	struct pv_nearest nearest = pv_nearest_to(item->text);
	for (size_t i = 0; i < from->field_count; i++)
		pv_nearest_offer(&nearest, from->fields[i].name);
	for (size_t i = 0; i < from->carried.count; i++)
		pv_nearest_offer(&nearest, from->carried.items[i]);
	if (nearest.word)
		return fail(link, "carry", item,
		    "%s has no field %.*s: did you mean %s?", from->name,
		    PV_STR_ARG(item->text), nearest.word);
	return fail(link, "carry", item,
	    "%s has no field %.*s: write the name of one of its fields",
	    from->name, PV_STR_ARG(item->text));
}

static bool check_name(const struct link *link, const struct pv_node *item)
{
	const struct pv_page_kind *to =
	    &link->pages->items[follow_of(link)->kind];
	const char *name = item->text.ptr;
	const char *own = field_like(to, name);
	const char *other = carried_like(to, name);
	if (!has_name(link->from, name))
		return fail_unknown(link, item);
	if (own)
		return fail(link, "carry", item,
		    "%s has a field %s of its own: give one of the two "
		    "another name",
		    to->name, own);
	if (!is_same(other, name))
		return fail(link, "carry", item,
		    "another link brings %s to %s, and files and tables make "
		    "no difference between capitals and small letters: give "
		    "one of the two another name",
		    other, to->name);
	return true;
}

static bool check_carry(const struct link *link)
{
	const struct pv_node *list = written(link, "carry");
	bool is_right = true;
	for (const struct pv_node *item = list ? list->first : NULL; item;
	     item = item->next)
		is_right = check_name(link, item) && is_right;
	return is_right;
}

/* Calls it for each link of each kind. */
static bool each_link(struct pv_reading *reading, const struct pv_pages *pages,
    bool (*check)(const struct link *link))
{
	bool is_right = true;
	for (size_t i = 0; i < pages->count; i++) {
		struct link link = {reading, pages, &pages->items[i], 0};
		for (; link.number < link.from->follow_count; link.number++)
			is_right = check(&link) && is_right;
	}
	return is_right;
}

/* What is brought may be brought further: until that adds nothing. */
static void bring_all(struct pv_reading *reading, const struct pv_pages *pages)
{
	while (!each_link(reading, pages, bring)) {
	}
}

bool pv_follow_join(struct pv_reading *reading, const struct pv_pages *pages)
{
	if (!each_link(reading, pages, find_kind))
		return false;
	bring_all(reading, pages);
	return each_link(reading, pages, check_carry);
}
