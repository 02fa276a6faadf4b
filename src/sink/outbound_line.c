#include "sink/outbound_line.h"

#include "base/json/json.h"
#include "sink/line_parts.h"

static const char *lists_word(enum pv_listing listing)
{
	static const char *const words[PV_LISTING_COUNT] = {
	    [PV_LISTS_NOTHING] = "",
	    [PV_LISTS_PAGES] = "pages",
	    [PV_LISTS_ALL] = "all",
	};
	return words[listing];
}

/* Writing */

static void add_flag(struct pv_buf *line, struct pv_str key, bool is_set)
{
	if (!is_set)
		return;
	pv_buf_append(line, key);
	pv_buf_append_text(line, "true");
}

static void add_some(struct pv_buf *line, struct pv_str key, uint64_t number)
{
	if (number)
		pv_line_add_number(line, key, number);
}

void pv_outbound_line_write(const struct pv_link *link, struct pv_str kind,
    struct pv_str via, struct pv_buf *line)
{
	const struct pv_standing *standing = &link->standing;
	pv_buf_append_text(line, "{\"url\":");
	pv_json_write_text(link->url, line);
	pv_line_add_text(
	    line, PV_LINE_KEY("use"), pv_str_of(pv_use_word(standing->use)));
	pv_line_add_number(line, PV_LINE_KEY("depth"), standing->depth);
	if (standing->depth_left < PV_DEPTH_MAX)
		pv_line_add_number(
		    line, PV_LINE_KEY("depth_left"), standing->depth_left);
	add_some(line, PV_LINE_KEY("hops"), standing->hops);
	add_some(line, PV_LINE_KEY("redirects"), standing->redirects);
	pv_line_add_text(line, PV_LINE_KEY("lists"),
	    pv_str_of(lists_word(standing->listing)));
	add_flag(line, PV_LINE_KEY("only_list"), standing->is_only_list);
	add_flag(line, PV_LINE_KEY("entry"), standing->is_entry);
	pv_line_add_text(line, PV_LINE_KEY("kind"), kind);
	pv_line_add_text(line, PV_LINE_KEY("tag"), link->tag);
	if (link->carry.len) {
		pv_buf_append(line, PV_LINE_KEY("carry"));
		pv_buf_append(line, link->carry);
	}
	if (link->lastmod_wall_ms > 0)
		pv_line_add_number(line, PV_LINE_KEY("lastmod_ms"),
		    (uint64_t)link->lastmod_wall_ms);
	pv_line_add_url(line, PV_LINE_KEY("via"), via);
	pv_buf_append_char(line, '}');
}

/* Reading */

/* A number up to `max`, where the member is there; else it stays as it was. */
static bool read_number(const struct pv_json *value, const char *name,
    uint32_t max, uint32_t *number)
{
	int64_t found = pv_json_get_integer(value, name, -1);
	if (!pv_json_get(value, name))
		return true;
	if (found < 0 || found > max)
		return false;
	*number = (uint32_t)found;
	return true;
}

static const char *read_numbers(
    const struct pv_json *value, struct pv_standing *standing)
{
	standing->depth_left = PV_DEPTH_MAX;
	if (!pv_json_get(value, "depth") ||
	    !read_number(value, "depth", PV_DEPTH_MAX, &standing->depth))
		return "its depth is no number of links";
	if (!read_number(
		value, "depth_left", PV_DEPTH_MAX, &standing->depth_left))
		return "its depth_left is no number of links";
	if (!read_number(value, "hops", PV_HOPS_MAX, &standing->hops))
		return "its hops are no number of pages";
	if (!read_number(
		value, "redirects", PV_REDIRECTS_MAX, &standing->redirects))
		return "its redirects are no number of redirects";
	return NULL;
}

static bool read_use(const struct pv_json *value, struct pv_standing *standing)
{
	struct pv_str word = pv_json_get_text(value, "use");
	standing->use = PV_RESOURCE;
	if (pv_str_equal(word, pv_str_of(pv_use_word(PV_PAGE))))
		standing->use = PV_PAGE;
	return standing->use == PV_PAGE ||
	       pv_str_equal(word, pv_str_of(pv_use_word(PV_RESOURCE)));
}

static bool read_lists(
    const struct pv_json *value, struct pv_standing *standing)
{
	struct pv_str word = pv_json_get_text(value, "lists");
	if (!pv_json_get(value, "lists"))
		return true;
	for (unsigned i = PV_LISTS_PAGES; i < PV_LISTING_COUNT; i++) {
		if (pv_str_equal(
			word, pv_str_of(lists_word((enum pv_listing)i)))) {
			standing->listing = (enum pv_listing)i;
			return true;
		}
	}
	return false;
}

static const char *read_standing(
    const struct pv_json *value, struct pv_standing *standing)
{
	if (!read_use(value, standing))
		return "its use is neither page nor resource";
	const char *fault = read_numbers(value, standing);
	if (fault)
		return fault;
	if (!read_lists(value, standing))
		return "its lists are neither pages nor all";
	standing->is_only_list = pv_json_get_bool(value, "only_list");
	standing->is_entry = pv_json_get_bool(value, "entry");
	pv_standing_bound(standing);
	return NULL;
}

static const char *read_carry(
    const struct pv_json *value, struct pv_outbound_line *read)
{
	const struct pv_json *carry = pv_json_get(value, "carry");
	if (!carry)
		return NULL;
	if (!pv_json_is_object(carry) ||
	    !pv_json_write(carry, false, &read->carry))
		return "its carry is not a JSON object";
	read->link.carry = pv_buf_str(&read->carry);
	return NULL;
}

/* Whether the member is a text, if it is there. */
static bool read_text(
    const struct pv_json *value, const char *name, struct pv_str *text)
{
	const struct pv_json *member = pv_json_get(value, name);
	*text = pv_json_text_of(member);
	return !member || text->ptr;
}

static const char *read_texts(
    const struct pv_json *value, struct pv_outbound_line *read)
{
	if (!read_text(value, "tag", &read->link.tag))
		return "its tag is no text";
	if (!read_text(value, "kind", &read->kind))
		return "its kind is no text";
	if (!read_text(value, "via", &read->via))
		return "its via is no text";
	return NULL;
}

const char *pv_outbound_line_read(
    struct pv_outbound_line *read, struct pv_str line)
{
	struct pv_json *value = pv_json_read(line);
	*read = (struct pv_outbound_line){.value = value};
	pv_buf_init(&read->carry, PV_OUTBOUND_LINE_MAX);
	if (!pv_json_is_object(value))
		return "it is not a JSON object";
	read->link.url = pv_json_get_text(value, "url");
	if (!read->link.url.len)
		return "it has no url";
	const char *fault = read_standing(value, &read->link.standing);
	if (!fault)
		fault = read_texts(value, read);
	if (!fault)
		fault = read_carry(value, read);
	int64_t lastmod = pv_json_get_integer(value, "lastmod_ms", 0);
	if (!fault &&
	    (lastmod < 0 || (pv_json_get(value, "lastmod_ms") && !lastmod)))
		fault = "its lastmod_ms is no time";
	read->link.lastmod_wall_ms = fault ? 0 : lastmod;
	return fault;
}

void pv_outbound_line_finish(struct pv_outbound_line *read)
{
	pv_json_destroy(read->value);
	pv_buf_finish(&read->carry);
}
