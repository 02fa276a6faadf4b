#include "server/name_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "server/name_book.h"

#define CONNECTIONS_MAX 16
#define WITHOUT_EDNS_BYTES 512
#define WITH_EDNS_BYTES 1232

/* To whom a reply goes. */
struct way {
	int connection;  /* its place, or -1: by UDP */
	unsigned serial; /* of the connection, since places are used again */
	struct sockaddr_in to;
};

/* A reply that waits for its time. */
struct delayed {
	int64_t due_ms;
	struct way way;
	struct pv_buf message;
};

struct connection {
	int socket; /* -1: the place is free */
	unsigned serial;
	struct pv_buf in;
};

struct name_server {
	pthread_t thread;
	pthread_mutex_t mutex; /* of the book and the counts */
	struct name_book book;
	unsigned asked;
	unsigned asked_by_tcp;
	unsigned peak;

	/* The rest is the thread's alone. */
	char address[32];
	int stop[2]; /* a pipe; its end is the end of the thread */
	int udp;
	int listener;
	struct connection connections[CONNECTIONS_MAX];
	unsigned serial;
	struct delayed *delayed;
	size_t delayed_count;
	size_t delayed_size;
	struct pv_buf reply;
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Sending. */

static void send_all(int socket, struct pv_str bytes)
{
	while (bytes.len) {
		ssize_t sent = send(socket, bytes.ptr, bytes.len, MSG_NOSIGNAL);
		if (sent <= 0)
			return;
		bytes = pv_str_from(bytes, (size_t)sent);
	}
}

static void send_reply(
    struct name_server *server, const struct way *way, struct pv_str message)
{
	if (way->connection < 0) {
		sendto(server->udp, message.ptr, message.len, 0,
		    (const struct sockaddr *)&way->to, sizeof(way->to));
		return;
	}
	const struct connection *connection =
	    &server->connections[way->connection];
	if (connection->socket < 0 || connection->serial != way->serial)
		return;
	unsigned char len[2] = {
	    (unsigned char)(message.len >> 8), (unsigned char)message.len};
	send_all(connection->socket, (struct pv_str){(const char *)len, 2});
	send_all(connection->socket, message);
}

static void send_later(struct name_server *server, const struct way *way,
    struct pv_str message, uint32_t delay_ms)
{
	struct delayed *delayed = PV_ARRAY_PUSH(
	    server->delayed, server->delayed_count, server->delayed_size);
	*delayed = (struct delayed){now_ms() + delay_ms, *way, {0}};
	pv_buf_init(&delayed->message, NAME_MESSAGE_BYTES_MAX);
	pv_buf_append(&delayed->message, message);
	if (server->delayed_count > server->peak)
		server->peak = (unsigned)server->delayed_count;
}

static void send_due(struct name_server *server)
{
	int64_t now = now_ms();
	size_t kept = 0;
	for (size_t i = 0; i < server->delayed_count; i++) {
		struct delayed *delayed = &server->delayed[i];
		if (delayed->due_ms > now) {
			server->delayed[kept++] = *delayed;
			continue;
		}
		send_reply(
		    server, &delayed->way, pv_buf_str(&delayed->message));
		pv_buf_finish(&delayed->message);
	}
	server->delayed_count = kept;
}

/* Until the next reply is due, for poll; -1 if none waits. */
static int wait_ms(const struct name_server *server)
{
	int64_t wait = -1;
	int64_t now = now_ms();
	for (size_t i = 0; i < server->delayed_count; i++) {
		int64_t left = server->delayed[i].due_ms - now;
		if (wait < 0 || left < wait)
			wait = left < 0 ? 0 : left;
	}
	return (int)wait;
}

/* Answering. */

static bool is_silent(const struct name_server_entry *entry,
    const struct name_question *question, bool is_tcp)
{
	switch (entry->manner) {
	case NAME_SERVER_IS_SILENT:
		return true;
	case NAME_SERVER_IS_SILENT_V4:
		return question->type == NAME_TYPE_A;
	case NAME_SERVER_IS_SILENT_V6:
		return question->type == NAME_TYPE_AAAA;
	case NAME_SERVER_IS_SILENT_TCP:
		return is_tcp;
	default:
		return false;
	}
}

static bool is_cut(enum name_server_manner manner)
{
	return manner == NAME_SERVER_CUTS ||
	       manner == NAME_SERVER_IS_SILENT_TCP;
}

static enum name_reply_code code_of(
    const struct name_server_entry *entry, const struct name_question *question)
{
	switch (entry->manner) {
	case NAME_SERVER_DENIES:
		return NAME_ERROR;
	case NAME_SERVER_DENIES_V6:
		return question->type == NAME_TYPE_AAAA ? NAME_ERROR
							: NAME_NO_ERROR;
	case NAME_SERVER_FAILS:
		return NAME_SERVER_FAILURE;
	case NAME_SERVER_REFUSES:
		return NAME_REFUSED;
	default:
		return NAME_NO_ERROR;
	}
}

/* c-ares says that it takes long messages by a record behind its question. */
static size_t udp_bytes_max(
    struct pv_str message, const struct name_question *question)
{
	size_t end = (size_t)(question->section.ptr - message.ptr) +
		     question->section.len;
	return message.len > end ? WITH_EDNS_BYTES : WITHOUT_EDNS_BYTES;
}

/* Writes what the book says into server->reply. */
static void write_reply(struct name_server *server,
    const struct name_server_entry *entry, const struct name_question *question,
    size_t bytes_max)
{
	enum name_reply_code code = code_of(entry, question);
	bool is_udp = bytes_max < NAME_MESSAGE_BYTES_MAX;
	name_reply_write(
	    question, code, is_udp && is_cut(entry->manner), &server->reply);
	if (code == NAME_NO_ERROR && !(is_udp && is_cut(entry->manner)))
		name_book_add_records(&server->book, question, &server->reply);
	if (server->reply.len > bytes_max)
		name_reply_write(question, code, true, &server->reply);
	if (entry->manner == NAME_SERVER_BABBLES) {
		pv_buf_cut(&server->reply,
		    12 + question->section
			     .len); /* the header and the question */
		for (int i = 0; i < 200; i++)
			pv_buf_append_char(&server->reply, (char)(i * 37));
		server->reply.ptr[7] = 9; /* records, it says */
	}
}

static void give(struct name_server *server,
    const struct name_server_entry *entry, const struct way *way)
{
	struct pv_str message = pv_buf_str(&server->reply);
	if (entry->manner == NAME_SERVER_MISTAKES ||
	    entry->manner == NAME_SERVER_MISTAKES_FIRST) {
		server->reply.ptr[0] ^= 0x55;
		send_reply(server, way, message);
		server->reply.ptr[0] ^= 0x55;
	}
	if (entry->manner == NAME_SERVER_MISTAKES)
		return;
	if (entry->delay_ms)
		send_later(server, way, message, entry->delay_ms);
	else
		send_reply(server, way, message);
}

static void answer(
    struct name_server *server, const struct way *way, struct pv_str message)
{
	static const struct name_server_entry unknown = {
	    .manner = NAME_SERVER_DENIES};
	struct name_question question;
	bool is_tcp = way->connection >= 0;
	if (!name_question_read(message, &question))
		return;
	pthread_mutex_lock(&server->mutex);
	struct name_page *page =
	    name_book_find(&server->book, pv_str_of(question.name));
	const struct name_server_entry *entry = page ? &page->entry : &unknown;
	server->asked++;
	server->asked_by_tcp += is_tcp;
	if (page)
		page->asked++;
	if (!is_silent(entry, &question, is_tcp)) {
		write_reply(server, entry, &question,
		    is_tcp ? NAME_MESSAGE_BYTES_MAX
			   : udp_bytes_max(message, &question));
		give(server, entry, way);
	}
	pthread_mutex_unlock(&server->mutex);
}

/* Receiving. */

static void receive_udp(struct name_server *server)
{
	char bytes[2048];
	struct way way = {.connection = -1};
	socklen_t size = sizeof(way.to);
	ssize_t len = recvfrom(server->udp, bytes, sizeof(bytes), MSG_DONTWAIT,
	    (struct sockaddr *)&way.to, &size);
	if (len > 0)
		answer(server, &way, (struct pv_str){bytes, (size_t)len});
}

static void take_connection(struct name_server *server)
{
	int socket = accept(server->listener, NULL, NULL);
	if (socket < 0)
		return;
	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		struct connection *connection = &server->connections[i];
		if (connection->socket >= 0)
			continue;
		connection->socket = socket;
		connection->serial = ++server->serial;
		pv_buf_init(&connection->in, 2 * NAME_MESSAGE_BYTES_MAX);
		return;
	}
	close(socket);
}

