#include "fleet/cluster.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fleet/line/network.h"
#include "scratch.h"

/* The path of a socket has little room (unix(7)). */
#define PLACE_MAX 60

/* A machine that is very busy. */
#define PATIENCE_MS 60000

static const char config[] = "listen_addresses = '127.0.0.1'\n"
			     "fsync = on\n"
			     "shared_buffers = 32MB\n"
			     "max_connections = 40\n"
			     "wal_level = replica\n"
			     "max_wal_senders = 4\n"
			     "wal_keep_size = 64MB\n"
			     "min_wal_size = 32MB\n"
			     "log_line_prefix = '%m [%p] '\n"
			     "logging_collector = off\n";

static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* The path of a program of PostgreSQL, until the next call; NULL if there is
 * none. Debian keeps them beside its versions, the newest last. */
static const char *find_program(const char *name)
{
	static char path[512];
	const char *places = getenv("PATH");
	glob_t found;
	for (; places && *places; places += strspn(places, ":")) {
		size_t len = strcspn(places, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)len, places, name);
		places += len;
		if (access(path, X_OK) == 0)
			return path;
	}
	snprintf(path, sizeof(path), "/usr/lib/postgresql/*/bin/%s", name);
	bool is_found = glob(path, 0, NULL, &found) == 0;
	if (is_found)
		snprintf(path, sizeof(path), "%s",
		    found.gl_pathv[found.gl_pathc - 1]);
	globfree(&found);
	return is_found ? path : NULL;
}

/* Who runs it where the test is root, as which PostgreSQL does not run. */
static const struct passwd *find_user(void)
{
	const struct passwd *user = getpwnam("postgres");
	return user ? user : getpwnam("nobody");
}

const char *cluster_absence(void)
{
	if (!find_program("initdb"))
		return "no initdb of PostgreSQL";
	return getuid() == 0 && !find_user() ? "nobody but root" : NULL;
}

static const char *data_of(const struct cluster *cluster)
{
	static char path[200];
	snprintf(path, sizeof(path), "%s/data", cluster->directory);
	return path;
}

static const char *log_of(const struct cluster *cluster)
{
	static char path[200];
	snprintf(path, sizeof(path), "%s/log", cluster->directory);
	return path;
}

static void print_log(const struct cluster *cluster)
{
	char line[1024];
	FILE *log = fopen(log_of(cluster), "r");
	while (log && fgets(line, sizeof(line), log))
		printf("# %s", line);
	if (log)
		fclose(log);
}

/* Becomes the program, or ends. PostgreSQL leaves no process or shared memory
 * behind if it is told by SIGQUIT, which comes when the test is gone. */
_Noreturn static void become(
    const struct cluster *cluster, char *const *arguments, pid_t parent)
{
	const struct passwd *user = getuid() == 0 ? find_user() : NULL;
	int log = open(
	    log_of(cluster), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (cluster->network && !network_move(cluster->network))
		_exit(126);
	dup2(nothing, 0);
	dup2(log, 1);
	dup2(log, 2);
	/* What a test waits for is the end of a pipe, maybe. */
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	if (user && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))
		_exit(126);
	prctl(PR_SET_PDEATHSIG, SIGQUIT);
	if (getppid() != parent || chdir("/") != 0)
		_exit(126);
	execv(arguments[0], arguments);
	_exit(127);
}

static pid_t begin(const struct cluster *cluster, char *const *arguments)
{
	pid_t parent = getpid();
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		become(cluster, arguments, parent);
	return pid;
}

/* Runs a program to its end. The arguments end with NULL. */
static bool run(const struct cluster *cluster, const char *name, ...)
{
	char *arguments[24];
	size_t count = 0;
	va_list list;
	const char *program = find_program(name);
	if (!program)
		return false;
	arguments[count++] = strdup(program);
	va_start(list, name);
	do {
		const char *argument = va_arg(list, const char *);
		arguments[count] = argument ? strdup(argument) : NULL;
	} while (arguments[count++]);
	va_end(list);
	pid_t pid = begin(cluster, arguments);
	int status = -1;
	bool is_good = pid > 0 && waitpid(pid, &status, 0) == pid &&
		       WIFEXITED(status) && WEXITSTATUS(status) == 0;
	while (count--)
		free(arguments[count]);
	if (!is_good) {
		printf("# %s has failed:\n", name);
		print_log(cluster);
	}
	return is_good;
}

static uint16_t free_port(void)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is_bound =
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    getsockname(fd, (struct sockaddr *)&address, &len) == 0;
	close(fd);
	return is_bound ? ntohs(address.sin_port) : 0;
}

/* A directory that the server's user may enter: the test's own, if that has a
 * path of its own and a short one. */
