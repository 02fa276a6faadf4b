#include "store/service/fetch_schema.h"

static const char *const steps[] = {
    /* Version 1 */
    "CREATE TABLE fetches ("
    "	number INTEGER PRIMARY KEY AUTOINCREMENT,"
    "	id TEXT NOT NULL UNIQUE,"
    "	owner TEXT NOT NULL,"
    "	profile TEXT NOT NULL,"
    "	url TEXT NOT NULL,"
    "	at TEXT NOT NULL,"
    "	hops INTEGER NOT NULL,"
    "	not_before_ms INTEGER NOT NULL,"
    "	created_ms INTEGER NOT NULL,"
    "	ended_ms INTEGER NOT NULL,"
    "	state INTEGER NOT NULL,"
    "	answer TEXT NOT NULL,"
    "	key TEXT NOT NULL,"
    "	digest BLOB NOT NULL"
    ");"
    "CREATE INDEX fetches_waiting ON fetches (profile, at) WHERE state = 0;"
    "CREATE INDEX fetches_by_key ON fetches (owner, key) WHERE key <> '';"
    "CREATE INDEX fetches_ended ON fetches (ended_ms) WHERE state > 0;"
    "CREATE TABLE answers ("
    "	profile TEXT NOT NULL,"
    "	url TEXT NOT NULL,"
    "	time_ms INTEGER NOT NULL,"
    "	moved_to TEXT NOT NULL,"
    "	line TEXT NOT NULL,"
    "	PRIMARY KEY (profile, url)"
    ") WITHOUT ROWID;"
    "CREATE INDEX answers_by_time ON answers (time_ms);"
    "CREATE TABLE standing ("
    "	number INTEGER PRIMARY KEY AUTOINCREMENT,"
    "	profile TEXT NOT NULL UNIQUE,"
    "	first_url TEXT NOT NULL,"
    "	journal_read INTEGER NOT NULL"
    ");",

    /* Version 2 */
    "ALTER TABLE fetches ADD COLUMN rows TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE rows ("
    "	profile TEXT NOT NULL,"
    "	url TEXT NOT NULL,"
    "	file TEXT NOT NULL,"
    "	item INTEGER NOT NULL,"
    "	line TEXT NOT NULL,"
    "	PRIMARY KEY (profile, url, file, item)"
    ") WITHOUT ROWID;"
    "CREATE TABLE row_files ("
    "	profile TEXT NOT NULL,"
    "	file TEXT NOT NULL,"
    "	offset INTEGER NOT NULL,"
    "	PRIMARY KEY (profile, file)"
    ") WITHOUT ROWID;",

    /* Version 3: the file of the journal that journal_read is of */
    "ALTER TABLE standing ADD COLUMN"
    "	journal_generation INTEGER NOT NULL DEFAULT 0;",

    /* Version 4 */
    "ALTER TABLE fetches ADD COLUMN webhook TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE deliveries ("
    "	number INTEGER PRIMARY KEY AUTOINCREMENT,"
    "	fetch INTEGER NOT NULL,"
    "	webhook TEXT NOT NULL,"
    "	id TEXT NOT NULL DEFAULT '',"
    "	made_ms INTEGER NOT NULL DEFAULT 0,"
    "	since_ms INTEGER NOT NULL DEFAULT 0,"
    "	tries INTEGER NOT NULL DEFAULT 0,"
    "	next_ms INTEGER NOT NULL DEFAULT 0"
    ");"
    "CREATE INDEX deliveries_by_webhook ON deliveries (webhook, number);"
    "CREATE INDEX deliveries_by_fetch ON deliveries (fetch);",

    /* Version 5 */
    "CREATE INDEX fetches_by_owner ON fetches (owner, number);",
};

const struct pv_schema pv_fetch_schema = {
    .application_id = 0x50617666, /* "Pavf" */
    .first_version = 1,
    .steps = steps,
    .step_count = sizeof(steps) / sizeof(*steps),
};
