// One host: its clocks in each job, and a pause for all of them.

import { element } from "./dom.js";
import { back, due_of, empty, facts, job_link, time_of } from "./parts.js";
import { tally_list } from "./tallies.js";
import { bytes, clock, duration, name_of, number, sentence } from "./words.js";

// Between two requests, or how long an answer took.
function span(ms) {
	return ms === undefined ? "" : ms < 1000 ? ms + " ms" : duration(ms);
}

function wait_of(view) {
	if (view.given_up)
		return "Nothing more is requested of it: " + view.given_up + ".";
	if (!view.why)
		return "It waits for nothing.";
	return sentence("it waits " + view.why);
}

function now_part(view) {
	return facts([
		["Since", view.since && element("span", {}, clock(view.since), ", ",
			time_of(view.since))],
		["Until", view.until && element("span", {}, clock(view.until), ", ",
			due_of(view.until))],
		["Between two requests", span(view.delay_ms)],
		["Failures in a row", view.failures ? number(view.failures) : ""],
		["In flight", view.in_flight === undefined ? ""
			: number(view.in_flight)],
		["In the queue", view.queued === undefined ? "" : number(view.queued)],
		["Answers", view.pages === undefined ? "" : number(view.pages) +
			", " + bytes(view.bytes)],
		["Paused in this job", view.paused ? "yes" : ""],
	]);
}

// Each clock that holds it, and where that was said.
function clocks_part(view) {
	const clocks = view.clocks || [];
	return clocks.length ? element("div", {},
		element("h3", {}, "Clocks"),
		element("ul", { class: "plain" }, clocks.map((each) =>
			element("li", {}, sentence(each.sentence),
				each.origin ? element("span", { class: "soft" },
					" Said by " + each.origin + ".") : "")))) : "";
}

const ledger_words = {
	requests: ["Requests", number],
	bytes: ["Received", bytes],
	too_many: ["Said 429, too many requests", number],
	unavailable: ["Said 503, not available", number],
	most_at_once: ["Requests at once, at most", number],
	least_gap_ms: ["Between two requests, at least", span],
	median_gap_ms: ["Between two requests, mostly", span],
	least_reaction_ms: ["After such an answer, at least", span],
};

// What it has seen of us.
function ledger_part(view) {
	const ledger = view.ledger;
	if (!ledger)
		return "";
	const rules = Object.entries(ledger.paced_by || {}).map(
		([word, count]) => ({ word, count })).sort((a, b) => b.count - a.count);
	return element("div", {},
		element("h3", {}, "Ledger"),
		facts(Object.entries(ledger_words).map(([key, [name, words]]) =>
			[name, ledger[key] === undefined ? "" : words(ledger[key])])),
		rules.length ? [element("h3", {}, "Paced by"), tally_list(rules)] : "");
}

const robots_words = {
	unknown: "not asked for yet",
	asking: "being asked for",
	open: "there is none, or it has no rules",
	rules: "it has rules",
	closed: "it cannot be fetched, and the host waits",
	lost: "it could not be fetched for long",
};

// A copy of an earlier run is read before the first request of this one.
function robots_state(robots) {
	if (robots.state === "unknown" && robots.asked)
		return "stored, and read before the next request";
	return robots_words[robots.state] || robots.state;
}

function robots_part(view) {
	const robots = view.robots;
	return robots ? element("div", {},
		element("h3", {}, "robots.txt"),
		facts([
			["State", robots_state(robots)],
			["Of", robots.authority],
			["Status", robots.status],
			["Asked for", time_of(robots.asked)],
			["Asked for again", time_of(robots.until)],
		])) : "";
}

function job_part(view, names) {
	const name = names.get(view.job) || view.job;
	return element("section", { class: "card", "data-key": "job " + view.job,
		"aria-label": "In the job " + name },
	element("h2", {}, "In ", element("a", { href: job_link(view.job) }, name)),
	element("p", { class: "why" }, wait_of(view)),
	element("div", { class: "columns even" },
		element("div", {}, now_part(view), clocks_part(view), robots_part(view)),
		element("div", {}, ledger_part(view))));
}

// The pause of the whole service

const spans = [["", "until it is resumed"], ["900", "for 15 minutes"],
	["3600", "for an hour"], ["14400", "for 4 hours"], ["86400", "for a day"]];

function pause_form() {
	return element("form", { class: "pause", "data-action": "pause-host",
		"data-key": "pause" },
	element("label", { for: "pause-for" }, "Pause it"),
	element("select", { id: "pause-for", name: "for" }, spans.map(([value, name]) =>
		element("option", { value }, name))),
	element("label", { for: "pause-reason" }, "Reason"),
	element("input", { id: "pause-reason", name: "reason", maxlength: 200,
		autocomplete: "off", placeholder: "shown with the pause" }),
	element("button", { type: "submit" }, "Pause"));
}

function pause_words(paused) {
	const parts = ["It is paused in all jobs"];
	if (paused.by)
		parts.push("by " + paused.by);
	if (paused.since)
		parts.push("since " + clock(paused.since));
	parts.push(paused.until ? "until " + clock(paused.until)
		: "until it is resumed");
	return parts.join(" ") + (paused.reason ? ": " + paused.reason : "") + ".";
}

function pause_part(host) {
	return element("div", { class: "card paused-part", "data-key": "pausing" },
		host.paused ? [
			element("p", { class: "why" }, pause_words(host.paused)),
			element("p", { class: "actions" }, element("button", {
				type: "button", "data-action": "resume-host",
				"data-key": "resume-host",
			}, "Resume")),
		] : pause_form());
}

export function host_view(state) {
	const host = state.host;
	const names = new Map(state.jobs.map((job) => [job.id, name_of(job)]));
	const jobs = host.jobs || [];
	return [
		back(),
		element("h1", { tabindex: -1, "data-key": "title" }, host.host),
		element("p", { class: "lead" },
			!host.paused && jobs.length === 1 ? wait_of(jobs[0]) : ""),
		pause_part(host),
		jobs.length ? jobs.map((view) => job_part(view, names))
			: empty("No job that runs knows this host."),
	];
}
