#include "fleet/scene/web.h"

#include <stdlib.h>

#define HOSTS_OF_A_NET 250

static const char robots[] = "User-agent: *\nDisallow: /never\n";

/* Where a link leads: pages are counted from 0, each host's one after the other. */
static size_t link_of(const struct web *web, size_t page, unsigned link)
{
	size_t host = page / WEB_PAGES;
	size_t number = page % WEB_PAGES;
	size_t to = host + 1 + (number - 1) * WEB_LINKS + link * 37;
	return to % web->hosts * WEB_PAGES + link % WEB_PAGES;
}

static unsigned link_count(size_t page)
{
	return page % WEB_PAGES ? WEB_LINKS : WEB_PAGES - 1;
}

static size_t target_of(const struct web *web, size_t page, unsigned link)
{
	return page % WEB_PAGES ? link_of(web, page, link) : page + 1 + link;
}

static unsigned address_count(const struct web *web)
{
	return web->together > 1
		   ? (web->hosts + web->together - 1) / web->together
		   : web->hosts;
}

static void append_address(size_t address, struct pv_buf *text)
{
	pv_buf_append_format(text, "127.0.%zu.%zu",
	    1 + address / HOSTS_OF_A_NET, 1 + address % HOSTS_OF_A_NET);
}

static void append_host(const struct web *web, size_t host, struct pv_buf *text)
{
	if (web->together > 1)
		pv_buf_append_format(
		    text, "h%zu.a%zu.test", host, host % address_count(web));
	else
		append_address(host, text);
}

void web_append_first(const struct web *web, struct pv_buf *text)
{
	append_host(web, 0, text);
}

void web_append_addresses(const struct web *web, struct pv_buf *text)
{
	if (web->together <= 1)
		return;
	for (unsigned i = 0; i < address_count(web); i++) {
		pv_buf_append_format(
		    text, "%s\"*.a%u.test\": ", i ? ", " : "", i);
		append_address(i, text);
	}
}

static bool take_number(struct pv_str text, uint64_t max, uint64_t *number)
{
	*number = 0;
	if (!text.len || text.len > 5)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return false;
		*number = *number * 10 + (uint64_t)(text.ptr[i] - '0');
	}
	return *number <= max;
}

static bool find_by_address(struct pv_str host, size_t *which)
{
	static const struct pv_str front = PV_STR("127.0.");
	uint64_t net, place;
	if (!pv_str_starts(host, front))
		return false;
	struct pv_str rest = pv_str_from(host, front.len);
	size_t dot = pv_str_find(rest, '.');
	if (dot == PV_NOT_FOUND ||
	    !take_number((struct pv_str){rest.ptr, dot}, 255, &net) ||
	    !take_number(pv_str_from(rest, dot + 1), HOSTS_OF_A_NET, &place) ||
	    !net || !place)
		return false;
	*which = (net - 1) * HOSTS_OF_A_NET + place - 1;
	return true;
}

static bool find_by_name(
    const struct web *web, struct pv_str host, size_t *which)
{
	uint64_t number;
	size_t dot = pv_str_find(host, '.');
	if (dot == PV_NOT_FOUND || !dot || *host.ptr != 'h' ||
	    !take_number(
		(struct pv_str){host.ptr + 1, dot - 1}, web->hosts, &number))
		return false;
	struct pv_buf name;
	pv_buf_init(&name, SIZE_MAX);
	append_host(web, number, &name);
	bool is_it = pv_str_equal(pv_buf_str(&name), host);
	pv_buf_finish(&name);
	*which = number;
	return is_it;
}

bool web_find_page(
    const struct web *web, struct pv_str host, struct pv_str path, size_t *page)
{
	uint64_t number = 0;
	size_t which;
	bool is_host = web->together > 1 ? find_by_name(web, host, &which)
					 : find_by_address(host, &which);
	if (!is_host || !path.len || path.ptr[0] != '/')
		return false;
	if (path.len > 1 &&
	    !take_number(pv_str_from(path, 1), WEB_PAGES - 1, &number))
		return false;
	*page = which * WEB_PAGES + number;
	return which < web->hosts && (path.len == 1 || number);
}

static void append_link(const struct web *web,
    const struct server_request *request, size_t page, struct pv_buf *buf)
{
	struct pv_str own = server_header(request->headers, "host");
	size_t colon = pv_str_find(own, ':');
	struct pv_str port =
	    colon == PV_NOT_FOUND ? PV_STR("") : pv_str_from(own, colon);
	pv_buf_append_text(buf, "<a href=\"http://");
	append_host(web, page / WEB_PAGES, buf);
	pv_buf_append_format(buf, "%.*s/", PV_STR_ARG(port));
	if (page % WEB_PAGES)
		pv_buf_append_format(buf, "%zu", page % WEB_PAGES);
	pv_buf_append_text(buf, "\">a page</a>\n");
}

bool web_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const struct web *web = ctx;
	size_t page;
	answer->head_pace.delay_ms = web->latency_ms;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
		answer->body = robots;
		return true;
	}
	if (!web_find_page(web, request->host, request->path, &page))
		return false;
	pv_buf_append_format(
	    answer->own_body, "<!doctype html><title>page %zu</title>\n", page);
	for (unsigned i = 0; i < link_count(page); i++)
		append_link(
		    web, request, target_of(web, page, i), answer->own_body);
	return true;
}

size_t web_count_reachable(const struct web *web)
{
	size_t all = (size_t)web->hosts * WEB_PAGES;
	bool *is_known = calloc(all, sizeof(*is_known));
	size_t *known = calloc(all, sizeof(*known));
	size_t count = 1;
	is_known[0] = true;
	for (size_t next = 0; next < count; next++) {
		for (unsigned i = 0; i < link_count(known[next]); i++) {
			size_t to = target_of(web, known[next], i);
			if (!is_known[to])
				known[count++] = to;
			is_known[to] = true;
		}
	}
	free(is_known);
	free(known);
	return count;
}
