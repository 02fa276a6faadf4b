#include "fleet/cluster.h"
#include "fleet/tables/schema.h"
#include "fleet/visit/visitor.h"
#include "frontier/sqlite/packing.h"
#include "record/fingerprint.h"
#include "tap.h"

/* What somebody who is none of a fleet's workers reads in its database, and what it
 * may write, with rows of the test's own. */

static struct cluster cluster;

/* "'\x0102'::bytea" */
static void append_bytes(struct pv_buf *sql, struct pv_str bytes)
{
	pv_buf_append_text(sql, "'\\x");
	for (size_t i = 0; i < bytes.len; i++)
		pv_buf_append_format(sql, "%02x", (unsigned char)bytes.ptr[i]);
	pv_buf_append_text(sql, "'::bytea");
}

static bool run(struct pv_buf *sql)
{
	bool is_done = cluster_ask(&cluster, pv_buf_text(sql)) != NULL;
	pv_buf_clear(sql);
	return is_done;
}

static const struct pv_hash_key key = {{1, 2}};
static const char page[] = "http://a.test/page";

static bool add_crawl(struct pv_buf *sql)
{
	pv_buf_append_text(sql,
	    "INSERT INTO pavane.crawls(name, policy, key, state_version) "
	    "VALUES('shared', 'version: 1', ");
	append_bytes(sql, (struct pv_str){(const char *)&key, sizeof(key)});
	pv_buf_append_format(
	    sql, ", %lld)", (long long)pv_fleet_state_version());
	return run(sql);
}

static bool add_clock(struct pv_buf *sql)
{
	pv_buf_append_text(sql,
	    "INSERT INTO pavane.workers(crawl, place) VALUES(1, 'm:one'); "
	    "INSERT INTO pavane.clocks(crawl, name, worker, ready_at, "
	    "was_owned) VALUES(1, 'a.test', 1, "
	    "clock_timestamp() + interval '1 hour', true)");
	return run(sql);
}

static void pack_page(struct pv_buf *packed, enum pv_address_state state)
{
	const struct pv_packed_address address = {
	    .row = {.state = state, .standing = {.depth = 3}, .attempt = 2},
	    .url = pv_str_of(page),
	    .via = PV_STR("http://a.test/"),
	};
	pv_address_pack(&address, packed);
}

static bool add_link(struct pv_buf *sql)
{
	struct pv_buf packed;
	pv_buf_init(&packed, 1000);
	pack_page(&packed, PV_STATE_ELSEWHERE);
	pv_buf_append_text(sql,
	    "INSERT INTO pavane.links(crawl, clock, host, row) VALUES(1, "
	    "'a.test', 'a.test', ");
	append_bytes(sql, pv_buf_str(&packed));
	pv_buf_append_text(sql, ")");
	pv_buf_finish(&packed);
	return run(sql);
}

static bool set_address(struct pv_buf *sql, struct pv_str row)
{
	long long host = (long long)pv_hash(&key, PV_STR("a.test"));
	long long address =
	    (long long)pv_fingerprint_of(&key, pv_str_of(page)).address;
	pv_buf_append_format(sql,
	    "DELETE FROM pavane.addresses; INSERT INTO pavane.addresses("
	    "crawl, host, fingerprint, state, row) VALUES(1, %lld, %lld, 2, ",
	    host, address);
	append_bytes(sql, row);
	pv_buf_append_text(sql, ")");
	return run(sql);
}

static bool add_robots(struct pv_buf *sql)
{
	const struct pv_saved_robots robots = {
	    .is_there = true, .state = 2, .http_status = 200, .has_copy = true};
	struct pv_buf packed;
	pv_buf_init(&packed, 1000);
	pv_robots_pack(&robots, PV_STR("User-agent: *\n"), &packed);
	pv_buf_append_text(sql,
	    "INSERT INTO pavane.robots(crawl, host, authority, row) VALUES(1, "
	    "'a.test', 'http://a.test', ");
	append_bytes(sql, pv_buf_str(&packed));
	pv_buf_append_text(sql, ")");
	pv_buf_finish(&packed);
	return run(sql);
}

