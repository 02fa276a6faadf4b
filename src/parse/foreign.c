#include "parse/foreign.h"

#include "base/ascii.h"
#include "parse/value.h"

#define NAME_LEN_MAX 14

/* Names, each between spaces: where what is foreign begins, */
static const char roots[] = " svg math ";

/* where HTML begins again within a drawing or a formula, */
static const char drawing_points[] = " foreignobject desc title ";
static const char formula_points[] = " mi mo mn ms mtext ";

/* and what of HTML ends it, and so do some fonts. */
static const char enders[] =
    " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 "
    "h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span "
    "strong strike sub sup table tt u ul var ";

static bool is_one_of(const char *names, struct pv_str name)
{
	char wanted[NAME_LEN_MAX + 3] = " ";
	if (!name.len || name.len > NAME_LEN_MAX)
		return false;
	for (size_t i = 0; i < name.len; i++)
		wanted[1 + i] = pv_lower(name.ptr[i]);
	wanted[1 + name.len] = ' ';
	return strstr(names, wanted) != NULL;
}

static const struct pv_foreign_element *top(const struct pv_foreign *foreign)
{
	static const struct pv_foreign_element html = {.is_html = true};
	return foreign->depth ? &foreign->open[foreign->depth - 1] : &html;
}

static bool is_annotation(struct pv_str name)
{
	return is_one_of(" annotation-xml ", name);
}

bool pv_foreign_is_inside(const struct pv_foreign *foreign)
{
	return !top(foreign)->is_html;
}

bool pv_foreign_has_cdata(const struct pv_foreign *foreign)
{
	return foreign->depth && !top(foreign)->has_html;
}

bool pv_foreign_is_drawing(const struct pv_foreign *foreign)
{
	return pv_foreign_is_inside(foreign) &&
	       is_one_of(" svg ", top(foreign)->name);
}

bool pv_foreign_is_open_question(struct pv_str name)
{
	return is_one_of(" font ", name) || is_annotation(name);
}

/* Whether a value says that, once its references are read. */
static bool is_value(struct pv_str value, const char *wanted)
{
	struct pv_value_cursor cursor = pv_value_cursor_of(value);
	for (; *wanted && cursor.character >= 0 && cursor.character < 0x80 &&
	       pv_lower((char)cursor.character) == *wanted;
	     wanted++)
		pv_value_next(&cursor);
	return !*wanted && cursor.character < 0;
}

bool pv_foreign_is_answer(
    struct pv_str name, struct pv_str attribute, struct pv_str value)
{
	if (!is_annotation(name))
		return is_one_of(" color face size ", attribute);
	return is_one_of(" encoding ", attribute) &&
	       (is_value(value, "text/html") ||
		   is_value(value, "application/xhtml+xml"));
}

static void leave(struct pv_foreign *foreign)
{
	while (pv_foreign_is_inside(foreign))
		foreign->depth--;
}

void pv_foreign_meet(
    struct pv_foreign *foreign, struct pv_str name, bool is_answered)
{
	bool is_font = is_answered && !is_annotation(name);
	foreign->is_answered = is_answered;
	if (is_font || is_one_of(enders, name))
		leave(foreign);
	if (foreign->depth && !pv_foreign_is_inside(foreign) &&
	    !is_one_of(roots, name))
		foreign->open[foreign->depth - 1].has_html = true;
}

/* Whether it is followed, standing where it does. */
static bool does_begin(const struct pv_foreign *foreign, struct pv_str name)
{
	struct pv_str around = top(foreign)->name;
	if (!pv_foreign_is_inside(foreign))
		return is_one_of(roots, name);
	if (pv_foreign_is_drawing(foreign)) /* a math in it is no formula */
		return is_one_of(" svg ", name) ||
		       is_one_of(drawing_points, name);
	if (is_annotation(around) && is_one_of(" svg ", name))
		return true;
	return is_one_of(" math annotation-xml ", name) ||
	       is_one_of(formula_points, name);
}

void pv_foreign_open(
    struct pv_foreign *foreign, struct pv_str name, bool is_self_closing)
{
	if (is_self_closing || foreign->depth == PV_FOREIGN_DEPTH_MAX ||
	    !does_begin(foreign, name))
		return;
	bool is_html = is_annotation(name) ? foreign->is_answered
					   : !is_one_of(roots, name);
	foreign->open[foreign->depth++] =
	    (struct pv_foreign_element){.name = name, .is_html = is_html};
}

void pv_foreign_close(struct pv_foreign *foreign, struct pv_str name)
{
	/* no such element is open within, so it is one around that ends */
	if (is_one_of(enders, name))
		leave(foreign);
	for (size_t depth = foreign->depth; depth; depth--) {
		if (pv_str_equal_nocase(foreign->open[depth - 1].name, name)) {
			foreign->depth = depth - 1;
			return;
		}
	}
}

#define DECLARATION PV_STR("xmlns:")
#define HREF PV_STR(":href")

bool pv_xlink_is_declared(const struct pv_attribute *attribute)
{
	return pv_str_starts(attribute->name, DECLARATION) &&
	       pv_str_equal(
		   attribute->value, PV_STR("http://www.w3.org/1999/xlink"));
}

struct pv_str pv_xlink_prefix(const struct pv_attribute *attribute)
{
	const struct pv_str declaration = DECLARATION;
	return pv_str_from(attribute->name, declaration.len);
}

bool pv_xlink_is_href(struct pv_str name, struct pv_str prefix)
{
	const struct pv_str href = HREF;
	return prefix.len && name.len == prefix.len + href.len &&
	       pv_str_starts(name, prefix) && pv_str_ends(name, href);
}
