#include "crawl/run/program_words.h"

#include "crawl/conductor.h"
#include "reading/program/program.h"

#define WORD "program"
#define SENTENCE "program-sentence"

static void keep(void *ctx, unsigned number, const struct pv_program_word *word)
{
	pv_store_write_word(ctx, WORD, number, pv_str_of(word->word));
	pv_store_write_word(ctx, SENTENCE, number, pv_str_of(word->sentence));
}

static void keep_new(void *ctx, struct pv_database *database)
{
	pv_program_each_new(ctx, keep, database);
}

void pv_program_words_open(struct pv_crawl *crawl)
{
	struct pv_program *program = crawl->reading.program;
	struct pv_database *database = crawl->store->database;
	struct pv_buf word, sentence;
	if (!program)
		return;
	pv_buf_init(&word, SIZE_MAX);
	pv_buf_init(&sentence, SIZE_MAX);
	for (unsigned number = 1;
	     pv_store_read_word(database, WORD, number, &word) &&
	     pv_store_read_word(database, SENTENCE, number, &sentence);
	     number++) {
		pv_program_add_kept(
		    program, pv_buf_str(&word), pv_buf_str(&sentence));
		pv_buf_clear(&word);
		pv_buf_clear(&sentence);
	}
	pv_buf_finish(&word);
	pv_buf_finish(&sentence);
	pv_writer_before_commit(&crawl->store->writer, keep_new, program);
}
