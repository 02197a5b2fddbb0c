/** The only ways in which this page touches the document: text is always text, never markup. */

export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

export function makeSvg(tag, attributes) {
	const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	return element;
}

/** Leaves what is right alone, so that a selection and a screen reader's place survive. */
export function say(element, text) {
	const content = String(text);
	if (element.textContent !== content) element.textContent = content;
}

export function set(element, name, value) {
	const content = String(value);
	if (element.getAttribute(name) !== content) element.setAttribute(name, content);
}

/** One child per record, in order: those that are known stay, with focus, selection and what is open. */
export function list(container, records, make, update) {
	const children = new Map([...container.children].map((child) => [child.dataset.key, child]));
	records.forEach((record, index) => {
		const key = String(record.id);
		const child = children.get(key) ?? make(record);
		children.delete(key);
		child.dataset.key = key;
		update(child, record);
		const place = container.children[index] ?? null;
		if (place !== child) container.insertBefore(child, place);
	});
	for (const gone of children.values()) gone.remove();
}

/** Says that a list is empty instead of showing nothing. */
export function listOr(container, records, nothing, make, update) {
	if (records.length > 0) return list(container, records, make, update);
	const say = () => makeNothing(nothing);
	return list(container, [{ id: 'nothing' }], say, () => {});
}

function makeNothing(text) {
	return make('p', { class: 'empty' }, text);
}

/** Buttons to the page before and after, where there is more than one page of `what`. */
export function pager(container, what, { page, pages }, turn) {
	if (container.children.length === 0) {
		const button = (label, sign, step) => {
			const made = make('button', { type: 'button', 'aria-label': label, title: label }, sign);
			made.addEventListener('click', () => {
				if (!isOff(made)) turn(Number(container.dataset.page) + step);
			});
			return made;
		};
		container.append(
			button(`Previous page of ${what}`, '‹', -1),
			make('span', { role: 'status' }),
			button(`Next page of ${what}`, '›', 1),
		);
	}
	const [previous, text, next] = container.children;
	container.dataset.page = page;
	container.hidden = pages < 2;
	set(previous, 'aria-disabled', page === 0);
	set(next, 'aria-disabled', page + 1 >= pages);
	say(text, `${(page + 1).toLocaleString('en')} of ${pages.toLocaleString('en')}`);
}

/** A button that is `disabled` would lose the focus when the last page was opened with it. */
const isOff = (button) => button.getAttribute('aria-disabled') === 'true';

const words = {
	200: 'OK',
	201: 'Created',
	202: 'Accepted',
	204: 'No content',
	207: 'Multi-status',
	302: 'Redirect',
	400: 'Bad request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not found',
	409: 'Conflict',
	422: 'Unprocessable',
	429: 'Too many',
	500: 'Server error',
	502: 'Bad gateway',
};

/** A word for each HTTP status, shown beside the number. */
export const statusWord = (status) => words[status] ?? '';

export const chip = () => make('span', { class: 'chip' });

/** `tone` is one of good, busy, warn, bad, quiet: color only repeats what the text says. */
export function sayChip(element, text, tone) {
	say(element, text);
	set(element, 'data-tone', tone);
}

/** The zone of the browser for times of day, such as "GMT+1". */
export const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
	.formatToParts()
	.find(({ type }) => type === 'timeZoneName').value;

export const clock = (ms) =>
	new Date(ms).toLocaleTimeString('en-GB', {
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});

export function ago(ms, now) {
	const seconds = Math.round((now - ms) / 1000);
	if (seconds < 2) return 'just now';
	if (seconds < 90) return `${seconds} s ago`;
	if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`;
	if (seconds < 129600) return `${Math.round(seconds / 3600)} h ago`;
	return `${Math.round(seconds / 86400)} days ago`;
}

export const number = (value) => Number(value).toLocaleString('en');