static void close_connection(struct connection *connection)
{
	if (connection->socket < 0)
		return;
	close(connection->socket);
	connection->socket = -1;
	pv_buf_finish(&connection->in);
}

/* Answers each message that is there whole, behind its length. */
static void answer_all(struct name_server *server, int number)
{
	struct connection *connection = &server->connections[number];
	struct way way = {number, connection->serial, {0}};
	struct pv_str in = pv_buf_str(&connection->in);
	while (in.len >= 2) {
		size_t len = (size_t)(unsigned char)in.ptr[0] << 8 |
			     (unsigned char)in.ptr[1];
		if (in.len < len + 2)
			break;
		answer(server, &way, pv_str_head(pv_str_from(in, 2), len));
		in = pv_str_from(in, len + 2);
	}
	memmove(connection->in.ptr, in.ptr, in.len);
	pv_buf_cut(&connection->in, in.len);
}

static void receive_tcp(struct name_server *server, int number)
{
	struct connection *connection = &server->connections[number];
	char bytes[2048];
	ssize_t len = recv(connection->socket, bytes, sizeof(bytes), 0);
	if (len <= 0 || !pv_buf_append(&connection->in,
			    (struct pv_str){bytes, (size_t)len})) {
		close_connection(connection);
		return;
	}
	answer_all(server, number);
}