static bool make_directory(struct cluster *cluster)
{
	const struct passwd *user = getuid() == 0 ? find_user() : NULL;
	const char *place = scratch_place();
	bool is_fit = place[0] == '/' && strlen(place) < PLACE_MAX;
	if (is_fit && user && chmod(place, 0711) != 0)
		is_fit = false;
	snprintf(cluster->directory, sizeof(cluster->directory),
	    "%s/cluster.XXXXXX", is_fit ? place : "/tmp");
	cluster->port = free_port();
	cluster->postmaster = 0;
	cluster->network = 0;
	return cluster->port && mkdtemp(cluster->directory) &&
	       chmod(cluster->directory, 0755) == 0 &&
	       (!user ||
		   chown(cluster->directory, user->pw_uid, user->pw_gid) == 0);
}

/* Later lines of the file win. */
static bool configure(const struct cluster *cluster, const char *more)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/postgresql.conf", data_of(cluster));
	FILE *file = fopen(path, "a");
	if (!file)
		return false;
	fprintf(file, "%sport = %u\nunix_socket_directories = '%s'\n%s", config,
	    cluster->port, cluster->directory, more);
	return fclose(file) == 0;
}

static int remove_one(
    const char *path, const struct stat *stat, int type, struct FTW *walk)
{
	(void)stat;
	(void)type;
	(void)walk;
	remove(path);
	return 0;
}

static const char *url_of(
    const struct cluster *cluster, const char *host, const char *database)
{
	static char url[512];
	snprintf(url, sizeof(url), "host=%s port=%u user=pavane dbname=%s",
	    host, cluster->port, database);
	return url;
}

static void launch(struct cluster *cluster)
{
	char dash_d[] = "-D";
	char *arguments[] = {NULL, dash_d, NULL, NULL};
	arguments[0] = strdup(find_program("postgres"));
	arguments[2] = strdup(data_of(cluster));
	cluster->postmaster = begin(cluster, arguments);
	free(arguments[0]);
	free(arguments[2]);
}

static bool takes_connections(const struct cluster *cluster)
{
	return PQping(url_of(cluster, cluster->directory, "postgres")) ==
	       PQPING_OK;
}

/* One that was killed may hold its memory for a moment, in which no other begins:
 * who ends at once is started again. */
bool cluster_start(struct cluster *cluster)
{
	launch(cluster);
	for (int i = 0; i < PATIENCE_MS / 20; i++) {
		if (takes_connections(cluster))
			return true;
		rest();
		if (i % 10 == 9 &&
		    waitpid(cluster->postmaster, NULL, WNOHANG) != 0)
			launch(cluster);
	}
	print_log(cluster);
	return false;
}

/* "locked" needs a password, and has none; who comes by a cable needs none. */
static bool admit(const struct cluster *cluster)
{
	char path[256], rules[8192];
	snprintf(path, sizeof(path), "%s/pg_hba.conf", data_of(cluster));
	FILE *file = fopen(path, "r");
	size_t len = file ? fread(rules, 1, sizeof(rules), file) : 0;
	if (file)
		fclose(file);
	file = fopen(path, "w");
	if (!file)
		return false;
	fprintf(file,
	    "host all locked 127.0.0.1/32 scram-sha-256\n%.*s"
	    "host all pavane 192.0.2.0/24 trust\n",
	    (int)len, rules);
	return fclose(file) == 0 && len > 0;
}

static bool make_database(const struct cluster *cluster)
{
	char port[8];
	snprintf(port, sizeof(port), "%u", cluster->port);
	return run(cluster, "createdb", "-h", cluster->directory, "-p", port,
	    "-U", "pavane", "crawls", NULL);
}

bool cluster_make(struct cluster *cluster)
{
	char data[200];
	if (!make_directory(cluster))
		return false;
	snprintf(data, sizeof(data), "%s", data_of(cluster));
	bool is_made =
	    run(cluster, "initdb", "-D", data, "-U", "pavane", "--auth=trust",
		"--locale=C", "--encoding=UTF8", "--no-sync", NULL) &&
	    configure(cluster, "") && admit(cluster) &&
	    cluster_start(cluster) && make_database(cluster);
	if (!is_made)
		cluster_remove(cluster);
	return is_made;
}

bool cluster_set(
    const struct cluster *cluster, const char *setting, const char *value)
{
	char sql[300];
	snprintf(
	    sql, sizeof(sql), "ALTER SYSTEM SET %s = '%s'", setting, value);
	if (!cluster_ask(cluster, sql) ||
	    !cluster_ask(cluster, "SELECT pg_reload_conf()"))
		return false;
	snprintf(sql, sizeof(sql), "SHOW %s", setting);
	for (int i = 0; i < PATIENCE_MS / 20; i++) {
		const char *held = cluster_ask(cluster, sql);
		if (held && strcmp(held, value) == 0)
			return true;
		rest();
	}
	return false;
}