/* Asking */

static bool find(struct pv_fleet_visitor *visitor,
    struct pv_visited_crawl *crawl, const char *address,
    struct pv_visited_address *found)
{
	const struct pv_visited_question question = {
	    .address = pv_str_of(address),
	    .authority = PV_STR("http://a.test"),
	    .host = PV_STR("a.test"),
	    .clock = PV_STR("a.test"),
	};
	struct pv_why why;
	pv_why_init(&why);
	bool is_found = pv_fleet_visitor_find_address(
	    visitor, crawl, &question, found, &why);
	if (!is_found && !pv_why_has_problems(&why))
		printf("# it fails without a reason\n");
	pv_why_finish(&why);
	return is_found;
}

static bool look(struct pv_fleet_visitor *visitor, const char *name,
    struct pv_visited_crawl *crawl)
{
	struct pv_why why;
	pv_why_init(&why);
	bool is_there = pv_fleet_visitor_look(visitor, name, crawl, &why);
	pv_why_finish(&why);
	return is_there;
}

static void test_links(struct pv_fleet_visitor *visitor,
    struct pv_visited_crawl *crawl, struct pv_buf *sql)
{
	struct pv_visited_address found;
	ok(find(visitor, crawl, page, &found) && !found.is_known &&
		!found.has_clock && !found.robots.is_there,
	    "of what no worker has passed on nothing is known");
	pv_visited_address_finish(&found);
	ok(add_clock(sql) && add_link(sql) && add_robots(sql),
	    "a worker finds a link, and owns its host");
	ok(find(visitor, crawl, page, &found) && found.is_known &&
		found.is_on_its_way && found.address.state == PV_STATE_PENDING,
	    "an address is known by a link that is on its way");
	ok(found.worker == 1 && found.was_owned && found.left_ms > 3500000 &&
		found.left_ms <= 3600000,
	    "its host's clock has its owner, and its rest");
	ok(found.robots.is_there && found.robots.http_status == 200 &&
		pv_str_equal(found.robots_copy, PV_STR("User-agent: *\n")),
	    "and robots.txt its copy");
	pv_visited_address_finish(&found);
	ok(find(visitor, crawl, "http://a.test/pag", &found) && !found.is_known,
	    "a link that begins alike is another one");
	pv_visited_address_finish(&found);
	ok(find(visitor, crawl, "http://a.test/page2", &found) &&
		!found.is_known,
	    "and so is a longer one");
	pv_visited_address_finish(&found);
}

static void test_addresses(struct pv_fleet_visitor *visitor,
    struct pv_visited_crawl *crawl, struct pv_buf *sql)
{
	struct pv_visited_address found;
	struct pv_buf packed;
	pv_buf_init(&packed, 1000);
	pack_page(&packed, PV_STATE_DONE);
	ok(set_address(sql, pv_buf_str(&packed)), "it is fetched");
	ok(find(visitor, crawl, page, &found) && found.is_known &&
		!found.is_on_its_way && found.address.state == PV_STATE_DONE &&
		found.address.depth == 3 && found.address.attempt == 2 &&
		pv_str_equal(found.address.via, PV_STR("http://a.test/")),
	    "then its own row counts, and not the link");
	pv_visited_address_finish(&found);
	ok(set_address(sql, pv_str_head(pv_buf_str(&packed), packed.len / 2)),
	    "somebody damages the row");
	ok(!find(visitor, crawl, page, &found),
	    "a row that makes no sense is told, and not shown");
	pv_visited_address_finish(&found);
	pv_buf_finish(&packed);
	crawl->state_version++;
	ok(!find(visitor, crawl, page, &found),
	    "nor are rows of another version's states read");
	pv_visited_address_finish(&found);
	crawl->state_version--;
}

