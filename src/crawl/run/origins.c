#include "crawl/run/origins.h"

#include "url/url.h"

/* A seed file could name any number of them; a secret is for a few. */
#define ORIGINS_MAX 100000

void pv_origins_init(struct pv_origins *origins)
{
	origins->count = 0;
	pv_map_init(&origins->map, (struct pv_hash_key){{0}});
	pv_arena_init(&origins->texts);
}

void pv_origins_finish(struct pv_origins *origins)
{
	pv_map_finish(&origins->map);
	pv_arena_finish(&origins->texts);
}

static bool is_full(const struct pv_origins *origins)
{
	return origins->count >= ORIGINS_MAX;
}

static void write_host(const struct pv_url *url, struct pv_buf *text)
{
	pv_buf_clear(text);
	pv_buf_append_text(text, "//");
	pv_buf_append(text, pv_url_host(url));
}

static void write_port(const struct pv_url *url, struct pv_buf *text)
{
	pv_buf_clear(text);
	pv_buf_append_format(text, ":%s%u", url->parts.is_secure ? "s" : "",
	    (unsigned)pv_url_port(url));
}

static void add(struct pv_origins *origins, const struct pv_buf *text)
{
	if (!pv_origins_has(origins, pv_buf_str(text)))
		pv_map_add(&origins->map,
		    pv_arena_copy(&origins->texts, pv_buf_str(text)), 0);
}

void pv_origins_add(struct pv_origins *origins, const struct pv_url *url)
{
	struct pv_buf text;
	if (is_full(origins))
		return;
	pv_buf_init(&text, SIZE_MAX);
	pv_url_write_authority(url, &text);
	if (!pv_origins_has(origins, pv_buf_str(&text))) {
		origins->count++;
		add(origins, &text);
		write_host(url, &text);
		add(origins, &text);
		write_port(url, &text);
		add(origins, &text);
	}
	pv_buf_finish(&text);
}

bool pv_origins_has(const struct pv_origins *origins, struct pv_str authority)
{
	return pv_map_get(&origins->map, authority) != NULL;
}

struct pv_named_seeds pv_origins_find(
    const struct pv_origins *origins, const struct pv_url *url)
{
	struct pv_named_seeds found;
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_url_write_authority(url, &text);
	found.has_authority = pv_origins_has(origins, pv_buf_str(&text));
	write_host(url, &text);
	found.has_host = is_full(origins) /* and so may have been named */ ||
			 pv_origins_has(origins, pv_buf_str(&text));
	write_port(url, &text);
	found.has_port = pv_origins_has(origins, pv_buf_str(&text));
	pv_buf_finish(&text);
	return found;
}
