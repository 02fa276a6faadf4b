#ifndef PAVANE_STORE_TABLES_FILE_MOVES_H
#define PAVANE_STORE_TABLES_FILE_MOVES_H

#include "base/buf.h"
#include "store/writer.h"

/* Which files of a mirror are to be moved or removed, and what was done to them
 * (the tables gone_files and left_files, and the names in copies).
 *
 * Faults are the database's. What is changed holds when it is committed.
 */

/* A copy that is gone, or was and is back. */
struct pv_file_move {
	int64_t address;
	struct pv_str from; /* its file in site/; borrowed for the call */
	struct pv_str to;   /* the place in gone/; the same */
	bool may_go;        /* nothing else was heard of it since */
};

/* Whether an update has ever found anything gone. */
bool pv_file_moves_have_gone(struct pv_database *database);

/* How many files there are in site/, and how many of them are gone. */
void pv_file_moves_count(
    struct pv_database *database, uint64_t *files, uint64_t *going);

/* Plans that all that is gone goes; whether anything is planned. Of addresses
 * that share a file it stays as long as one of them is there. Planning may be
 * cut between two transactions (store/writer.h); done once more it is whole. */
void pv_file_moves_plan(struct pv_writer *writer);
bool pv_file_moves_are_planned(struct pv_database *database);

/* Calls it with the next planned ones behind that address, up to so many: those
 * that are gone, or those that are back in site/. */
typedef void (*pv_file_move_fn)(void *ctx, const struct pv_file_move *move);
struct pv_file_step {
	bool is_back;
	int64_t after;
	int64_t max;
};
void pv_file_moves_each(struct pv_database *database,
    const struct pv_file_step *step, pv_file_move_fn on_move, void *ctx);

/* The file of an address is that one now; empty: it has none. */
void pv_file_moves_set_file(
    struct pv_database *database, int64_t address, struct pv_str file);

/* It is in gone/ no more. */
void pv_file_moves_forget(struct pv_database *database, int64_t address);

/* An address is kept in that file from now on, which another has, too; its own
 * is left. */
void pv_file_moves_share(
    struct pv_database *database, int64_t address, struct pv_str file);

/* It is kept in that file again, which it had left. */
void pv_file_moves_take_back(
    struct pv_database *database, int64_t address, struct pv_str file);

/* All of it is to be asked for at the next update, whether or not it has
 * changed. */
void pv_file_moves_read_anew(struct pv_database *database, int64_t address);

/* What another address still has is not left. */
void pv_file_moves_keep_shared(struct pv_database *database);

/* Files in which addresses were kept until they got another name: puts the
 * first of them that sorts behind that one in its place; false if there is
 * none. */
bool pv_file_moves_next_left(struct pv_database *database, struct pv_buf *file);
void pv_file_moves_forget_left(
    struct pv_database *database, struct pv_str file);

#endif
