import { ago, byId, chip, list, listOr, make, number, pager, say, sayChip } from './dom.js';

const tones = {
	live: 'good',
	upcoming: 'busy',
	draft: 'quiet',
	not_scheduled: 'quiet',
	past: 'quiet',
	ended: 'quiet',
	on_demand: 'quiet',
	cancelled: 'warn',
	canceled: 'warn',
	not_started: 'warn',
	past_not_started: 'warn',
};

const inWords = (status) => status.replaceAll('_', ' ');

export function showEvents({ events: page }, turn) {
	say(byId('events-count'), number(page.count));
	pager(byId('events-pager'), 'events', page, turn);
	listOr(byId('event-list'), page.events, 'There are no events.', makeEvent, updateEvent);
}

function makeEvent() {
	const card = make(
		'article',
		{ class: 'event' },
		make('h3'),
		chip(),
		make('div', { class: 'sessions' }),
	);
	return card;
}

function updateEvent(card, { title, status, sessions }) {
	const [heading, state, rows] = card.children;
	say(heading, title);
	sayChip(state, inWords(status), tones[status] ?? 'quiet');
	listOr(rows, sessions, 'No sessions yet.', makeSession, updateSession);
}

function makeSession({ id }) {
	const summary = make(
		'summary',
		{},
		make('span', { class: 'name' }),
		make('span', { class: 'when' }),
		chip(),
		make('span', { class: 'registrants' }),
	);
	const people = make('div', { class: 'people' });
	const details = make('details', {}, summary, people);
	details.addEventListener('toggle', () => details.open && showPeople(people, id, 0));
	return details;
}

function updateSession(details, session) {
	const [name, when, state, registrants] = details.firstElementChild.children;
	say(name, session.name || 'Session');
	say(when, startOf(session.estimated_started_at, session.timezone));
	sayChip(state, inWords(session.status), tones[session.status] ?? 'quiet');
	const count = session.registrants_count;
	say(registrants, `${number(count)} registered`);
	const people = details.lastElementChild;
	const isNew = people.dataset.count !== String(count);
	people.dataset.count = count;
	if (details.open && isNew) void showPeople(people, session.id, Number(people.dataset.page ?? 0));
}

/** Writes a start as n8n lists sessions, in the zone of the session. Its city tells the zone. */
function startOf(seconds, timeZone) {
	if (!seconds) return 'no date';
	const format = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone };
	const parts = new Intl.DateTimeFormat('en-US', format).formatToParts(seconds * 1000);
	const { day, month, year, hour, minute } = Object.fromEntries(
		parts.map(({ type, value }) => [type, value]),
	);
	const isThisYear = year === String(new Date().getFullYear());
	const city = timeZone.split('/').pop().replaceAll('_', ' ');
	return `${day} ${month} ${isThisYear ? '' : `${year} `}${hour}:${minute} ${city}`;
}

async function showPeople(container, sessionId, page) {
	const answer = await fetch(
		`/_sandbox/page/sessions/${encodeURIComponent(sessionId)}/people?page=${page}`,
	);
	if (!answer.ok) return;
	const view = await answer.json();
	container.dataset.page = view.page;
	if (container.children.length === 0)
		container.append(peopleTable(), make('div', { class: 'pager' }));
	const [table, pages] = container.children;
	pager(pages, 'people', view, (next) => void showPeople(container, sessionId, next));
	const body = table.querySelector('tbody');
	table.hidden = view.count === 0;
	list(body, view.people, makePerson, updatePerson);
	sayNobody(container, view.count === 0);
}

function peopleTable() {
	const heads = ['Name', 'Email', 'Registered'].map((text) => make('th', { scope: 'col' }, text));
	return make(
		'table',
		{},
		make('caption', { class: 'unseen' }, 'People registered for this session'),
		make('thead', {}, make('tr', {}, ...heads)),
		make('tbody'),
	);
}

function makePerson() {
	return make('tr', {}, make('td'), make('td'), make('td'));
}

function updatePerson(row, person) {
	const [name, email, registered] = row.children;
	const role = person.role === 'team_member' ? ' (team)' : '';
	const names = [person.first_name, person.last_name].filter(Boolean);
	say(name, (names.join(' ') || '–') + role);
	say(email, person.email);
	say(registered, ago(person.created_at * 1000, Date.now()));
}

function sayNobody(container, isEmpty) {
	const notice = container.querySelector('.empty');
	if (isEmpty && !notice)
		container.append(make('p', { class: 'empty' }, 'Nobody is registered yet.'));
	if (!isEmpty) notice?.remove();
}
