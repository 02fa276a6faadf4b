#ifndef PAVANE_READING_LINKS_H
#define PAVANE_READING_LINKS_H

/* The links of an answer: those in a page, a style sheet or a drawing, and
 * those that its headers name, each joined, judged and added to its findings.
 *
 * Of a page those count that lead to pages and to resources; of what was asked
 * for as a resource only those to resources, as style sheets and drawings have
 * them. Where that leaves something out, or where the way to it was too long
 * for all of them, it is noted that the address may lead further, should it be
 * found again in a better place.
 */
struct pv_link_collector;

/* The links of an answer that is a success; its type is known. */
void pv_answer_links_read(struct pv_link_collector *collector);

/* The redirect to the address on the desk. */
void pv_answer_links_read_redirect(struct pv_link_collector *collector);

#endif
