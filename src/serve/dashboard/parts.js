// What several screens have in common.

import { element } from "./dom.js";
import { clock, distance, name_of } from "./words.js";

export function job_link(id) {
	return id.startsWith("fetches/") ? "#/" : "#/jobs/" + encodeURIComponent(id);
}

export function host_link(name) {
	return "#/hosts/" + encodeURIComponent(name);
}

export function state_of(job) {
	return element("span", { class: "state " + job.state }, job.state);
}

export function back() {
	return element("p", { class: "back", "data-key": "back" },
		element("a", { href: "#/" }, "All jobs"));
}

// What a person may ask of a job in that state.
const wishes = {
	queued: ["pause", "stop"],
	running: ["pause", "stop"],
	paused: ["resume", "stop"],
	failed: ["resume"],
};
const words = { pause: "Pause", resume: "Resume", stop: "Stop", remove: "Remove" };

export function wishes_of(job) {
	return wishes[job.state] || [];
}

export function job_button(job, wish) {
	return element("button", {
		type: "button",
		class: wish === "stop" || wish === "remove" ? "grave" : undefined,
		"data-action": wish,
		"data-job": job.id,
		"data-name": name_of(job),
		"data-key": job.id + " " + wish,
		"aria-label": words[wish] + " " + name_of(job),
	}, words[wish]);
}

// A time as a person needs it: how far away; the clock where one points at it.
export function time_of(text) {
	return text ? element("time", { datetime: text, title: clock(text) },
		distance(text)) : "";
}

// When a wait ends: one whose time has come does so now.
export function due_of(text) {
	return text && new Date(text) < Date.now() ? "now" : time_of(text);
}

export function tile(name, value, below, more) {
	return element("div", { class: "tile" },
		element("dt", {}, name),
		element("dd", {},
			element("span", { class: "value" }, value),
			below ? element("span", { class: "below" }, below) : "",
			more || ""));
}

export function section(id, name, ...children) {
	return element("section", { "aria-labelledby": id, "data-key": id },
		element("h2", { id }, name), ...children);
}

// A table that a narrow window can push sideways, by keyboard as well.
export function table(kind, label, heads, rows) {
	return element("div",
		{ class: "scroll " + kind, tabindex: 0, role: "region", "aria-label": label },
		element("table", {},
			element("thead", {}, element("tr", {},
				heads.map((head) => element("th", { scope: "col" }, head)))),
			element("tbody", {}, rows)));
}

export function cell(name, ...children) {
	return element("td", { "data-name": name }, ...children);
}

export function empty(...children) {
	return element("p", { class: "empty" }, ...children);
}

// Names and values, those that are there.
export function facts(pairs) {
	const known = pairs.filter(([, value]) =>
		value !== undefined && value !== null && value !== "");
	return known.length ? element("dl", { class: "facts" },
		known.map(([name, value]) => element("div", {},
			element("dt", {}, name), element("dd", {}, value)))) : "";
}
