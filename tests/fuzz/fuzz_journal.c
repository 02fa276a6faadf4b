#include <stddef.h>
#include <stdint.h>

#include "audit/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line of a journal: whatever it holds, what is read of it is within it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_audit_entry entry;
	struct pv_ledger ledger;
	struct pv_str text = {(const char *)data, size};
	pv_ledger_init(&ledger);
	if (pv_audit_entry_read(&entry, text)) {
		pv_ledger_add(&ledger, &entry.request);
		pv_audit_entry_finish(&entry);
	}
	pv_histogram_read(&ledger.gaps, text);
	pv_ledger_read_rules(&ledger, text);
	return 0;
}
