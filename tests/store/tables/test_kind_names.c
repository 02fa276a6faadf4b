#include "store/tables/kind_names.h"

#include "store/scratch_store.h"
#include "tap.h"

int main(void)
{
	struct scratch scratch;
	struct pv_buf names;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	ok(!pv_kind_names_have(database, PV_STR("news")) &&
		!pv_kind_names_have(database, PV_STR("")),
	    "a crawl that describes no pages has no kinds");
	pv_kind_names_set(database, PV_STR("news\nauthors\n"));
	ok(pv_kind_names_have(database, PV_STR("news")) &&
		pv_kind_names_have(database, PV_STR("authors")),
	    "those that it describes it has");
	ok(!pv_kind_names_have(database, PV_STR("new")) &&
		!pv_kind_names_have(database, PV_STR("author")) &&
		!pv_kind_names_have(database, PV_STR("")) &&
		!pv_kind_names_have(database, PV_STR("news\nauthors")),
	    "by their whole names alone");
	pv_buf_init(&names, SIZE_MAX);
	pv_kind_names_get(database, &names);
	is_text(pv_buf_str(&names), "news\nauthors\n", "in their order");
	pv_buf_finish(&names);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
