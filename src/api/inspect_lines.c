#include "api/inspect_lines.h"

#include "base/file.h"

void pv_inspect_lines_init(
    struct pv_inspect_lines *lines, pavane_write_fn write, void *ctx)
{
	*lines = (struct pv_inspect_lines){.write = write, .ctx = ctx};
	pv_map_init(&lines->known, (struct pv_hash_key){{0}});
	pv_arena_init(&lines->texts);
}

void pv_inspect_lines_finish(struct pv_inspect_lines *lines)
{
	pv_map_finish(&lines->known);
	pv_arena_finish(&lines->texts);
}

void pv_inspect_lines_print(
    struct pv_inspect_lines *lines, const char *word, struct pv_str text)
{
	struct pv_buf line;
	pv_buf_init(&line, PV_INSPECT_ADDRESS_MAX + 64);
	pv_buf_append_format(&line, "%s\t", word);
	pv_buf_append(&line, text);
	pv_buf_append_char(&line, '\n');
	struct pv_str kept = pv_buf_str(&line);
	if (!pv_map_get(&lines->known, kept)) {
		pv_map_add(
		    &lines->known, pv_arena_copy(&lines->texts, kept), 0);
		lines->write(lines->ctx, kept.ptr, kept.len);
	}
	pv_buf_finish(&line);
}

bool pv_inspect_read(const char *path, struct pv_buf *text, bool *is_cut)
{
	enum pv_file_read result = pv_file_read(path, text);
	*is_cut = result == PV_FILE_TOO_LARGE;
	return result != PV_FILE_FAILED;
}
