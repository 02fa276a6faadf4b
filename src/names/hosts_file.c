#include "names/hosts_file.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"
#include "policy/values/host_pattern.h"

#define FILE_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* Ends a chain. */
#define NOWHERE UINT32_MAX

/* Who may write the file may do worse than make names collide. */
static const struct pv_hash_key hash_key = {{0x70617661, 0x6e65}};

/* One name with one address; further addresses of the name are behind it. */
struct pv_hosts_line {
	struct pv_address address;
	uint32_t behind;
};

static bool is_blank(int byte)
{
	return pv_is_blank(byte);
}

static bool is_visible(int byte)
{
	return byte > ' ';
}

static void add(struct pv_hosts_file *file, struct pv_str name,
    const struct pv_address *address)
{
	uint32_t number = (uint32_t)file->count;
	struct pv_hosts_line *line =
	    PV_ARRAY_PUSH(file->lines, file->count, file->size);
	*line = (struct pv_hosts_line){*address, NOWHERE};
	name = pv_host_name_trim(name);
	uint32_t *first = pv_map_get(&file->names, name);
	if (!first) {
		pv_map_add(&file->names, name, number);
		return;
	}
	line->behind = *first;
	*first = number;
}

/* "192.0.2.1 docs.example.org docs # a comment": what is no address (one with a
 * zone, for instance) names nobody. */
static void read_line(struct pv_hosts_file *file, struct pv_str line)
{
	struct pv_address address;
	struct pv_reader reader = pv_reader_of(line);
	struct pv_reader words =
	    pv_reader_of(pv_reader_take_until(&reader, '#'));
	pv_reader_take_while(&words, is_blank);
	if (!pv_address_read(
		pv_reader_take_while(&words, is_visible), &address))
		return;
	while (!pv_reader_is_end(&words)) {
		pv_reader_take_while(&words, is_blank);
		struct pv_str name = pv_reader_take_while(&words, is_visible);
		if (!name.len)
			return;
		add(file, name, &address);
	}
}

static void read_text(struct pv_hosts_file *file)
{
	for (size_t i = 0; i < file->text.len; i++)
		file->text.ptr[i] = pv_lower(file->text.ptr[i]);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&file->text));
	while (!pv_reader_is_end(&reader))
		read_line(file, pv_reader_take_line(&reader));
}

void pv_hosts_file_init(struct pv_hosts_file *file, const char *path)
{
	*file = (struct pv_hosts_file){0};
	pv_map_init(&file->names, hash_key);
	pv_buf_init(&file->text, FILE_BYTES_MAX);
	if (path && pv_file_read(path, &file->text) == PV_FILE_READ)
		read_text(file);
}

void pv_hosts_file_finish(struct pv_hosts_file *file)
{
	free(file->lines);
	pv_map_finish(&file->names);
	pv_buf_finish(&file->text);
}

bool pv_hosts_file_each(const struct pv_hosts_file *file, struct pv_str host,
    pv_hosts_fn on_address, void *ctx)
{
	const uint32_t *first =
	    pv_map_get(&file->names, pv_host_name_trim(host));
	if (!first)
		return false;
	for (uint32_t i = *first; i != NOWHERE; i = file->lines[i].behind)
		on_address(ctx, &file->lines[i].address);
	return true;
}