/* One is idle, one has left, and two were reaped; the first one is that of the
 * clock. */
static void test_workers(struct pv_fleet_visitor *visitor, struct pv_buf *sql)
{
	struct pv_visited_crawl crawl;
	pv_buf_append_text(sql,
	    "INSERT INTO pavane.workers(crawl, place, is_alive, was_reaped, "
	    "is_idle, pages) VALUES(1, 'm:two', true, false, true, 1), "
	    "(1, 'm:three', false, false, true, 20), "
	    "(1, 'm:four', false, true, false, 300), "
	    "(1, 'm:five', false, true, false, 4000)");
	ok(run(sql) && look(visitor, "shared", &crawl) &&
		crawl.worker_count == 5,
	    "workers come and go");
	ok(crawl.workers[1].is_idle && !crawl.workers[0].is_idle,
	    "who has nothing to do is known");
	ok(crawl.workers[3].was_reaped && !crawl.workers[2].was_reaped,
	    "and who was silent, beside who has left");
	ok(crawl.left == 3 && crawl.left_pages == 4320 && crawl.reaped == 2 &&
		crawl.pages == 4321,
	    "they are counted, with their pages");
	pv_visited_crawl_finish(&crawl);
}

/* Of two that write at a time one has to look again. */
static void test_wishes(
    struct pv_fleet_visitor *visitor, struct pv_visited_crawl *crawl)
{
	struct pv_visited_crawl again;
	struct pv_why why;
	bool is_written = false;
	pv_why_init(&why);
	ok(pv_fleet_visitor_wish(
	       visitor, crawl, PV_STR("first"), &is_written, &why) &&
		is_written,
	    "a wish is written");
	ok(pv_fleet_visitor_wish(
	       visitor, crawl, PV_STR("second"), &is_written, &why) &&
		!is_written,
	    "another one after the same look is not");
	ok(look(visitor, "shared", &again) && again.wish_number == 1 &&
		strcmp(again.wish, "first") == 0,
	    "the first one stands, with its number");
	pv_visited_crawl_finish(&again);
	pv_why_finish(&why);
}

static void test_all(struct pv_fleet_visitor *visitor)
{
	struct pv_visited_crawl crawl;
	struct pv_buf sql;
	pv_buf_init(&sql, 100000);
	ok(add_crawl(&sql), "there is a crawl");
	ok(!look(visitor, "elsewhere", &crawl), "another name is no crawl's");
	pv_visited_crawl_finish(&crawl);
	ok(look(visitor, "shared", &crawl) && crawl.has_key &&
		memcmp(&crawl.key, &key, sizeof(key)) == 0,
	    "it is found by its name, with its key");
	test_links(visitor, &crawl, &sql);
	test_addresses(visitor, &crawl, &sql);
	test_wishes(visitor, &crawl);
	test_workers(visitor, &sql);
	pv_visited_crawl_finish(&crawl);
	pv_buf_finish(&sql);
}

int main(void)
{
	const char *absence = cluster_absence();
	struct pv_why why;
	if (absence)
		return tap_skip_all(absence);
	pv_why_init(&why);
	if (!ok(cluster_make(&cluster), "PostgreSQL runs"))
		return tap_done();
	ok(!pv_fleet_visitor_open(cluster_url(&cluster), &why) &&
		pv_why_has_problems(&why),
	    "a database without a fleet's tables has nothing to show");
	pv_why_finish(&why);
	pv_why_init(&why);
	ok(cluster_ask(&cluster, pv_fleet_schema) != NULL, "it gets them");
	struct pv_fleet_visitor *visitor =
	    pv_fleet_visitor_open(cluster_url(&cluster), &why);
	if (ok(visitor != NULL, "then it can be visited"))
		test_all(visitor);
	pv_fleet_visitor_close(visitor);
	pv_why_finish(&why);
	cluster_remove(&cluster);
	return tap_done();
}