bool cluster_follow(
    struct cluster *standby, const struct cluster *primary, bool is_synchronous)
{
	char port[8], data[200];
	if (!make_directory(standby))
		return false;
	snprintf(port, sizeof(port), "%u", primary->port);
	snprintf(data, sizeof(data), "%s", data_of(standby));
	bool is_made =
	    run(standby, "pg_basebackup", "-D", data, "-h", primary->directory,
		"-p", port, "-U", "pavane", "-R", "-X", "stream",
		"--checkpoint=fast", "--no-sync", NULL) &&
	    configure(standby, "hot_standby = on\n") && cluster_start(standby);
	if (is_made && is_synchronous)
		is_made =
		    cluster_set(primary, "synchronous_standby_names", "*");
	if (!is_made)
		cluster_remove(standby);
	return is_made;
}

bool cluster_promote(const struct cluster *standby)
{
	char data[200];
	snprintf(data, sizeof(data), "%s", data_of(standby));
	return run(standby, "pg_ctl", "promote", "-w", "-D", data, NULL);
}

static void end(struct cluster *cluster, int number)
{
	if (cluster->postmaster <= 0)
		return;
	kill(cluster->postmaster, number);
	waitpid(cluster->postmaster, NULL, 0);
	cluster->postmaster = 0;
}

void cluster_stop(struct cluster *cluster)
{
	end(cluster, SIGINT);
}

/* A process, by /proc/PID/stat: "PID (NAME) STATE PARENT ...". */
struct process {
	pid_t parent;            /* 0: it is none */
	unsigned long long own;  /* ticks of the processor */
	unsigned long long past; /* those of its children that have ended */
};

static struct process process_of(const char *pid)
{
	struct process process = {.parent = 0};
	unsigned long long user, kernel, past_user, past_kernel;
	char path[300], text[600] = "";
	int parent;
	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	FILE *file = isdigit((unsigned char)pid[0]) ? fopen(path, "r") : NULL;
	if (!file)
		return process;
	size_t len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	const char *behind = strrchr(text, ')');
	if (behind &&
	    sscanf(behind + 1,
		" %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u"
		" %llu %llu %llu %llu",
		&parent, &user, &kernel, &past_user, &past_kernel) == 5)
		process = (struct process){
		    parent, user + kernel, past_user + past_kernel};
	return process;
}

/* Sends a signal to each of its processes but the first, which is theirs; 0 sends
 * none. Their ticks. */
static unsigned long long signal_backends(
    const struct cluster *cluster, int number)
{
	unsigned long long ticks = 0;
	struct dirent *entry;
	DIR *processes = opendir("/proc");
	while (processes && (entry = readdir(processes))) {
		struct process process = process_of(entry->d_name);
		if (process.parent != cluster->postmaster)
			continue;
		ticks += process.own;
		if (number)
			kill((pid_t)strtol(entry->d_name, NULL, 10), number);
	}
	if (processes)
		closedir(processes);
	return ticks;
}

double cluster_cpu_ms(const struct cluster *cluster)
{
	char pid[16];
	snprintf(pid, sizeof(pid), "%d", (int)cluster->postmaster);
	struct process first = process_of(pid);
	unsigned long long ticks =
	    first.own + first.past + signal_backends(cluster, 0);
	return (double)ticks * 1000 / (double)sysconf(_SC_CLK_TCK);
}

void cluster_freeze(const struct cluster *cluster)
{
	kill(cluster->postmaster, SIGSTOP);
	signal_backends(cluster, SIGSTOP);
}

void cluster_thaw(const struct cluster *cluster)
{
	signal_backends(cluster, SIGCONT);
	kill(cluster->postmaster, SIGCONT);
}

void cluster_kill(struct cluster *cluster)
{
	if (cluster->postmaster <= 0)
		return;
	kill(cluster->postmaster, SIGSTOP);
	signal_backends(cluster, SIGKILL);
	end(cluster, SIGKILL);
}

void cluster_remove(struct cluster *cluster)
{
	if (cluster->postmaster > 0) {
		cluster_thaw(cluster);
		end(cluster, SIGQUIT);
	}
	nftw(cluster->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *cluster_url(const struct cluster *cluster)
{
	return url_of(cluster, cluster->directory, "crawls");
}

const char *cluster_port_url(const struct cluster *cluster)
{
	static char url[128];
	snprintf(url, sizeof(url), "postgresql://pavane@127.0.0.1:%u/crawls",
	    cluster->port);
	return url;
}

const char *cluster_ask(const struct cluster *cluster, const char *sql)
{
	static char field[4096];
	PGconn *conn =
	    PQconnectdb(url_of(cluster, cluster->directory, "crawls"));
	PGresult *result = PQexec(conn, sql);
	bool is_good = PQresultStatus(result) == PGRES_COMMAND_OK ||
		       PQresultStatus(result) == PGRES_TUPLES_OK;
	field[0] = '\0';
	if (is_good && PQntuples(result) > 0 && PQnfields(result) > 0)
		snprintf(field, sizeof(field), "%s", PQgetvalue(result, 0, 0));
	if (!is_good)
		printf("# %s: %s\n", sql, PQerrorMessage(conn));
	PQclear(result);
	PQfinish(conn);
	return is_good ? field : NULL;
}
