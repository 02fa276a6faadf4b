// One job.

import { timeline } from "./charts.js";
import { element } from "./dom.js";
import { growth_words, samples_of } from "./history.js";
import { hosts_table } from "./overview.js";
import { back, cell, facts, job_button, section, state_of, table, tile,
	time_of, wishes_of } from "./parts.js";
import { ledger_parts, share_words, status_parts, sum_tallies, tally_bar,
	tally_list } from "./tallies.js";
import { bytes, clock, count, duration, figure, name_of, number, rate, sentence,
	title, why } from "./words.js";

function actions(job) {
	const wishes = wishes_of(job);
	const has_ended = Boolean(job.ended);
	return element("p", { class: "actions" },
		wishes.map((wish) => job_button(job, wish)),
		has_ended ? job_button(job, "remove") : "");
}

function tiles(job) {
	const progress = job.progress;
	const is_running = job.state === "running";
	return element("dl", { class: "tiles" },
		is_running ? tile("Pages a second", rate(progress.pages_per_second),
			rate(progress.requests_per_second) + " requests") : "",
		tile("Pages", figure(progress.pages), bytes(progress.bytes)),
		tile("Left", figure(progress.pending),
			is_running ? growth_words(job.id) : ""),
		tile("Errors", figure(progress.failed),
			share_words(progress.failed, progress.done)),
		is_running ? tile("In flight", figure(progress.in_flight),
			"of at most " + number(progress.in_flight_max)) : "",
		progress.left_ms > 0 && is_running
			? tile("To go", duration(progress.left_ms), "at this rate") : "");
}

function growth_part(job) {
	const samples = samples_of(job.id);
	const last = samples[samples.length - 1];
	return section("growth-title", "Queue",
		element("div", { class: "card" },
			element("p", { class: "soft" }, "Addresses that are left" +
				(growth_words(job.id) ? ": " + growth_words(job.id) : "")),
			timeline(samples, "left", "Addresses left over time, now " +
				number(last ? last.left : 0))));
}

function fetching_part(progress) {
	const addresses = progress.fetching || [];
	return addresses.length ? section("fetching-title", "Requested now",
		element("ul", { class: "plain card" }, addresses.map((address) =>
			element("li", {}, address)))) : "";
}

function failures_part(progress) {
	const failures = progress.failures || [];
	return failures.length ? section("failures-title", "First failures",
		element("ul", { class: "plain card" }, failures.map((failure) =>
			element("li", {}, element("span", { class: "address" }, failure.address),
				" ", element("strong", {}, failure.what))))) : "";
}

function statuses_part(progress) {
	const parts = status_parts([progress]);
	return parts.length ? section("statuses-title", "Statuses",
		element("div", { class: "card" }, tally_bar(parts, "Statuses"),
			tally_list(sum_tallies([progress], "statuses")))) : "";
}

// What has become of addresses, and what was refused, word by word.
function ledger_part(progress) {
	const outcomes = sum_tallies([progress], "outcomes");
	const refusals = sum_tallies([progress], "refusals");
	return section("job-ledger-title", "Ledger",
		element("div", { class: "card" },
			element("p", { class: "soft" }, count(progress.known || 0,
				"address is known", "addresses are known")),
			tally_bar(ledger_parts([progress]), "Addresses"),
			outcomes.length ? [element("h3", {}, "Done, by outcome"),
				tally_list(outcomes)] : "",
			refusals.length ? [element("h3", {}, "Refused, and why"),
				tally_list(refusals)] : ""));
}

// So many in a hundred took no longer.
const shares = [["Half", "p50_ms"], ["95 %", "p95_ms"], ["99 %", "p99_ms"]];
const steps = [["Name", "name"], ["Connection", "connect"],
	["First byte", "first_byte"], ["Whole answer", "total"]];

function span(ms) {
	if (ms < 1)
		return "< 1 ms";
	return ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(1) + " s";
}

function times_part(progress) {
	const known = steps.filter(([, name]) => (progress[name] || {}).count);
	const heads = ["Step", ...shares.map(([name]) => name)];
	return known.length ? section("times-title", "Answer times, at most",
		table("times", "Answer times", heads, known.map(([step, name]) =>
			element("tr", {}, cell("Step", step), shares.map(([share, key]) =>
				cell(share, span(progress[name][key]))))))) : "";
}

function hosts_part(job, hosts) {
	const own = hosts.hosts.filter((host) => host.job === job.id).slice(0, 150);
	return own.length ? section("job-hosts-title", "Hosts that wait",
		hosts_table(own)) : "";
}

// What its webhook was told, and what it is yet to be told.
function delivery_words(delivery) {
	if (delivery.ended)
		return sentence(delivery.ended);
	if (delivery.next)
		return ["Tried ", count(delivery.tries || 0, "time", "times"),
			", again ", time_of(delivery.next), "."];
	return "All is told.";
}

function webhook_part(job) {
	const deliveries = job.deliveries || [];
	return deliveries.length ? section("webhook-title", "Webhook " + job.webhook,
		element("div", { class: "card" }, facts(deliveries.map((delivery) =>
			[delivery.of, element("span", {}, delivery_words(delivery))])))) : "";
}

function file_link(job, path, name) {
	return element("a", { href: "v1/jobs/" + encodeURIComponent(job.id) + path,
		download: true }, name);
}

function order_part(job) {
	return section("order-title", "What was asked for",
		element("div", { class: "card" },
			facts([
				["Id", job.id],
				["Owner", job.owner],
				["Profile", job.profile],
				...Object.entries(job.labels || {}).map(([name, value]) =>
					[title(name), typeof value === "string" ? value
						: JSON.stringify(value)]),
				["Handed in", clock(job.created)],
				["Started", job.started && clock(job.started)],
				["Ended", job.ended && clock(job.ended)],
				["Set", (job.set || []).join("\n")],
				["Addresses", (job.urls || []).slice(0, 100).join("\n")],
				["Results", job.started &&
					file_link(job, "/files/journal.jsonl", "journal.jsonl")],
			]),
			job.policy ? element("details", {},
				element("summary", {}, "Policy"),
				element("pre", { tabindex: 0 }, job.policy)) : ""));
}

export function job_view(state) {
	const job = state.job;
	const progress = job.progress;
	return [
		back(),
		element("div", { class: "heading" },
			element("h1", { tabindex: -1, "data-key": "title" }, name_of(job)),
			state_of(job), actions(job)),
		element("p", { class: "lead" }, why(job),
			job.state === "running" && progress && progress.next_ms > 1000 &&
				!progress.in_flight ? " The next request is due in " +
				duration(progress.next_ms) + "." : ""),
		progress ? tiles(job) : "",
		progress ? element("div", { class: "columns even" },
			element("div", {}, job.ended ? "" : growth_part(job),
				fetching_part(progress),
				failures_part(progress), times_part(progress)),
			element("div", {}, ledger_part(progress), statuses_part(progress))) : "",
		hosts_part(job, state.hosts),
		webhook_part(job),
		order_part(job),
	];
}
