#include "reading/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/array.h"
#include "base/utf8.h"

void pv_program_init(
    struct pv_program *program, const struct pavane_events *events, void *ctx)
{
	*program = (struct pv_program){.ctx = ctx};
	pthread_mutex_init(&program->mutex, NULL);
	if (!events)
		return;
	size_t size =
	    events->size < sizeof(*events) ? events->size : sizeof(*events);
	memcpy(&program->events, events, size);
}

void pv_program_finish(struct pv_program *program)
{
	pthread_mutex_destroy(&program->mutex);
	free(program->words);
}

/* Words */

static bool is_word_byte(char byte)
{
	return pv_is_digit(byte) || byte == '-' || (byte >= 'a' && byte <= 'z');
}

/* What it may not be is left out. */
static void fill_word(struct pv_program_word *filled, struct pv_str word)
{
	size_t len = 0;
	for (size_t i = 0; i < word.len && len < PV_PROGRAM_WORD_MAX; i++) {
		if (is_word_byte(word.ptr[i]))
			filled->word[len++] = word.ptr[i];
	}
	if (!len)
		snprintf(filled->word, sizeof(filled->word), "%s",
		    pv_reason_word(PV_REASON_PROGRAM));
}

static void fill_sentence(
    struct pv_program_word *filled, struct pv_str sentence)
{
	struct pv_str head = pv_utf8_head(sentence, PV_PROGRAM_SENTENCE_MAX);
	for (size_t i = 0; i < head.len; i++) {
		unsigned char byte = (unsigned char)head.ptr[i];
		filled->sentence[i] =
		    byte < 32 || byte == 127 ? ' ' : head.ptr[i];
	}
}

static struct pv_program_word word_of(
    struct pv_str word, struct pv_str sentence)
{
	struct pv_program_word filled = {.word = ""};
	fill_word(&filled, word);
	fill_sentence(&filled, sentence);
	return filled;
}

/* The mutex is held. */
static size_t push(
    struct pv_program *program, const struct pv_program_word *word)
{
	*PV_ARRAY_PUSH(program->words, program->count, program->size) = *word;
	return program->count;
}

static bool is_same(
    const struct pv_program_word *a, const struct pv_program_word *b)
{
	return strcmp(a->word, b->word) == 0 &&
	       strcmp(a->sentence, b->sentence) == 0;
}

/* Its number, which is new or not. */
static unsigned number_of(
    struct pv_program *program, const struct pv_program_word *word)
{
	static const struct pv_program_word others = {
	    "others", "for one of further reasons"};
	size_t number = 0;
	pthread_mutex_lock(&program->mutex);
	while (
	    number < program->count && !is_same(&program->words[number], word))
		number++;
	if (number < program->count)
		number++;
	else if (program->count < PV_PROGRAM_WORDS_MAX - 1)
		number = push(program, word);
	else if (program->count < PV_PROGRAM_WORDS_MAX)
		number = push(program, &others);
	else
		number = PV_PROGRAM_WORDS_MAX;
	pthread_mutex_unlock(&program->mutex);
	return (unsigned)number;
}

void pv_program_add_kept(
    struct pv_program *program, struct pv_str word, struct pv_str sentence)
{
	struct pv_program_word kept = word_of(word, sentence);
	pthread_mutex_lock(&program->mutex);
	program->kept = push(program, &kept);
	pthread_mutex_unlock(&program->mutex);
}

void pv_program_each_new(
    struct pv_program *program, pv_program_keep_fn keep, void *ctx)
{
	pthread_mutex_lock(&program->mutex);
	for (; program->kept < program->count; program->kept++)
		keep(ctx, (unsigned)program->kept + 1,
		    &program->words[program->kept]);
	pthread_mutex_unlock(&program->mutex);
}

bool pv_program_get(
    struct pv_program *program, unsigned number, struct pv_program_word *word)
{
	pthread_mutex_lock(&program->mutex);
	bool is_there = number && number <= program->count;
	if (is_there)
		*word = program->words[number - 1];
	pthread_mutex_unlock(&program->mutex);
	return is_there;
}

/* Asking */

static struct pv_verdict refuse(
    struct pv_program *program, const struct pavane_refusal *refusal)
{
	struct pv_program_word word =
	    word_of(pv_str_of(refusal->word ? refusal->word : ""),
		pv_str_of(refusal->sentence ? refusal->sentence : ""));
	return (struct pv_verdict){
	    PV_REASON_PROGRAM, number_of(program, &word)};
}

static enum pavane_choice choose(struct pv_program *program,
    const struct pv_program_link *asked, struct pv_verdict verdict,
    struct pavane_refusal *refusal)
{
	struct pv_buf address, page;
	pv_buf_init(&address, SIZE_MAX);
	pv_buf_init(&page, SIZE_MAX);
	pv_buf_append(&address, asked->address);
	pv_buf_append(&page, asked->page);
	const struct pv_reason_row *reason = pv_reason_get(verdict.reason);
	const struct pavane_link link = {
	    .address = pv_buf_text(&address),
	    .page = pv_buf_text(&page),
	    .place = asked->place,
	    .depth = asked->depth,
	    .verdict = reason->word,
	    .sentence = reason->sentence,
	    .may_be_admitted = reason->may_be_admitted,
	};
	enum pavane_choice choice =
	    program->events.on_link(program->ctx, &link, refusal);
	pv_buf_finish(&address);
	pv_buf_finish(&page);
	return choice;
}

struct pv_verdict pv_program_ask(struct pv_program *program,
    const struct pv_program_link *link, struct pv_verdict verdict)
{
	struct pavane_refusal refusal = {NULL, NULL};
	enum pavane_choice choice = choose(program, link, verdict, &refusal);
	bool is_admitted = verdict.reason == PV_REASON_NONE;
	if (choice == PAVANE_REFUSE && is_admitted)
		return refuse(program, &refusal);
	if (choice == PAVANE_ADMIT && !is_admitted &&
	    pv_reason_get(verdict.reason)->may_be_admitted)
		return (struct pv_verdict){.reason = PV_REASON_NONE};
	return verdict;
}
