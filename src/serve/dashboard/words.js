// Numbers, times and sentences for people.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en",
	{ notation: "compact", maximumFractionDigits: 1 });
const day_ms = 86400000;

export function number(amount) {
	return whole.format(amount || 0);
}

// At most six characters, for large figures.
export function figure(amount) {
	return Math.abs(amount || 0) < 100000 ? number(amount) : short.format(amount);
}

export function rate(amount) {
	return (amount || 0) >= 100 ? number(Math.round(amount))
		: (amount || 0).toFixed(1);
}

export function count(amount, one, many) {
	return number(amount) + " " + (amount === 1 ? one : many);
}

export function bytes(amount) {
	const units = ["bytes", "kB", "MB", "GB", "TB"];
	let unit = 0;
	let rest = amount || 0;
	for (; rest >= 1000 && unit + 1 < units.length; unit++)
		rest /= 1000;
	return (unit && rest < 100 ? rest.toFixed(1) : Math.round(rest)) + " " +
		units[unit];
}

export function duration(ms) {
	const seconds = Math.max(0, Math.round(ms / 1000));
	if (seconds < 90)
		return seconds + " s";
	if (seconds < 5400)
		return Math.round(seconds / 60) + " min";
	if (seconds < 129600)
		return Math.round(seconds / 3600) + " h";
	return Math.round(seconds / 86400) + " d";
}

export function clock(text) {
	const time = new Date(text);
	const is_today = Math.abs(time - Date.now()) < day_ms &&
		time.getDate() === new Date().getDate();
	return is_today ? time.toLocaleTimeString()
		: time.toLocaleDateString(undefined,
			{ day: "numeric", month: "short" }) + ", " +
			time.toLocaleTimeString(undefined,
				{ hour: "2-digit", minute: "2-digit" });
}

// "in 42 s", or "12 s ago".
export function distance(text) {
	const ms = new Date(text) - Date.now();
	if (Math.abs(ms) < 500)
		return "now";
	return ms > 0 ? "in " + duration(ms) : duration(-ms) + " ago";
}

// "retry-after" as it is read: "retry after".
export function plain(word) {
	return String(word).replace(/[-_]/g, " ");
}

// "waits_for" as a title: "Waits for".
export function title(word) {
	const text = plain(word);
	return text.charAt(0).toUpperCase() + text.slice(1);
}

// A sentence of the service's, which may lack its end. It may begin with a host or
// a key, such as limits.pages, which are written as they are.
export function sentence(text) {
	if (!text)
		return "";
	const has_name = /^\S*[.:_]\S/.test(text);
	const first = has_name ? text : text.charAt(0).toUpperCase() + text.slice(1);
	return /[.!?…]$/.test(first) ? first : first + ".";
}

// What its labels say, since several jobs may have one in common.
export function name_of(job) {
	const labels = job.labels || {};
	const texts = labels.name ? [labels.name] : Object.values(labels);
	return texts.filter((text) => typeof text === "string" && text)
		.slice(0, 3).join(" · ") || job.id;
}

// What a person wants to know first: what holds a job.
export function why(job) {
	const progress = job.progress || {};
	switch (job.state) {
	case "queued":
		return "It waits for its turn: as many jobs run as may.";
	case "paused":
		return "It is paused, and goes on when it is resumed.";
	case "stopping":
		return "It is stopping: requests in flight end.";
	case "running":
		return sentence(progress.pauses || progress.note ||
			(progress.held_by && "held by " + progress.held_by) ||
			"It begins");
	default:
		return sentence(job.end);
	}
}
