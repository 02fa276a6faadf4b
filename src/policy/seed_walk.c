#include "policy/seed_walk.h"

#include "policy/sameness.h"
#include "url/url.h"

bool pv_seed_walk_open(struct pv_seed_walk *walk, const struct pv_seed *seed)
{
	*walk = (struct pv_seed_walk){.seed = seed};
	pv_buf_init(&walk->text, PV_SEED_LINE_MAX);
	if (seed->kind == PV_SEED_FILE)
		walk->file = fopen(seed->text, "re");
	return seed->kind != PV_SEED_FILE || walk->file;
}

void pv_seed_walk_close(struct pv_seed_walk *walk)
{
	if (walk->file)
		fclose(walk->file);
	walk->file = NULL;
	pv_buf_finish(&walk->text);
}

/* Takes a line into the buffer; what is beyond its ceiling is passed over.
 * False at the end. */
static bool take_line(struct pv_seed_walk *walk)
{
	int byte;
	bool has_any = false;
	pv_buf_clear(&walk->text);
	walk->line++;
	while ((byte = getc_unlocked(walk->file)) != EOF) {
		has_any = true;
		if (byte == '\n')
			break;
		pv_buf_append_char(&walk->text, (char)byte);
	}
	return has_any;
}

/* The line without blanks, a carriage return or a byte order mark. */
static struct pv_str line_text(const struct pv_seed_walk *walk)
{
	struct pv_str line = pv_buf_str(&walk->text);
	if (walk->line == 1 && pv_str_starts(line, PV_STR("\xef\xbb\xbf")))
		line = pv_str_from(line, 3);
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	return pv_str_trim(line);
}

static enum pv_seed_step next_line(struct pv_seed_walk *walk)
{
	while (!walk->has_failed && take_line(walk)) {
		if (walk->text.is_full) {
			walk->fault = "this line is longer than 65536 bytes";
			return PV_SEED_FAULT;
		}
		struct pv_str line = line_text(walk);
		if (!line.len || line.ptr[0] == '#')
			continue;
		memmove(walk->text.ptr, line.ptr, line.len);
		walk->text.len = line.len;
		walk->text.ptr[line.len] = '\0';
		return PV_SEED_ADDRESS;
	}
	if (walk->has_failed || !ferror(walk->file))
		return PV_SEED_END;
	walk->fault = "the file cannot be read further";
	walk->has_failed = true;
	return PV_SEED_FAULT;
}

enum pv_seed_step pv_seed_walk_next(struct pv_seed_walk *walk)
{
	const struct pv_template *template = &walk->seed->address;
	if (walk->file)
		return next_line(walk);
	if (walk->number >= template->count)
		return PV_SEED_END;
	pv_buf_clear(&walk->text);
	pv_template_write(template, walk->number++, &walk->text);
	if (!walk->text.is_full)
		return PV_SEED_ADDRESS;
	walk->fault = "this address is longer than 65536 bytes";
	return PV_SEED_FAULT;
}

/* What is looked for, and room for what is read. */
struct search {
	const struct pv_url *url;
	struct pv_sameness sameness;
	struct pv_buf authority;
	struct pv_url seed;
	struct pv_buf text;
	struct pv_named_seeds found;
};

static void compare(struct search *search)
{
	pv_crawl_identity_apply(&search->sameness.identity, &search->seed);
	if (search->seed.parts.is_secure == search->url->parts.is_secure &&
	    pv_url_port(&search->seed) == pv_url_port(search->url))
		search->found.has_port = true;
	if (!pv_str_equal(pv_url_host(&search->seed), pv_url_host(search->url)))
		return;
	search->found.has_host = true;
	pv_buf_clear(&search->text);
	pv_url_write_authority(&search->seed, &search->text);
	if (pv_str_equal(
		pv_buf_str(&search->text), pv_buf_str(&search->authority)))
		search->found.has_authority = true;
}

static void look_through(struct search *search, const struct pv_seed *seed)
{
	struct pv_seed_walk walk;
	enum pv_seed_step step;
	if (pv_seed_walk_open(&walk, seed)) {
		while (!search->found.has_authority &&
		       (step = pv_seed_walk_next(&walk)) != PV_SEED_END) {
			if (step == PV_SEED_ADDRESS &&
			    !pv_seed_parse(
				&search->seed, pv_buf_str(&walk.text)))
				compare(search);
		}
	}
	pv_seed_walk_close(&walk);
}

struct pv_named_seeds pv_named_seeds_find(
    const struct pv_policy *policy, const struct pv_url *url)
{
	struct search search = {.url = url};
	pv_sameness_init(&search.sameness, policy);
	pv_buf_init(&search.authority, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&search.text, PV_SEED_ADDRESS_MAX);
	pv_url_init(&search.seed, PV_SEED_ADDRESS_MAX);
	pv_url_write_authority(url, &search.authority);
	for (size_t i = 0;
	     i < policy->seeds.count && !search.found.has_authority; i++)
		look_through(&search, &policy->seeds.items[i]);
	pv_url_finish(&search.seed);
	pv_buf_finish(&search.text);
	pv_buf_finish(&search.authority);
	pv_sameness_finish(&search.sameness);
	return search.found;
}
