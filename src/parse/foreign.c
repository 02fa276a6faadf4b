#include "parse/foreign.h"

#include "base/ascii.h"

#define NAME_LEN_MAX 14

/* Names, each between spaces: where what is foreign begins, */
static const char roots[] = " svg math ";

/* where HTML begins again within a drawing or a formula, */
static const char drawing_points[] = " foreignobject desc title ";
static const char formula_points[] = " mi mo mn ms mtext ";

/* and what of HTML ends it. */
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

static struct pv_str top(const struct pv_foreign *foreign)
{
	if (!foreign->depth)
		return PV_STR("");
	return foreign->open[foreign->depth - 1];
}

bool pv_foreign_is_inside(const struct pv_foreign *foreign)
{
	return is_one_of(roots, top(foreign));
}

bool pv_foreign_is_drawing(const struct pv_foreign *foreign)
{
	return is_one_of(" svg ", top(foreign));
}

static void leave(struct pv_foreign *foreign)
{
	while (pv_foreign_is_inside(foreign))
		foreign->depth--;
}

void pv_foreign_meet(struct pv_foreign *foreign, struct pv_str name)
{
	if (is_one_of(enders, name))
		leave(foreign);
}

void pv_foreign_open(
    struct pv_foreign *foreign, struct pv_str name, bool is_self_closing)
{
	bool begins = is_one_of(roots, name);
	if (pv_foreign_is_inside(foreign)) /* a math in an svg is no formula */
		begins =
		    pv_str_equal_nocase(top(foreign), name) ||
		    is_one_of(pv_foreign_is_drawing(foreign) ? drawing_points
							     : formula_points,
			name);
	if (begins && !is_self_closing && foreign->depth < PV_FOREIGN_DEPTH_MAX)
		foreign->open[foreign->depth++] = name;
}

void pv_foreign_close(struct pv_foreign *foreign, struct pv_str name)
{
	/* no such element is open within, so it is one around that ends */
	if (is_one_of(enders, name))
		leave(foreign);
	for (size_t depth = foreign->depth; depth; depth--) {
		if (pv_str_equal_nocase(foreign->open[depth - 1], name)) {
			foreign->depth = depth - 1;
			return;
		}
	}
}
