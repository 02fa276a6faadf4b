#include "server/site.h"

#include "base/reader.h"
#include "random.h"

/* The text between the links and the end of a page. */
static const char words[] =
    "All that we did was walk, one step after the other, past walls and "
    "gates and gardens, and at each we waited until whoever lived there "
    "had time for us.\n";

static struct random random_for(const struct site *site, uint32_t page)
{
	return random_of(site->seed ^ (uint64_t)page << 32 ^ site->pages);
}

/* How many pages hang below a page in the tree: half of its links. */
static uint32_t children_of(const struct site *site)
{
	return site->links > 1 ? site->links / 2 : 1;
}

static uint32_t links_of(const struct site *site)
{
	return site->links < SITE_LINKS_MAX ? site->links : SITE_LINKS_MAX;
}

size_t site_links(
    const struct site *site, uint32_t page, uint32_t links[SITE_LINKS_MAX])
{
	size_t count = 0;
	uint32_t wanted = links_of(site);
	struct random random = random_for(site, page);
	uint64_t child = (uint64_t)page * children_of(site) + 1;
	uint64_t last = child + children_of(site);
	if (site->hosts && wanted)
		wanted--;
	while (child < last && child < site->pages && count < wanted)
		links[count++] = (uint32_t)child++;
	while (count < wanted && site->pages)
		links[count++] = (uint32_t)random_below(&random, site->pages);
	return count;
}

bool site_page(const struct site *site, struct pv_str path, uint32_t *page)
{
	uint64_t number = 0;
	struct pv_reader reader = pv_reader_of(path);
	if (!pv_str_equal(path, PV_STR("/")) &&
	    (!pv_reader_accept_str(&reader, PV_STR("/page/")) ||
		!pv_reader_take_number(&reader, UINT32_MAX, &number) ||
		!pv_reader_is_end(&reader) || !number))
		return false;
	if (number >= site->pages)
		return false;
	*page = (uint32_t)number;
	return true;
}

/* Without printf, which would cost more than all the rest of a page. */
static void append_number(struct pv_buf *buf, uint32_t number)
{
	char digits[10];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	pv_buf_append(buf, (struct pv_str){digits + at, sizeof(digits) - at});
}

static void append_link(struct pv_buf *buf, uint32_t page)
{
	pv_buf_append(buf, PV_STR("<a href=\"/"));
	if (page) {
		pv_buf_append(buf, PV_STR("page/"));
		append_number(buf, page);
	}
	pv_buf_append(buf, PV_STR("\">"));
	append_number(buf, page);
	pv_buf_append(buf, PV_STR("</a>\n"));
}

/* At the port that the client asked, which it knows and we do not. */
static void append_other_host(const struct site *site, uint32_t page,
    const struct server_request *request, struct pv_buf *buf)
{
	struct random random = random_for(site, page);
	struct pv_str host = server_header(request->headers, "host");
	size_t colon = pv_str_find_last(host, ':');
	random_next(&random);
	pv_buf_append(buf, PV_STR("<a href=\"//"));
	pv_buf_append_text(buf, site->host_prefix);
	append_number(buf, (uint32_t)random_below(&random, site->hosts));
	pv_buf_append_text(buf, site->host_suffix);
	if (colon != PV_NOT_FOUND)
		pv_buf_append(buf, pv_str_from(host, colon));
	pv_buf_append(buf, PV_STR("/\">another host</a>\n"));
}

static void fill(struct pv_buf *buf, size_t size)
{
	while (buf->len < size) {
		struct pv_str rest = pv_str_of(words);
		if (rest.len > size - buf->len)
			rest.len = size - buf->len;
		pv_buf_append(buf, rest);
	}
}

static void write_page(const struct site *site, uint32_t page,
    const struct server_request *request, struct pv_buf *buf)
{
	static const char end[] = "</p></body></html>\n";
	uint32_t links[SITE_LINKS_MAX];
	size_t count = site_links(site, page, links);
	pv_buf_append(buf, PV_STR("<!doctype html>\n<html><title>page "));
	append_number(buf, page);
	pv_buf_append(buf, PV_STR("</title><body>\n"));
	for (size_t i = 0; i < count; i++)
		append_link(buf, links[i]);
	if (site->hosts)
		append_other_host(site, page, request, buf);
	pv_buf_append(buf, PV_STR("<p>"));
	if (site->size > sizeof(end))
		fill(buf, site->size - (sizeof(end) - 1));
	pv_buf_append_text(buf, end);
}

bool site_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const struct site *site = ctx;
	uint32_t page;
	answer->head_pace.delay_ms = site->latency_ms;
	if (site->robots &&
	    pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
		answer->body = site->robots;
		return true;
	}
	if (!site_page(site, request->path, &page))
		return false;
	write_page(site, page, request, answer->own_body);
	return true;
}
