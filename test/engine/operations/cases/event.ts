import { aroundNone, bodyOf, cannotFind, firstPage, type OperationCase } from '../operationCase';
import { byId } from '../../../support/n8n/locators';
import {
	fresh,
	makeEvent,
	makeRegistration,
	makeSession,
	makeTag,
} from '../../../support/platform/platformRecords';
import type { TestSandbox } from '../../../support/platform/sandbox';

const eventId = byId();
const morning = { timezone: 'Europe/Paris', name: 'Morning' };
const ofEvents = aroundNone((sandbox) => makeEvent(sandbox), 'event');

/** Three events, and beside each of them one of these values. */
const eventsWith = async (sandbox: TestSandbox, name: string, values: string[]) =>
	await Promise.all(values.map(async (value) => ({ id: await makeEvent(sandbox), [name]: value })));

export const eventCases: Record<string, OperationCase> = {
	'event.getAll': {
		parameters: { limit: '={{ $json.limit }}', filters: { title: '={{ $json.title }}' } },
		items: async (sandbox) => {
			const [first, second] = [fresh('Listed'), fresh('Listed')];
			for (const title of [first, second]) await makeEvent(sandbox, { title });
			return [
				{ title: first, limit: 10 },
				{ title: first, limit: 0 },
				{ title: second, limit: 50 },
			];
		},
		fails: /^'Limit' must be a whole number, 1 or higher$/,
		sends: ({ title, limit }) => [`GET /events?filter[title]=${title}&${firstPage(limit)}`],
		sendsInVain: [],
		gives: ({ title }) => ({ type: 'events', title, sessions_count: 0 }),
	},
	'event.get': {
		...ofEvents,
		parameters: { eventId, options: { include: ['sessions'] } },
		sends: ({ id }) => [`GET /events/${id}?include=sessions`],
		gives: ({ id }) => ({ id, type: 'events', status: 'published', included: [] }),
	},
	'event.create': {
		parameters: {
			title: '={{ $json.title }}',
			sessions: { session: [{ estimatedStartedAt: '={{ $json.start }}', ...morning }] },
			additionalFields: { status: 'draft', chatEnabled: false, description: '' },
			simplify: false,
		},
		items: () => [
			{ title: fresh('New'), start: '2027-02-01T09:30:00' },
			{ title: fresh('New'), start: 'next Tuesday' },
			{ title: fresh('New'), start: '2027-02-01T08:30:00Z' },
		],
		fails: /^There is no such time: "next Tuesday" in the time zone "Europe\/Paris"$/,
		sends: ['POST /events'],
		sendsInVain: [],
		body: ({ title }) =>
			bodyOf(
				'events',
				{ title, status: 'draft', chat_enabled: false },
				{
					relationships: {
						sessions: [
							{
								type: 'sessions',
								attributes: { estimated_started_at: '2027-02-01 09:30:00', ...morning },
							},
						],
					},
				},
			),
		gives: ({ title }) => ({
			attributes: { title, status: 'draft', chat_enabled: false, sessions_count: 1 },
		}),
	},
	'event.update': {
		parameters: {
			eventId,
			updateFields: { title: '={{ $json.title }}', recordingPublic: true },
			options: { fields: 'title, recording_public' },
		},
		items: (sandbox) => eventsWith(sandbox, 'title', [fresh('Renamed'), '', fresh('Renamed')]),
		fails: /title must NOT have fewer than 1 characters \(400\)$/,
		sends: ({ id }) => [`PATCH /events/${id}`],
		body: ({ title, id }) => bodyOf('events', { title, recording_public: true }, { id }),
		gives: ({ id, title }) => ({ id, title, recording_public: true }),
	},
	'event.delete': {
		...ofEvents,
		parameters: { eventId },
		sends: ({ id }) => [`DELETE /events/${id}`],
		gives: ({ id }) => ({ deleted: true, id }),
	},
	'event.getPeople': {
		...aroundNone(async (sandbox) => {
			const event = await makeEvent(sandbox);
			const session = await makeSession(sandbox, event);
			await makeRegistration(sandbox, session, 'known@example.com');
			await makeRegistration(sandbox, session);
			return event;
		}, 'event'),
		parameters: {
			eventId,
			returnAll: true,
			filters: { email: 'known@example.com', role: 'participant' },
		},
		sends: ({ id }) => [
			`GET /events/${id}/people?filter[email]=known@example.com&filter[role]=participant&${firstPage()}`,
		],
		gives: { type: 'people', email: 'known@example.com', role: 'participant' },
	},
	'event.getReport': {
		...aroundNone((sandbox) => makeEvent(sandbox), 'event'),
		parameters: { eventId },
		sends: ({ id }) => [
			`GET /events/${id}/sessions?include=event&${firstPage()}`,
			`GET /events/${id}`,
		],
		sendsInVain: ({ id }) => [`GET /events/${id}/sessions?include=event&${firstPage()}`],
		gives: ({ id }) => ({
			report: 'event',
			event_id: id,
			session_id: null,
			registrants: 0,
			attendees: null,
		}),
	},
	'event.getSessions': {
		parameters: { eventId: byId('={{ $json.url }}', 'url') },
		items: async (sandbox) => {
			const events = [await makeEvent(sandbox), await makeEvent(sandbox)];
			for (const event of events) await makeSession(sandbox, event);
			return [
				{ id: events[0], url: `https://app.livestorm.co/p/${events[0]}/form` },
				{ id: '', url: 'https://app.livestorm.co/acme/demo' },
				{ id: events[1], url: `https://app.livestorm.co/#/events/${events[1]}/sessions` },
			];
		},
		fails: /Event parameter's value is invalid/,
		sends: ({ id }) => [`GET /events/${id}/sessions?include=event&${firstPage()}`],
		sendsInVain: [],
		gives: ({ id }) => ({ type: 'sessions', event_id: id, timezone: 'Europe/Paris' }),
	},
	'event.addTag': {
		parameters: { eventId, tag: '={{ $json.tag }}' },
		items: (sandbox) => eventsWith(sandbox, 'tag', [fresh('tag'), '  ', fresh('tag')]),
		fails: /^'Tag' is empty$/,
		sends: ({ id }) => [`POST /events/${id}/tags`],
		sendsInVain: [],
		body: ({ tag }) => bodyOf('tags', { title: tag }),
		gives: ({ tag }) => ({ type: 'tags', title: tag }),
	},
	'event.removeTag': {
		parameters: { eventId, tag: 'obsolete' },
		items: async (sandbox) => {
			const items = await ofEvents.items(sandbox);
			for (const place of [0, 2]) await makeTag(sandbox, items[place]?.id ?? '', 'obsolete');
			return items;
		},
		fails: cannotFind('event or the tag'),
		sends: ({ id }) => [`DELETE /events/${id}/tags`],
		body: bodyOf('tags', { title: 'obsolete' }),
		gives: { deleted: true },
	},
};
