#include "mirror/update/left_files.h"

#include <errno.h>
#include <stdint.h>

#include "base/buf.h"
#include "mirror/update/gone_tree.h"
#include "store/tables/file_moves.h"
#include "store/wal.h"

/* Files of a transaction, each of which may change pages of its own. */
#define BATCH 1000

/* What is behind that file; false after the last. */
static bool remove_some(struct pv_database *database, struct pv_gone_tree *tree,
    struct pv_buf *file)
{
	size_t count = 0;
	pv_database_begin(database);
	while (count < BATCH && pv_file_moves_next_left(database, file)) {
		int error = pv_gone_tree_remove(tree, pv_buf_str(file));
		if (!error || error == ENOENT)
			pv_file_moves_forget_left(database, pv_buf_str(file));
		count++;
	}
	return pv_database_commit(database) && count == BATCH;
}

void pv_left_files_remove(struct pv_database *database, const char *directory)
{
	struct pv_gone_tree *tree = pv_gone_tree_create(directory);
	struct pv_buf file;
	pv_buf_init(&file, SIZE_MAX);
	while (remove_some(database, tree, &file))
		pv_wal_fold(database);
	pv_buf_finish(&file);
	pv_gone_tree_destroy(tree);
}
