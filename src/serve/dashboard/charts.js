// Small drawings. Each says in words what it shows, and no word is drawn but as
// text of the page.

import { drawing, element } from "./dom.js";
import { clock, figure, number } from "./words.js";

const width = 1000;

// Parts of one whole side by side: [{ kind, name, count }]. Without a label it
// only repeats what stands beside it.
export function bar(parts, label = null) {
	const total = parts.reduce((sum, part) => sum + part.count, 0);
	const shown = parts.filter((part) => part.count > 0);
	const least = 6;
	const gap = 4;
	const room = width - least * shown.length - gap * (shown.length - 1);
	let x = 0;
	const rects = shown.map((part) => {
		const wide = least + room * part.count / total;
		const rect = drawing("rect", { class: "part " + part.kind,
			x: x.toFixed(1), y: 0, width: wide.toFixed(1), height: 10 });
		x += wide + gap;
		return rect;
	});
	return drawing("svg", { class: "bar", role: label && "img",
		"aria-label": label, "aria-hidden": label ? null : "true",
		viewBox: "0 0 " + width + " 10", preserveAspectRatio: "none" }, rects);
}

export function sentence_of(parts) {
	return parts.filter((part) => part.count)
		.map((part) => number(part.count) + " " + part.name).join(", ");
}

export function legend(parts) {
	return element("ul", { class: "legend" }, parts.map((part) =>
		element("li", {},
			element("span", { class: "swatch " + part.kind, "aria-hidden": "true" }),
			element("span", { class: "name" }, part.name),
			element("span", { class: "amount" }, number(part.count)))));
}

function points_of(samples, name, height) {
	const first = samples[0].time;
	const span = Math.max(1, samples[samples.length - 1].time - first);
	const most = Math.max(1, ...samples.map((sample) => sample[name]));
	return samples.map((sample) => [
		((sample.time - first) * width / span).toFixed(1),
		(height - 1 - (height - 2) * sample[name] / most).toFixed(2),
	]);
}

function curve(points, height) {
	const line = "M" + points.map((point) => point.join(" ")).join("L");
	return [
		drawing("path", { class: "area",
			d: line + "L" + width + " " + height + "L0 " + height + "Z" }),
		drawing("path", { class: "line", d: line,
			"vector-effect": "non-scaling-stroke" }),
	];
}

// A line without axes, beside a figure that says the same.
export function spark(samples, name) {
	const height = 24;
	return drawing("svg", { class: "spark", "aria-hidden": "true",
		viewBox: "0 0 " + width + " " + height, preserveAspectRatio: "none" },
	samples.length > 2 ? curve(points_of(samples, name, height), height) : []);
}

// A line with the least that it takes to read it: its top, and its times.
export function timeline(samples, name, label) {
	const height = 120;
	if (samples.length < 3)
		return element("p", { class: "soft" },
			"It is drawn from what is seen while this page is open.");
	const most = Math.max(...samples.map((sample) => sample[name]));
	const lines = [0.5, 60, 119.5].map((y) => drawing("line", { class: "grid",
		x1: 0, x2: width, y1: y, y2: y, "vector-effect": "non-scaling-stroke" }));
	return element("div", { class: "timeline" },
		element("p", { class: "axis top", "aria-hidden": "true" }, figure(most)),
		drawing("svg", { role: "img", "aria-label": label,
			viewBox: "0 0 " + width + " " + height,
			preserveAspectRatio: "none" },
		lines, curve(points_of(samples, name, height), height)),
		element("p", { class: "axis", "aria-hidden": "true" },
			element("span", {}, clock(samples[0].time)),
			element("span", {}, clock(samples[samples.length - 1].time))));
}
