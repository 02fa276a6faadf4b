#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/json/json.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "serve/killed_service.h"
#include "server/site.h"
#include "tap.h"

/* Strangers at eight addresses open connections to a service, as many as they can,
 * and do with them what nobody should: nothing, half of a thing, the same a thousand
 * times, or never read. The service crawls meanwhile as if they were not there, and
 * answers somebody at another address.
 *
 * PAVANE_CONNECTIONS (1,000) says how many they open. */

#define SECONDS 200
#define CONNECTIONS_USUAL 1000
#define AT_ONCE 600 /* at eight addresses: more than they may have */
#define STRANGERS 8
#define PAGES_LEAST 150
#define EACH_MS 1 /* one of them is opened, so that they wait for others */
#define PIPELINED 1000
#define ROUNDS_MOST 60 /* that a connection is kept, of some 5 ms */
#define MEMORY_MOST ((size_t)128 << 20)

enum kind {
	SILENT,
	SLOW_HEAD,   /* a byte in each round */
	HALF_BODY,   /* and nothing more */
	LONG_LENGTH, /* of which little comes, and then the end */
	DOUBLED,     /* a header that comes twice */
	PIPELINE,    /* a thousand requests, none of whose answers is read */
	RESET,       /* in the midst of a head */
	EVENTS,      /* that nobody reads */
	RESULTS,     /* that nobody reads */
	KINDS,
};

struct stranger {
	int fd; /* -1: none */
	enum kind kind;
	struct pv_buf bytes; /* to be sent */
	size_t sent;
	unsigned rounds; /* that are left */
};

struct scene {
	struct site site;
	struct server *server;
	struct scratch scratch;
	char config[512];
	struct killed_service service;
	struct pv_buf reply;
	char job[100];
	struct stranger strangers[AT_ONCE];
	size_t opened, wanted;
	int64_t begun_ms;
	size_t answered[6]; /* by the class of the status */

	/* Somebody else, on a thread of his own. */
	pthread_t friend;
	atomic_bool is_over;
	_Atomic unsigned asked;
	unsigned missed;
	int64_t longest_ms;
};

static const char profile[] =
    "version: 1\n"
    "identity: {contact: bot@example.org}\n"
    "rate: {max_rate: 1000}\n"
    "politeness: {delay: 20ms, delay_factor: 0, ip_delay: 0}\n";

static const char config[] = "directory: service\n"
			     "listen: 127.0.0.1:0\n"
			     "profiles: {default: default.yaml}\n"
			     "private: [127.0.0.0/8]\n";

static const char *const doubled[] = {"Host: 127.0.0.1", "Content-Length: 2",
    "Transfer-Encoding: chunked", "Authorization: Bearer abc",
    "Cookie: pavane_session=1", "Content-Type: application/json",
    "Origin: http://a.test", "Sec-Fetch-Site: cross-site", "Accept: */*",
    "Idempotency-Key: a", "Last-Event-ID: journal:0:0", "Prefer: wait=1",
    "Connection: keep-alive", "Expect: 100-continue", "Upgrade: h2c",
    "Range: bytes=0-0", "X-Forwarded-For: 127.0.0.1", "TE: trailers"};

/* Strangers */

static void append_request(const struct scene *scene, struct pv_buf *bytes,
    const char *line, const char *headers)
{
	pv_buf_append_format(bytes,
	    "%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s\r\n", line,
	    (unsigned)scene->service.port, headers);
}

static void write_doubled(
    const struct scene *scene, size_t n, struct pv_buf *bytes)
{
	char both[300];
	const char *header = doubled[n % (sizeof(doubled) / sizeof(*doubled))];
	snprintf(both, sizeof(both), "%s\r\n%s\r\nConnection: close\r\n",
	    header, header);
	append_request(scene, bytes, "POST /v1/jobs", both);
	pv_buf_append_text(bytes, "{}");
}

