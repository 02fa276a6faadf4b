#include "serve/routes/order_body.h"

#include <string.h>

#include "base/json/json_page.h"
#include "pavane/pavane.h"
#include "serve/http/problem.h"

bool pv_order_refuse(struct pv_reply *reply, const char *name, const char *what)
{
	pv_problem_reply(reply, 400, "%s: %s", name, what);
	return false;
}

bool pv_order_is_object(
    const struct pv_json *body, const char *example, struct pv_reply *reply)
{
	bool is_object = pv_json_is_object(body);
	if (!is_object)
		pv_problem_reply(reply, 400,
		    "the body is no JSON object, such as %s", example);
	return is_object;
}

/* "policy, urls and labels" */
static void write_list(const char *const *words, struct pv_buf *list)
{
	for (size_t i = 0; words[i]; i++) {
		const char *between = words[i + 1] ? ", " : " and ";
		pv_buf_append_format(list, "%s%s", i ? between : "", words[i]);
	}
}

static bool is_one_of(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

bool pv_order_has_only(const struct pv_json *body, const char *const *known,
    struct pv_reply *reply)
{
	struct pv_json_walk walk = pv_json_walk_of(body);
	struct pv_buf list;
	const char *name;
	while (pv_json_walk_next(&walk, &name)) {
		if (is_one_of(known, name))
			continue;
		const char *nearest = pavane_nearest_word(name, known);
		pv_buf_init(&list, 1000);
		write_list(known, &list);
		pv_problem_reply(reply, 400,
		    "unknown member \"%.80s\"%s%s: known %s %s", name,
		    nearest ? ": did you mean " : "", nearest ? nearest : "",
		    known[1] ? "are" : "is", pv_buf_text(&list));
		pv_buf_finish(&list);
		return false;
	}
	return true;
}

bool pv_order_text(const struct pv_json *body, const char *name,
    struct pv_str *text, struct pv_reply *reply)
{
	*text = pv_json_get_text(body, name);
	if (pv_json_get(body, name) && !text->ptr)
		return pv_order_refuse(reply, name, "expected a text");
	if (!text->ptr)
		*text = PV_STR("");
	/* It may become a text that ends there. */
	if (text->len && memchr(text->ptr, '\0', text->len))
		return pv_order_refuse(reply, name,
		    "expected a text without the character U+0000");
	return true;
}
