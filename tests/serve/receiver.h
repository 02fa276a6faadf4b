#ifndef PAVANE_TESTS_SERVE_RECEIVER_H
#define PAVANE_TESTS_SERVE_RECEIVER_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/json/json.h"
#include "server/server.h"
#include "serve/webhooks/signature.h"

/* A program that a service tells of its jobs: it takes all that is delivered, and
 * writes down what that says, a line each:
 *
 *	JOB state finished
 *	JOB final http://127.0.0.1:80/page
 *	JOB line journal
 *
 * It counts deliveries that are not signed as they should be, and those that have
 * the id of another one and not its body. */
#define RECEIVER_SECRET "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

struct receiver {
	struct server *server;
	pthread_mutex_t mutex; /* of what follows */
	struct pv_buf told;
	struct pv_buf ids; /* and digests of bodies: "ID DIGEST\n" */
	unsigned count;
	unsigned unsigned_count;
	unsigned changed;
	int status;        /* that it answers; 0: 200 */
	uint32_t delay_ms; /* before it answers what it has taken */
};

static inline void receiver_note_line(struct receiver *receiver,
    struct pv_str job, struct pv_str of, const struct pv_json *line)
{
	if (pv_json_get_bool(line, "final"))
		pv_buf_append_format(&receiver->told, "%.*s final %.*s\n",
		    PV_STR_ARG(job), PV_STR_ARG(pv_json_get_text(line, "url")));
	else
		pv_buf_append_format(&receiver->told, "%.*s line %.*s\n",
		    PV_STR_ARG(job), PV_STR_ARG(of));
}

static inline void receiver_note_body(
    struct receiver *receiver, struct pv_str text)
{
	struct pv_json *body = pv_json_read(text);
	const struct pv_json *data = pv_json_get(body, "data");
	const struct pv_json *lines = pv_json_get(data, "lines");
	struct pv_str job = pv_json_get_text(data, "id");
	struct pv_str state = pv_json_get_text(data, "state");
	if (state.len)
		pv_buf_append_format(&receiver->told, "%.*s state %.*s\n",
		    PV_STR_ARG(job), PV_STR_ARG(state));
	for (size_t i = 0; i < pv_json_count(lines); i++)
		receiver_note_line(receiver, job, pv_json_get_text(data, "of"),
		    pv_json_at(lines, i));
	pv_json_destroy(body);
}

static inline bool receiver_is_signed(const struct server_request *request)
{
	const char *secret = RECEIVER_SECRET;
	const struct pv_texts secrets = {&secret, 1};
	struct pv_buf wanted;
	struct pv_str time =
	    server_header(request->headers, "webhook-timestamp");
	pv_buf_init(&wanted, 1000);
	pv_webhook_sign(&secrets, server_header(request->headers, "webhook-id"),
	    time.ptr ? strtoll(time.ptr, NULL, 10) : 0, request->body, &wanted);
	bool is_signed = pv_str_equal(pv_buf_str(&wanted),
	    server_header(request->headers, "webhook-signature"));
	pv_buf_finish(&wanted);
	return is_signed;
}

/* An id stands for one body. */
static inline void receiver_note_id(
    struct receiver *receiver, const struct server_request *request)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_buf line;
	struct pv_str id = server_header(request->headers, "webhook-id");
	pv_buf_init(&line, 1000);
	pv_buf_append(&line, id);
	pv_buf_append_char(&line, ' ');
	const char *before =
	    strstr(pv_buf_text(&receiver->ids), pv_buf_text(&line));
	pv_digest(request->body, digest);
	pv_digest_write(digest, &line);
	if (before)
		receiver->changed +=
		    strncmp(before, pv_buf_text(&line), line.len) != 0;
	else
		pv_buf_append(&receiver->ids, pv_buf_str(&line));
	pv_buf_finish(&line);
}

static inline bool receiver_answer(void *ctx,
    const struct server_request *request, struct server_answer *answer)
{
	struct receiver *receiver = ctx;
	pthread_mutex_lock(&receiver->mutex);
	answer->status = receiver->status;
	answer->head_pace.delay_ms = receiver->delay_ms;
	receiver->count++;
	receiver->unsigned_count += !receiver_is_signed(request);
	receiver_note_id(receiver, request);
	if (!receiver->status)
		receiver_note_body(receiver, request->body);
	pthread_mutex_unlock(&receiver->mutex);
	return true;
}

static inline void receiver_open(struct receiver *receiver)
{
	*receiver = (struct receiver){.count = 0};
	pthread_mutex_init(&receiver->mutex, NULL);
	pv_buf_init(&receiver->told, SIZE_MAX);
	pv_buf_init(&receiver->ids, SIZE_MAX);
	receiver->server = server_start(
	    &(struct server_plan){.answer = receiver_answer, .ctx = receiver});
}

static inline void receiver_close(struct receiver *receiver)
{
	server_stop(receiver->server);
	pv_buf_finish(&receiver->told);
	pv_buf_finish(&receiver->ids);
	pthread_mutex_destroy(&receiver->mutex);
}

static inline void receiver_set_status(struct receiver *receiver, int status)
{
	pthread_mutex_lock(&receiver->mutex);
	receiver->status = status;
	pthread_mutex_unlock(&receiver->mutex);
}

/* How often it was asked. */
static inline unsigned receiver_asked(struct receiver *receiver)
{
	pthread_mutex_lock(&receiver->mutex);
	unsigned count = receiver->count;
	pthread_mutex_unlock(&receiver->mutex);
	return count;
}

/* How often that line was written down. */
static inline unsigned receiver_count(
    struct receiver *receiver, const char *line)
{
	unsigned count = 0;
	pthread_mutex_lock(&receiver->mutex);
	const char *place = pv_buf_text(&receiver->told);
	while ((place = strstr(place, line))) {
		count++;
		place += strlen(line);
	}
	pthread_mutex_unlock(&receiver->mutex);
	return count;
}

/* "  team: {...}", for `webhooks` of a configuration. */
static inline void receiver_write_webhook(
    const struct receiver *receiver, const char *name, struct pv_buf *config)
{
	pv_buf_append_format(config,
	    "  %s: {url: \"http://127.0.0.1:%u/in\", secrets: [%s], "
	    "allow: [127.0.0.0/8]}\n",
	    name, (unsigned)server_port(receiver->server), RECEIVER_SECRET);
}

#endif