static void write_bytes(struct scene *scene, struct stranger *stranger)
{
	struct pv_buf *bytes = &stranger->bytes;
	char line[200];
	switch (stranger->kind) {
	case HALF_BODY:
		append_request(
		    scene, bytes, "POST /v1/jobs", "Content-Length: 100\r\n");
		pv_buf_append_text(bytes, "{\"urls\":[\"http://127.");
		break;
	case LONG_LENGTH:
		append_request(scene, bytes, "POST /v1/jobs",
		    "Content-Length: 1000000\r\n");
		pv_buf_append_text(bytes, "{}");
		break;
	case DOUBLED:
		write_doubled(scene, scene->opened / KINDS, bytes);
		break;
	case PIPELINE:
		for (size_t i = 0; i < PIPELINED; i++)
			append_request(scene, bytes, "GET /v1/jobs", "");
		break;
	case SLOW_HEAD:
	case RESET:
		append_request(scene, bytes, "GET /healthz", "X: y\r\n");
		break;
	case EVENTS:
		append_request(scene, bytes, "GET /v1/events", "");
		break;
	case RESULTS:
		snprintf(line, sizeof(line), "GET %s/results", scene->job);
		append_request(
		    scene, bytes, line, "Accept: text/event-stream\r\n");
		break;
	default:
		break;
	}
}

static int connect_from(uint8_t host, uint16_t port)
{
	struct sockaddr_in from = {.sin_family = AF_INET,
	    .sin_addr = {htonl(INADDR_LOOPBACK - 1 + host)}};
	struct sockaddr_in end = {.sin_family = AF_INET,
	    .sin_port = htons(port),
	    .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 &&
	    (bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0 ||
		(connect(fd, (struct sockaddr *)&end, sizeof(end)) != 0 &&
		    errno != EINPROGRESS))) {
		close(fd);
		return -1;
	}
	return fd;
}

static void drop(struct stranger *stranger)
{
	const struct linger at_once = {.l_onoff = 1};
	if (stranger->fd < 0)
		return;
	if (stranger->kind == RESET)
		setsockopt(stranger->fd, SOL_SOCKET, SO_LINGER, &at_once,
		    sizeof(at_once));
	close(stranger->fd);
	pv_buf_finish(&stranger->bytes);
	stranger->fd = -1;
}

static void begin(struct scene *scene, struct stranger *stranger)
{
	size_t n = scene->opened;
	if (asking_now(NULL) - scene->begun_ms < (int64_t)n * EACH_MS)
		return;
	stranger->fd =
	    connect_from((uint8_t)(2 + n % STRANGERS), scene->service.port);
	if (stranger->fd < 0)
		return;
	stranger->kind = (enum kind)(n / STRANGERS % KINDS);
	stranger->sent = 0;
	stranger->rounds = 1 + (unsigned)(n * 7 % ROUNDS_MOST);
	pv_buf_init(&stranger->bytes, SIZE_MAX);
	write_bytes(scene, stranger);
	scene->opened++;
}

static void send_more(struct stranger *stranger)
{
	struct pv_str left =
	    pv_str_from(pv_buf_str(&stranger->bytes), stranger->sent);
	if (stranger->kind == SLOW_HEAD && left.len)
		left = pv_str_head(left, 1);
	if (stranger->kind == RESET)
		left = pv_str_head(left, left.len / 2);
	ssize_t len =
	    left.len ? send(stranger->fd, left.ptr, left.len, MSG_NOSIGNAL) : 0;
	if (len > 0)
		stranger->sent += (size_t)len;
}

/* False if the service has ended the connection. */
static bool receive(struct scene *scene, struct stranger *stranger)
{
	char bytes[4096];
	ssize_t len = recv(stranger->fd, bytes, sizeof(bytes), 0);
	if (len > 12 && stranger->kind == DOUBLED && bytes[9] >= '1' &&
	    bytes[9] <= '5')
		scene->answered[bytes[9] - '0']++;
	return len > 0 || (len < 0 && errno == EAGAIN);
}

static bool reads(const struct stranger *stranger)
{
	return stranger->kind != PIPELINE && stranger->kind != EVENTS &&
	       stranger->kind != RESULTS;
}

static void tend(struct scene *scene, struct stranger *stranger, short revents)
{
	bool is_over = revents & (POLLERR | POLLHUP | POLLNVAL);
	if (!is_over && (revents & POLLIN))
		is_over = !receive(scene, stranger);
	if (is_over || !stranger->rounds--)
		drop(stranger);
	else if (revents & POLLOUT)
		send_more(stranger);
}

/* All of them once. */
static void go_round(struct scene *scene)
{
	static struct pollfd ends[AT_ONCE];
	for (size_t i = 0; i < AT_ONCE; i++) {
		struct stranger *stranger = &scene->strangers[i];
		if (stranger->fd < 0)
			begin(scene, stranger);
		ends[i] = (struct pollfd){.fd = stranger->fd,
		    .events =
			(short)(POLLOUT |
				(stranger->fd >= 0 && reads(stranger) ? POLLIN
								      : 0))};
	}
	poll(ends, AT_ONCE, 5);
	for (size_t i = 0; i < AT_ONCE; i++) {
		if (ends[i].fd >= 0)
			tend(scene, &scene->strangers[i], ends[i].revents);
	}
	struct timespec rest = {.tv_nsec = 5000000};
	nanosleep(&rest, NULL);
}

