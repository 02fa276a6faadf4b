#include "fields/output/line_files.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fields/row_csv.h"
#include "sink/line_file.h"
#include "store/tables/note.h"

struct file {
	struct pv_line_file *lines;
	uint64_t length;
	bool is_touched;     /* since it was opened */
	bool has_new_header; /* that the state does not know */
};

struct pv_line_files {
	const struct pv_fields_layout *layout;
	struct file *items;
};

struct pv_line_files *pv_line_files_open(const struct pv_fields_layout *layout,
    const char *directory, struct pv_why *why)
{
	struct pv_line_files *files = pv_alloc(sizeof(*files));
	files->layout = layout;
	files->items =
	    pv_alloc_array(layout->file_count, sizeof(*files->items));
	for (size_t i = 0; i < layout->file_count; i++) {
		files->items[i].lines =
		    pv_line_file_open(directory, layout->files[i].name, why);
		if (files->items[i].lines)
			continue;
		pv_line_files_close(files);
		return NULL;
	}
	return files;
}

void pv_line_files_close(struct pv_line_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->layout->file_count; i++)
		pv_line_file_close(files->items[i].lines);
	free(files->items);
	free(files);
}

/* Headers */

static void write_header(
    const struct pv_fields_file *file, struct pv_buf *header)
{
	pv_buf_init(header, SIZE_MAX);
	if (file->field)
		pv_row_csv_write_record_header(file->field, header);
	else
		pv_row_csv_write_header(file->kind, header);
}

static void name_note(const struct pv_fields_file *file, struct pv_buf *name)
{
	pv_buf_init(name, SIZE_MAX);
	pv_buf_append_format(name, PV_FIELDS_HEADER_NOTE "%s", file->name);
}

static bool is_known(const struct pv_fields_file *file,
    struct pv_database *database, struct pv_str header)
{
	struct pv_buf name, known;
	name_note(file, &name);
	pv_buf_init(&known, SIZE_MAX);
	bool is = pv_note_get_text(database, pv_buf_str(&name), &known) &&
		  pv_str_equal(pv_buf_str(&known), header);
	pv_buf_finish(&name);
	pv_buf_finish(&known);
	return is;
}

static bool begin_csv(
    struct pv_line_files *files, size_t number, struct pv_database *database)
{
	const struct pv_fields_file *file = &files->layout->files[number];
	struct file *item = &files->items[number];
	struct pv_buf header;
	bool is_written = true;
	if (!file->kind)
		return true;
	write_header(file, &header);
	item->has_new_header =
	    !item->length || !is_known(file, database, pv_buf_str(&header));
	if (item->has_new_header)
		is_written = pv_line_files_append(
		    files, number, pv_buf_str(&header), PV_STR(""));
	pv_buf_finish(&header);
	return is_written;
}

static void keep_header(
    struct pv_line_files *files, size_t number, struct pv_database *database)
{
	const struct pv_fields_file *file = &files->layout->files[number];
	struct file *item = &files->items[number];
	struct pv_buf header, name;
	if (!item->has_new_header)
		return;
	write_header(file, &header);
	name_note(file, &name);
	pv_note_set_text(database, pv_buf_str(&name), pv_buf_str(&header));
	item->has_new_header = false;
	pv_buf_finish(&header);
	pv_buf_finish(&name);
}

/* Lines */

bool pv_line_files_recover(struct pv_line_files *files, const uint64_t *lengths,
    struct pv_database *database, struct pv_why *why)
{
	for (size_t i = 0; i < files->layout->file_count; i++) {
		struct file *item = &files->items[i];
		item->length = lengths[i];
		if (!pv_line_file_recover(item->lines, lengths[i], why) ||
		    !begin_csv(files, i, database))
			return false;
	}
	return true;
}

bool pv_line_files_append(struct pv_line_files *files, size_t file,
    struct pv_str line, struct pv_str end)
{
	files->items[file].is_touched = true;
	return pv_line_file_append(files->items[file].lines, line, end);
}

/* What nobody has written to is on the disk. */
bool pv_line_files_sync(struct pv_line_files *files, uint64_t *lengths,
    struct pv_database *database)
{
	for (size_t i = 0; i < files->layout->file_count; i++) {
		struct file *item = &files->items[i];
		if (item->is_touched &&
		    !pv_line_file_sync(item->lines, &item->length))
			return false;
		item->is_touched = false;
		lengths[i] = item->length;
		keep_header(files, i, database);
	}
	return true;
}