#define FIRST_CONNECTION 3

static void *serve(void *ctx)
{
	struct name_server *server = ctx;
	struct pollfd polls[FIRST_CONNECTION + CONNECTIONS_MAX] = {
	    {server->stop[0], POLLIN, 0},
	    {server->udp, POLLIN, 0},
	    {server->listener, POLLIN, 0},
	};
	while (!polls[0].revents) {
		if (polls[1].revents)
			receive_udp(server);
		if (polls[2].revents)
			take_connection(server);
		for (int i = 0; i < CONNECTIONS_MAX; i++) {
			struct pollfd *poll = &polls[FIRST_CONNECTION + i];
			if (poll->revents)
				receive_tcp(server, i);
			*poll = (struct pollfd){
			    server->connections[i].socket, POLLIN, 0};
		}
		send_due(server);
		poll(
		    polls, FIRST_CONNECTION + CONNECTIONS_MAX, wait_ms(server));
	}
	return NULL;
}

/* Starting and stopping. */

static bool listen_on(struct name_server *server)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t size = sizeof(address);
	const struct sockaddr *name = (const struct sockaddr *)&address;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Enough for all that a flood of questions asks at once. */
	setsockopt(
	    server->udp, SOL_SOCKET, SO_RCVBUF, &(int){1 << 20}, sizeof(int));
	if (bind(server->listener, name, size) != 0 ||
	    listen(server->listener, CONNECTIONS_MAX) != 0 ||
	    getsockname(server->listener, (struct sockaddr *)&address, &size) !=
		0)
		return false;
	snprintf(server->address, sizeof(server->address), "127.0.0.1:%u",
	    ntohs(address.sin_port));
	return bind(server->udp, name, size) == 0;
}

static void close_all(struct name_server *server)
{
	close(server->udp);
	close(server->listener);
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		close_connection(&server->connections[i]);
	close(server->stop[0]);
	close(server->stop[1]);
}

static void destroy(struct name_server *server)
{
	close_all(server);
	for (size_t i = 0; i < server->delayed_count; i++)
		pv_buf_finish(&server->delayed[i].message);
	free(server->delayed);
	pv_buf_finish(&server->reply);
	name_book_finish(&server->book);
	pthread_mutex_destroy(&server->mutex);
	free(server);
}

/* The port that TCP was given may be somebody else's over UDP. */
static bool find_port(struct name_server *server)
{
	for (int i = 0; i < 20; i++) {
		if (listen_on(server))
			return true;
		close(server->udp);
		close(server->listener);
		server->udp = server->listener = -1;
	}
	return false;
}

struct name_server *name_server_start(void)
{
	struct name_server *server = pv_alloc(sizeof(*server));
	pthread_mutex_init(&server->mutex, NULL);
	pv_buf_init(&server->reply, NAME_MESSAGE_BYTES_MAX);
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		server->connections[i].socket = -1;
	server->stop[0] = server->stop[1] = -1;
	if (!find_port(server) || pipe(server->stop) != 0 ||
	    pthread_create(&server->thread, NULL, serve, server) != 0) {
		destroy(server);
		return NULL;
	}
	return server;
}

void name_server_stop(struct name_server *server)
{
	close(server->stop[1]);
	server->stop[1] = -1;
	pthread_join(server->thread, NULL);
	destroy(server);
}

const char *name_server_address(const struct name_server *server)
{
	return server->address;
}

/* The test's side. */

void name_server_set(
    struct name_server *server, const struct name_server_entry *entry)
{
	pthread_mutex_lock(&server->mutex);
	name_book_set(&server->book, entry);
	pthread_mutex_unlock(&server->mutex);
}

unsigned name_server_asked(struct name_server *server, const char *name)
{
	pthread_mutex_lock(&server->mutex);
	unsigned asked = server->asked;
	if (name) {
		const struct name_page *page =
		    name_book_get(&server->book, pv_str_of(name));
		asked = page ? page->asked : 0;
	}
	pthread_mutex_unlock(&server->mutex);
	return asked;
}

unsigned name_server_asked_by_tcp(struct name_server *server)
{
	pthread_mutex_lock(&server->mutex);
	unsigned asked = server->asked_by_tcp;
	pthread_mutex_unlock(&server->mutex);
	return asked;
}

unsigned name_server_peak(struct name_server *server)
{
	pthread_mutex_lock(&server->mutex);
	unsigned peak = server->peak;
	pthread_mutex_unlock(&server->mutex);
	return peak;
}