static void drop_all(struct scene *scene)
{
	for (size_t i = 0; i < AT_ONCE; i++)
		drop(&scene->strangers[i]);
}

/* Who asks as one should, from 127.0.0.1 */

static unsigned ask(const struct scene *scene, const char *line,
    const char *body, struct pv_buf *reply)
{
	struct pv_buf request;
	char headers[200] = "Connection: close\r\n";
	pv_buf_init(&request, 4096);
	pv_buf_clear(reply);
	if (*body)
		snprintf(headers, sizeof(headers),
		    "Connection: close\r\nContent-Type: application/json\r\n"
		    "Content-Length: %zu\r\n",
		    strlen(body));
	append_request(scene, &request, line, headers);
	pv_buf_append_text(&request, body);
	asking(scene->service.port, pv_buf_str(&request), reply);
	pv_buf_finish(&request);
	return reply->len > 12
		   ? (unsigned)strtoul(pv_buf_text(reply) + 9, NULL, 10)
		   : 0;
}

static void *ask_on(void *ctx)
{
	struct scene *scene = ctx;
	struct pv_buf reply;
	pv_buf_init(&reply, 1 << 20);
	do {
		struct timespec rest = {.tv_nsec = 20000000};
		int64_t begun = asking_now(NULL);
		bool is_answered = ask(scene, "GET /readyz", "", &reply) == 200;
		int64_t took_ms = asking_now(NULL) - begun;
		scene->asked++;
		scene->missed += !is_answered;
		if (is_answered && took_ms > scene->longest_ms)
			scene->longest_ms = took_ms;
		nanosleep(&rest, NULL);
	} while (!atomic_load(&scene->is_over));
	pv_buf_finish(&reply);
	return NULL;
}

/* The crawl */

static void member(const struct pv_buf *reply, const char *name, char value[80])
{
	const char *end = strstr(pv_buf_text(reply), "\r\n\r\n");
	struct pv_json *body = pv_json_read(pv_str_of(end ? end + 4 : ""));
	struct pv_str text = pv_json_get_text(body, name);
	snprintf(value, 80, "%.*s", PV_STR_ARG(text));
	pv_json_destroy(body);
}

static void submit(struct scene *scene, unsigned host)
{
	char body[200], id[80];
	snprintf(body, sizeof(body), "{\"urls\":[\"http://127.0.1.%u:%u/\"]}",
	    host, (unsigned)server_port(scene->server));
	ask(scene, "POST /v1/jobs", body, &scene->reply);
	member(&scene->reply, "id", id);
	snprintf(scene->job, sizeof(scene->job), "/v1/jobs/%s", id);
}

/* How long the site's requests behind that number took, from the first to the
 * last. */
static int64_t span_us(struct scene *scene, size_t before)
{
	struct server_record first, last;
	size_t count = server_log_count(scene->server);
	if (count <= before + scene->site.pages / 2 ||
	    !server_log_get(scene->server, before, &first) ||
	    !server_log_get(scene->server, count - 1, &last))
		return 0;
	return last.begin_us - first.begin_us;
}

/* All pages and robots.txt. */
static bool is_crawled(struct scene *scene, size_t before)
{
	return server_log_count(scene->server) >=
	       before + scene->site.pages + 1;
}

static int64_t crawl_alone(struct scene *scene)
{
	struct timespec rest = {.tv_nsec = 5000000};
	size_t before = server_log_count(scene->server);
	submit(scene, 1);
	while (!is_crawled(scene, before))
		nanosleep(&rest, NULL);
	return span_us(scene, before);
}

static int64_t crawl_among_strangers(struct scene *scene)
{
	size_t before = server_log_count(scene->server);
	int64_t took_us = 0;
	submit(scene, 2);
	scene->begun_ms = asking_now(NULL);
	pthread_create(&scene->friend, NULL, ask_on, scene);
	while (
	    scene->opened < scene->wanted || !took_us || scene->asked <= 10) {
		go_round(scene);
		if (!took_us && is_crawled(scene, before))
			took_us = span_us(scene, before);
	}
	drop_all(scene);
	atomic_store(&scene->is_over, true);
	pthread_join(scene->friend, NULL);
	return took_us;
}

