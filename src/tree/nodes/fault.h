#ifndef PAVANE_TREE_NODES_FAULT_H
#define PAVANE_TREE_NODES_FAULT_H

#include <stddef.h>

/* Why an expression was not taken: a sentence that says what to write instead,
 * and how many bytes into it. */
struct pv_expression_fault {
	char text[200];
	size_t offset;
};

/* Only the first that is told stays. */
void pv_expression_fault_tell(struct pv_expression_fault *fault, size_t offset,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
