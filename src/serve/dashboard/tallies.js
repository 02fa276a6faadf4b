// What a crawl has counted: its addresses, what became of them, and the statuses
// of its answers.

import { bar, legend, sentence_of } from "./charts.js";
import { element } from "./dom.js";
import { number, plain } from "./words.js";

const listed_max = 12;

// Of one job, or of several together.
export function sum(all, name) {
	return all.reduce((total, progress) => total + (progress[name] || 0), 0);
}

export function share_words(failed, done) {
	if (!done)
		return "";
	return failed ? (100 * failed / done).toFixed(1) + " % of those done"
		: "of " + number(done) + " done";
}

export function sum_tallies(all, name) {
	const total = new Map();
	for (const progress of all)
		for (const [word, count] of Object.entries(progress[name] || {}))
			total.set(word, (total.get(word) || 0) + count);
	return [...total].map(([word, count]) => ({ word, count }))
		.sort((a, b) => b.count - a.count);
}

// Every known address is in one of these.
export function ledger_parts(all) {
	const failed = sum(all, "failed");
	return [
		{ kind: "good", name: "done", count: sum(all, "done") - failed },
		{ kind: "bad", name: "failed", count: failed },
		{ kind: "refused", name: "refused", count: sum(all, "refused") },
		{ kind: "left", name: "left", count: sum(all, "pending") },
	];
}

const classes = [
	{ kind: "good", name: "2xx", is: (word) => word[0] === "2" },
	{ kind: "calm", name: "3xx", is: (word) => word[0] === "3" },
	{ kind: "warn", name: "4xx", is: (word) => word[0] === "4" },
	{ kind: "bad", name: "5xx", is: (word) => word[0] === "5" },
];

export function status_parts(all) {
	const parts = [...classes, { kind: "left", name: "others" }].map((each) =>
		({ kind: each.kind, name: each.name, count: 0 }));
	for (const { word, count } of sum_tallies(all, "statuses")) {
		const place = classes.findIndex((each) => each.is(word));
		parts[place < 0 ? classes.length : place].count += count;
	}
	return parts.filter((part) => part.count);
}

export function tally_bar(parts, label) {
	return [bar(parts, label + ": " + (sentence_of(parts) || "none")),
		legend(parts)];
}

// Words and their counts, the most first, each with a bar of its share.
export function tally_list(tallies) {
	const total = tallies.reduce((all, each) => all + each.count, 0);
	return element("ul", { class: "tallies" },
		tallies.slice(0, listed_max).map(({ word, count }) =>
			element("li", {},
				element("span", { class: "name" }, plain(word)),
				element("span", { class: "amount" }, number(count)),
				bar([{ kind: "calm", name: "", count },
					{ kind: "none", name: "", count: total - count }]))));
}