/* What the system says of the service */

static size_t figure_of(const struct scene *scene, const char *name)
{
	char path[64];
	struct pv_buf text;
	snprintf(
	    path, sizeof(path), "/proc/%d/status", (int)scene->service.child);
	pv_buf_init(&text, 1 << 16);
	pv_file_read(path, &text);
	const char *found = strstr(pv_buf_text(&text), name);
	size_t figure = found ? strtoull(found + strlen(name), NULL, 10) : 0;
	pv_buf_finish(&text);
	return figure;
}

static bool is_alive(const struct scene *scene)
{
	return waitpid(scene->service.child, NULL, WNOHANG) == 0;
}

/* Threads of connections end as soon as it sees that they are gone. */
static void await_threads(const struct scene *scene, size_t most)
{
	struct timespec rest = {.tv_nsec = 5000000};
	while (figure_of(scene, "Threads:") > most)
		nanosleep(&rest, NULL);
}

/* The course */

static void check_manners(
    const struct scene *scene, int64_t alone_us, int64_t among_us)
{
	double ratio = (double)among_us / (double)alone_us;
	ok(alone_us && ratio <= 1 + 0.1 * patience(),
	    "P1: the crawl keeps its pace (%.3f of its time)", ratio);
	ok(scene->asked > 10 && !scene->missed,
	    "P5: who asks from another address is answered each time (%u of "
	    "%u)",
	    scene->asked - scene->missed, scene->asked);
	ok(scene->longest_ms < 1000 * patience(),
	    "in less than a second, on a machine that is not busy (%lld ms)",
	    (long long)scene->longest_ms);
	printf("# doubled headers: %zu of 2xx, %zu of 4xx, %zu of 5xx\n",
	    scene->answered[2], scene->answered[4], scene->answered[5]);
	ok(scene->answered[4] > 0 && !scene->answered[2],
	    "headers that come twice are refused, or the order is");
}

static void open_scene(struct scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	const char *wanted = getenv("PAVANE_CONNECTIONS");
	struct rlimit files;
	scene->wanted = wanted ? strtoul(wanted, NULL, 10) : CONNECTIONS_USUAL;
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	for (size_t i = 0; i < AT_ONCE; i++)
		scene->strangers[i].fd = -1;
	/* Pages for as long as the strangers come. */
	scene->site = (struct site){.pages = PAGES_LEAST, .links = 10};
	if (scene->wanted / 20 > PAGES_LEAST)
		scene->site.pages = (uint32_t)(scene->wanted / 20);
	scene->server =
	    server_start(&(struct server_plan){.addresses = everywhere,
		.answer = site_answer,
		.ctx = &scene->site});
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->reply, 8 << 20);
	pv_file_replace(scratch_file(&scene->scratch, "default.yaml"),
	    PV_STR(profile), 0600);
	snprintf(scene->config, sizeof(scene->config), "%s",
	    scratch_file(&scene->scratch, "service.yaml"));
	pv_file_replace(scene->config, PV_STR(config), 0600);
}

int main(int argc, char **argv)
{
	static struct scene scene;
	if (argc > 2)
		return killed_service_serve(argv[1], argv[2]);
	open_scene(&scene);
	end_after(SECONDS);
	ok(killed_service_start(&scene.service, scene.config) &&
		killed_service_await(&scene.service),
	    "a service is started");
	int64_t alone_us = crawl_alone(&scene);
	size_t threads = figure_of(&scene, "Threads:");
	size_t memory_kb = figure_of(&scene, "VmRSS:");
	int64_t among_us = crawl_among_strangers(&scene);
	size_t most_kb = figure_of(&scene, "VmHWM:");
	ok(is_alive(&scene), "%zu connections later it is still there",
	    scene.opened);
	check_manners(&scene, alone_us, among_us);
	ok(most_kb - memory_kb < memory_allowed(MEMORY_MOST) / 1024,
	    "P5: all that took %zu KB more than the %zu KB from before",
	    most_kb - memory_kb, memory_kb);
	await_threads(&scene, threads + 30);
	ok(true, "no thread stays behind");
	ok(ask(&scene, "GET /healthz", "", &scene.reply) == 200,
	    "and it answers");
	ok(killed_service_strike(&scene.service), "until it is ended");
	end_after(0);
	pv_buf_finish(&scene.reply);
	scratch_remove(&scene.scratch);
	server_stop(scene.server);
	return tap_done();
}
