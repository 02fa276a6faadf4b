#include "mirror/left_files.h"

#include <errno.h>
#include <stdint.h>

#include "base/buf.h"
#include "mirror/gone_tree.h"
#include "store/statement.h"

/* One of them, from the first; false if there is none left that was not tried. */
static bool take(
    struct pv_database *database, struct pv_buf *file, struct pv_buf *last)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT file FROM left_files WHERE file > ?1 ORDER BY file LIMIT "
	    "1");
	pv_statement_bind_text(row, 1, pv_buf_str(last));
	bool is_taken = pv_statement_step(row);
	pv_buf_clear(file);
	if (is_taken)
		pv_buf_append(file, pv_statement_text(row, 0));
	pv_statement_destroy(row);
	pv_buf_clear(last);
	pv_buf_append(last, pv_buf_str(file));
	return is_taken;
}

static void forget(struct pv_database *database, const struct pv_buf *file)
{
	struct pv_statement *statement = pv_statement_create(
	    database, "DELETE FROM left_files WHERE file = ?1");
	pv_statement_bind_text(statement, 1, pv_buf_str(file));
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_left_files_remove(struct pv_database *database, const char *directory)
{
	struct pv_gone_tree *tree = pv_gone_tree_create(directory);
	struct pv_buf file;
	struct pv_buf last;
	pv_buf_init(&file, SIZE_MAX);
	pv_buf_init(&last, SIZE_MAX);
	pv_database_begin(database);
	while (take(database, &file, &last)) {
		int error = pv_gone_tree_remove(tree, pv_buf_str(&file));
		if (!error || error == ENOENT)
			forget(database, &file);
	}
	pv_database_commit(database);
	pv_buf_finish(&file);
	pv_buf_finish(&last);
	pv_gone_tree_destroy(tree);
}
