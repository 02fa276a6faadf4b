// Elements and how they come onto the page. Texts are set as text, never read as
// HTML, so that what strangers wrote stays what it is.

const svg_space = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (value === true)
			made.setAttribute(name, "");
		else if (value !== undefined && value !== null && value !== false)
			made.setAttribute(name, value);
	made.append(...children.flat().filter(is_there));
	return made;
}

function is_there(child) {
	return child !== undefined && child !== null && child !== false &&
		child !== "";
}

export function find(id) {
	return document.getElementById(id);
}

// A sentence in its place, which is hidden while there is none.
export function tell(id, text) {
	find(id).textContent = text;
	find(id).hidden = !text;
}

// element("p", { class: "why" }, "It waits."): attributes that are false or
// unknown, and children that are none, are left out.
export function element(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

export function drawing(name, attributes = {}, ...children) {
	return fill(document.createElementNS(svg_space, name), attributes, children);
}

function key_of(node) {
	return node.dataset ? node.dataset.key : undefined;
}

function is_alike(before, now) {
	return before && before.nodeName === now.nodeName &&
		key_of(before) === key_of(now);
}

// What a person has opened or typed stays as it is.
const kept_attributes = ["open", "value"];

function change_attributes(before, now) {
	for (const { name } of [...before.attributes])
		if (!now.hasAttribute(name) && !kept_attributes.includes(name))
			before.removeAttribute(name);
	for (const { name, value } of now.attributes)
		if (before.getAttribute(name) !== value &&
				!kept_attributes.includes(name))
			before.setAttribute(name, value);
}

function become(before, now) {
	if (before.nodeType !== Node.ELEMENT_NODE) {
		if (before.data !== now.data)
			before.data = now.data;
		return;
	}
	change_attributes(before, now);
	draw(before, [...now.childNodes]);
}

// Makes the children of an element those that are wanted. What is there already
// stays and is changed, so that focus, selection and scrolling stay, too.
export function draw(parent, wanted) {
	const keyed = new Map();
	for (const child of parent.childNodes)
		if (key_of(child))
			keyed.set(key_of(child), child);
	let place = parent.firstChild;
	for (const now of wanted.flat().filter(is_there)) {
		const before = key_of(now) ? keyed.get(key_of(now)) : place;
		if (!is_alike(before, now)) {
			parent.insertBefore(now, place);
			continue;
		}
		if (before === place)
			place = place.nextSibling;
		else
			parent.insertBefore(before, place);
		become(before, now);
	}
	while (place) {
		const next = place.nextSibling;
		place.remove();
		place = next;
	}
}

// Another button of the same job, for a button that is gone.
function beside(button, parent) {
	const { job } = button.dataset;
	return job && parent.querySelector("[data-job='" + CSS.escape(job) + "']");
}

// The same, for who works by keyboard: what has the focus keeps it, even where
// it has moved, and what stands beside it gets it where it is gone.
export function draw_page(parent, wanted) {
	const held = document.activeElement;
	draw(parent, wanted);
	if (!held || held === document.activeElement)
		return;
	const near = held.isConnected ? held : beside(held, parent);
	if (near)
		near.focus({ preventScroll: true });
}
