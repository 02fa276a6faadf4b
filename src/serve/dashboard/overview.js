// The first screen: what runs, what holds it, and what hosts wait for.

import { bar, sentence_of, spark } from "./charts.js";
import { element } from "./dom.js";
import { all_jobs, growth_words, samples_of } from "./history.js";
import { cell, due_of, empty, host_link, job_button, job_link, section, state_of,
	table, tile, wishes_of } from "./parts.js";
import { ledger_parts, share_words, status_parts, sum, tally_bar } from "./tallies.js";
import { clock, count, duration, figure, name_of, number, rate, why } from "./words.js";

export const jobs_shown = 50;
export const hosts_shown = 150;

// Jobs

function figures(job) {
	const progress = job.progress;
	if (!progress)
		return element("p", { class: "figures" }, job.ended
			? "ended " + clock(job.ended) : "handed in " + clock(job.created));
	return element("dl", { class: "figures" },
		[["rate", rate(progress.pages_per_second) + "/s"],
			["left", figure(progress.pending)],
			["errors", figure(progress.failed)]].map(([name, value]) =>
			element("div", {}, element("dt", {}, name),
				element("dd", {}, value))));
}

function row_of(job) {
	const parts = job.progress ? ledger_parts([job.progress]) : [];
	return element("li", { class: "job", "data-key": "job " + job.id },
		element("h3", {},
			element("a", { href: job_link(job.id) }, name_of(job)),
			state_of(job)),
		element("p", { class: "why" }, why(job)),
		figures(job),
		job.progress ? spark(samples_of(job.id), "left") : "",
		element("p", { class: "actions" },
			wishes_of(job).map((wish) => job_button(job, wish))),
		parts.length ? bar(parts, sentence_of(parts) || "nothing known yet")
			: "");
}

// What runs comes first, then what may.
const ranks = ["running", "stopping", "paused", "queued"];

function rank_of(job) {
	const rank = ranks.indexOf(job.state);
	return rank < 0 ? ranks.length : rank;
}

function jobs_part(state) {
	const jobs = [...state.jobs].sort((a, b) => rank_of(a) - rank_of(b));
	return section("jobs-title", "Jobs",
		jobs.length ? element("ul", { class: "jobs" }, jobs.map(row_of))
			: empty("No job yet. Other programs hand them in by ",
				element("code", {}, "POST /v1/jobs"), "."),
		state.has_more_jobs ? element("p", { class: "soft" },
			"The newest " + number(state.jobs.length) + " are shown.") : "");
}

// The sentence on top

function next_of(running) {
	const waits = running.map((job) => (job.progress || {}).next_ms)
		.filter((ms) => ms > 0);
	return waits.length === running.length ? Math.min(...waits) : 0;
}

function headline(state, running, all) {
	const queued = state.jobs.filter((job) => job.state === "queued").length;
	const speed = sum(all, "pages_per_second");
	const next = next_of(running);
	if (!running.length)
		return queued ? count(queued, "job waits", "jobs wait") + " for a turn."
			: "No job runs.";
	const runs = count(running.length, "job runs", "jobs run");
	const more = queued ? ", " + number(queued) + " more wait for a turn" : "";
	if (!sum(all, "in_flight") && next > 1000)
		return runs + more + ". The next request is due in " +
			duration(next) + ".";
	return runs + more + (speed >= 0.05 ? ", at " + rate(speed) +
		" pages a second." : ".");
}

function holder(running) {
	return running.length === 1 ? why(running[0]) : "";
}

function tiles(all, hosts) {
	const samples = samples_of(all_jobs);
	const done = sum(all, "done");
	const failed = sum(all, "failed");
	return element("dl", { class: "tiles" },
		tile("Pages a second", rate(sum(all, "pages_per_second")),
			rate(sum(all, "requests_per_second")) + " requests",
			spark(samples, "rate")),
		tile("Left", figure(sum(all, "pending")), growth_words(all_jobs),
			spark(samples, "left")),
		tile("Errors", figure(failed), share_words(failed, done)),
		tile("In flight", figure(sum(all, "in_flight")),
			"of at most " + number(sum(all, "in_flight_max"))),
		tile("Hosts waiting", figure(hosts.waiting),
			"of " + number(sum(all, "hosts"))));
}

// Hosts

function wait_of(host) {
	return host.given_up ? "given up: " + host.given_up : host.why || "";
}

// The job is named where there can be several.
function host_row(host, names) {
	return element("tr", { "data-key": "host " + host.job + " " + host.host },
		cell("Host", element("a", { href: host_link(host.host) }, host.host)),
		cell("Waits", wait_of(host)),
		cell("Until", due_of(host.until)),
		names ? cell("Job", element("a", { href: job_link(host.job) },
			names.get(host.job) || host.job)) : "");
}

function reason_button(reason, chosen) {
	return element("li", {}, element("button", {
		type: "button",
		"data-action": "reason",
		"data-reason": reason.waits_for,
		"data-key": "reason " + reason.waits_for,
		"aria-pressed": String(reason.waits_for === chosen),
	}, element("span", { class: "amount" }, number(reason.hosts)),
	element("span", {}, reason.why)));
}

export function hosts_table(hosts, names) {
	return table("hosts", "Hosts that wait",
		["Host", "Waits", "Until", ...(names ? ["Job"] : [])],
		hosts.map((host) => host_row(host, names)));
}

function hosts_part(state) {
	const names = new Map(state.jobs.map((job) => [job.id, name_of(job)]));
	const reasons = state.hosts.reasons || [];
	const chosen = reasons.some((each) => each.waits_for === state.reason)
		? state.reason : undefined;
	const fitting = state.hosts.hosts.filter((host) =>
		!chosen || host.waits_for === chosen);
	const shown = fitting.slice(0, hosts_shown);
	return section("hosts-title", "Hosts that wait",
		reasons.length ? element("ul", { class: "reasons" }, reasons.map(
			(reason) => reason_button(reason, chosen))) : "",
		shown.length ? hosts_table(shown, names) : empty("No host waits."),
		shown.length < state.hosts.waiting && !chosen
			? element("p", { class: "soft" }, "Those that wait longest are shown: " +
				number(shown.length) + " of " + number(state.hosts.waiting) + ".")
			: "",
		element("form", { class: "open-host", "data-action": "open-host" },
			element("label", { for: "host-name" }, "Another host"),
			element("input", { id: "host-name", name: "host", required: true,
				autocomplete: "off", spellcheck: "false",
				autocapitalize: "none", placeholder: "example.org" }),
			element("button", { type: "submit" }, "Show")));
}

// What became of requests

function outcomes_part(all) {
	const statuses = status_parts(all);
	const known = sum(all, "known");
	return element("div", { class: "side", "data-key": "side" },
		section("answers-title", "Statuses", statuses.length
			? element("div", { class: "card" }, tally_bar(statuses, "Statuses"))
			: empty("No answer yet.")),
		section("ledger-title", "Ledger", known
			? element("div", { class: "card" },
				element("p", { class: "soft" }, count(known,
					"address is known", "addresses are known")),
				tally_bar(ledger_parts(all), "Addresses"))
			: empty("No address yet.")));
}

export function overview(state) {
	const running = state.jobs.filter((job) => job.state === "running");
	const all = running.map((job) => job.progress || {});
	return [
		element("h1", { tabindex: -1, "data-key": "title" },
			headline(state, running, all)),
		element("p", { class: "lead" }, holder(running)),
		running.length ? tiles(all, state.hosts) : "",
		jobs_part(state),
		running.length ? element("div", { class: "columns", "data-key": "columns" },
			hosts_part(state), outcomes_part(all)) : "",
	];
}
