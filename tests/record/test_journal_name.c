#include "record/journal_name.h"

#include "tap.h"

static const struct {
	uint64_t generation;
	const char *name;
} files[] = {
    {0, "journal.jsonl"},
    {1, "journal-0001.jsonl"},
    {9999, "journal-9999.jsonl"},
    {10000, "journal-10000.jsonl"},
    {INT64_MAX, "journal-9223372036854775807.jsonl"},
};

static const char *const others[] = {"", "journal", "journal.json",
    "journal.jsonl.1", "journal-.jsonl", "journal-0000.jsonl",
    "journal-1.jsonl", "journal-00001.jsonl", "journal--001.jsonl",
    "journal-00x1.jsonl", "journal-99999999999999999999.jsonl",
    "xjournal.jsonl", "changes.jsonl"};

int main(void)
{
	char name[PV_JOURNAL_NAME_MAX];
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		uint64_t generation = 77;
		pv_journal_name_write(files[i].generation, name);
		is_text(pv_str_of(name), files[i].name,
		    "each generation has its name");
		ok(pv_journal_name_read(pv_str_of(name), &generation) &&
			generation == files[i].generation,
		    "by which it is known");
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		uint64_t generation = 77;
		ok(!pv_journal_name_read(pv_str_of(others[i]), &generation) &&
			generation == 77,
		    "\"%s\" is the name of none", others[i]);
	}
	return tap_done();
}
