#include "serve/config/kinds.h"

#include "policy/document/document.h"
#include "policy/option.h"
#include "serve/config/config.h"
#include "serve/config/listen_form.h"

static const char *path_from(
    const struct pv_reading *reading, const char *directory, const char *path)
{
	if (path[0] == '/' || !directory[0])
		return path;
	return pv_arena_format(reading->arena, "%s/%s", directory, path);
}

/* They are written and described like any text. */

static void write_text(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	pv_kind_text.write(option, field, buf);
}

static struct pv_json *schema_text(const struct pv_option *option)
{
	return pv_kind_text.schema(option);
}

static void expect_text(const struct pv_option *option, struct pv_buf *buf)
{
	pv_kind_text.expect(option, buf);
}

/* A directory need not be there yet. */

static bool read_directory(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	const char *text = pv_text_read(reading, option->rule, node);
	if (!text)
		return false;
	*(const char **)field = path_from(reading, reading->directory, text);
	return true;
}

const struct pv_kind pv_kind_directory = {
    .name = "a directory",
    .size = sizeof(const char *),
    .read = read_directory,
    .write = write_text,
    .schema = schema_text,
    .expect = expect_text,
};

/* tokens_file: where it lies, and whether it is there, is known once all was
 * read (config.c). */

static bool read_tokens(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_tokens_file *file = field;
	bool is_none = pv_node_is_word(node, "none");
	const char *text =
	    is_none ? NULL : pv_text_read(reading, option->rule, node);
	if (text)
		*file = (struct pv_tokens_file){
		    .path = path_from(reading, reading->directory, text),
		    .written = text,
		};
	else if (is_none)
		*file = (struct pv_tokens_file){.path = NULL};
	return text || is_none;
}

static void write_tokens(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	const struct pv_tokens_file *file = field;
	pv_kind_text.write(option, &file->path, buf);
}

const struct pv_kind pv_kind_tokens = {
    .name = "a file",
    .size = sizeof(struct pv_tokens_file),
    .read = read_tokens,
    .write = write_tokens,
    .schema = schema_text,
    .expect = expect_text,
};

/* listen */

static bool read_listen(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_listen_form form;
	const char *text = pv_text_read(reading, option->rule, node);
	if (!text || !pv_listen_form_read(pv_str_of(text), &form))
		return false;
	if (form.path.len) {
		const char *path =
		    path_from(reading, reading->directory, form.path.ptr);
		size_t len = strlen(path);
		if (len > PV_LISTEN_PATH_MAX)
			return pv_reading_fail(reading, node,
			    "the path of a socket has at most %d bytes; this "
			    "one has %zu: %s",
			    PV_LISTEN_PATH_MAX, len, path);
		text = pv_arena_format(reading->arena, "unix:%s", path);
	}
	*(const char **)field = text;
	return true;
}

const struct pv_kind pv_kind_listen = {
    .name = "an address to listen on",
    .size = sizeof(const char *),
    .read = read_listen,
    .write = write_text,
    .schema = schema_text,
    .expect = expect_text,
};

/* profiles: names with a file each, all of which must be readable. */

static bool read_profiles(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_pairs read;
	bool is_right = true;
	if (!pv_kind_pairs.read(reading, option, node, &read))
		return false;
	struct pv_pair *pair = read.items;
	for (const struct pv_node *child = node->first; child;
	     child = child->next, pair++) {
		size_t mark = pv_reading_enter(reading, child->key);
		pair->text = pv_file_name_read(reading, child);
		is_right = is_right && pair->text;
		pv_reading_leave(reading, mark);
	}
	if (is_right)
		*(struct pv_pairs *)field = read;
	return is_right;
}

static void write_profiles(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	pv_kind_pairs.write(option, field, buf);
}

static struct pv_json *schema_profiles(const struct pv_option *option)
{
	return pv_kind_pairs.schema(option);
}

static void expect_profiles(const struct pv_option *option, struct pv_buf *buf)
{
	pv_kind_pairs.expect(option, buf);
}

const struct pv_kind pv_kind_profiles = {
    .name = "names with a policy file each",
    .size = sizeof(struct pv_pairs),
    .read = read_profiles,
    .write = write_profiles,
    .schema = schema_profiles,
    .expect = expect_profiles,
};
