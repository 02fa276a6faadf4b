#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"
#include "policy/sources/load.h"

#include "tap.h"

/* Every mistake of mistakes.txt gets its exact sentences, and no others. */

struct block {
	struct pv_str name; /* with its marks */
	struct pv_buf policy;
	struct pv_buf wanted; /* the sentences, a line each */
};

static bool has_bytes(struct pv_str name)
{
	return pv_str_ends(name, PV_STR("[bytes]"));
}

/* Appends a line in which \xNN stands for a byte. */
static void append_bytes(struct pv_buf *buf, struct pv_str line)
{
	struct pv_reader reader = pv_reader_of(line);
	while (!pv_reader_is_end(&reader)) {
		if (!pv_reader_accept_str(&reader, PV_STR("\\x"))) {
			pv_buf_append_char(buf, (char)pv_reader_next(&reader));
			continue;
		}
		int high = pv_hex_value(pv_reader_next(&reader));
		int low = pv_hex_value(pv_reader_next(&reader));
		pv_buf_append_char(buf, (char)(high * 16 + low));
	}
}

static void block_add_line(struct block *block, struct pv_str line)
{
	if (pv_str_starts(line, PV_STR("-- "))) {
		pv_buf_append(&block->wanted, pv_str_from(line, 3));
		pv_buf_append_char(&block->wanted, '\n');
		return;
	}
	if (has_bytes(block->name))
		append_bytes(&block->policy, line);
	else
		pv_buf_append(&block->policy, line);
	pv_buf_append_char(&block->policy, '\n');
}

static void write_found(const struct pv_why *why, struct pv_buf *found)
{
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		struct pv_buf line;
		pv_buf_init(&line, 16384);
		pv_problem_write(&why->problems.kept[i], &line);
		pv_buf_append(found, pv_buf_str(&line));
		pv_buf_append_char(found, '\n');
		pv_buf_finish(&line);
	}
}

static void try_block(struct block *block)
{
	struct pv_why why;
	struct pv_buf found;
	pv_why_init(&why);
	pv_buf_init(&found, 65536);
	struct pv_policy *policy =
	    pv_policy_load_text("p.yaml", pv_buf_str(&block->policy), &why);
	write_found(&why, &found);
	is_text(pv_buf_str(&found), pv_buf_text(&block->wanted), "%.*s",
	    PV_STR_ARG(block->name));
	pv_policy_destroy(policy);
	pv_why_finish(&why);
	pv_buf_finish(&found);
	pv_buf_finish(&block->policy);
	pv_buf_finish(&block->wanted);
}

static size_t try_blocks(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct block block = {0};
	size_t count = 0;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_line(&reader);
		if (pv_str_starts(line, PV_STR("== "))) {
			if (count++)
				try_block(&block);
			block.name = pv_str_from(line, 3);
			pv_buf_init(&block.policy, 65536);
			pv_buf_init(&block.wanted, 65536);
		} else if (count && line.len) {
			block_add_line(&block, line);
		}
	}
	if (count)
		try_block(&block);
	return count;
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	struct pv_buf path;
	struct pv_buf text;
	pv_buf_init(&path, 4096);
	pv_buf_init(&text, 1024 * 1024);
	pv_buf_append_format(
	    &path, "%s/tests/policy/mistakes.txt", srcdir ? srcdir : ".");
	ok(pv_file_read(pv_buf_text(&path), &text) == PV_FILE_READ,
	    "mistakes.txt can be read");
	ok(try_blocks(pv_buf_str(&text)) >= 80,
	    "there are at least eighty mistakes");
	pv_buf_finish(&path);
	pv_buf_finish(&text);
	return tap_done();
}
