import { text } from '../../../../nodes/EventPlatform/core/http/text';
import {
	aroundNone,
	byId,
	cannotFind,
	firstPage,
	noSuchId,
	type OperationCase,
} from '../operationCase';
import { fresh, makeEvent, makeRegistration, makeSession, makeTag } from '../making';

const eventId = byId();
const three = aroundNone((sandbox) => makeEvent(sandbox));
const noSuchEvent = cannotFind('event');

export const eventCases: Record<string, OperationCase> = {
	'event.getAll': {
		parameters: {
			limit: '={{ $json.limit }}',
			filters: { title: '={{ $json.title }}' },
		},
		items: async (sandbox) => {
			const [one, other] = [fresh('Listed'), fresh('Listed')];
			await makeEvent(sandbox, { title: one });
			await makeEvent(sandbox, { title: other });
			return [
				{ title: one, limit: 10 },
				{ title: one, limit: 0 },
				{ title: other, limit: 50 },
			];
		},
		fails: /^'Limit' is not a whole number above 0$/,
		sendsInVain: () => [],
		sends: ({ title, limit }) => [
			`GET /events?filter[title]=${text(title)}&${firstPage(Number(limit))}`,
		],
		gives: ({ title }) => [{ type: 'events', title, sessions_count: 0 }],
	},
	'event.get': {
		parameters: { eventId, options: { include: ['sessions'] } },
		items: three,
		fails: noSuchEvent,
		because: /belong to another workspace/,
		sends: ({ id }) => [`GET /events/${text(id)}?include=sessions`],
		gives: ({ id }) => [{ id, type: 'events', status: 'published', included: [] }],
	},
	'event.create': {
		parameters: {
			title: '={{ $json.title }}',
			sessions: {
				session: [
					{
						estimatedStartedAt: '={{ $json.start }}',
						timezone: 'Europe/Paris',
						name: 'Morning',
					},
				],
			},
			additionalFields: { status: 'draft', chatEnabled: false, description: '' },
			simplify: false,
		},
		items: () => [
			{ title: fresh('New'), start: '2027-02-01T09:30:00' },
			{ title: fresh('New'), start: 'next Tuesday' },
			{ title: fresh('New'), start: '2027-02-01T08:30:00Z' },
		],
		fails: /^There is no such time: "next Tuesday" in the time zone "Europe\/Paris"$/,
		because: /ISO 8601/,
		sends: () => ['POST /events'],
		sendsInVain: () => [],
		body: ({ title }) => ({
			data: {
				type: 'events',
				attributes: { title, status: 'draft', chat_enabled: false },
				relationships: {
					sessions: [
						{
							type: 'sessions',
							attributes: {
								estimated_started_at: '2027-02-01 09:30:00',
								timezone: 'Europe/Paris',
								name: 'Morning',
							},
						},
					],
				},
			},
		}),
		gives: ({ title }) => [
			{ attributes: { title, status: 'draft', chat_enabled: false, sessions_count: 1 } },
		],
	},
	'event.update': {
		parameters: {
			eventId,
			updateFields: { title: '={{ $json.title }}', recordingPublic: true },
			options: { fields: 'title, recording_public' },
		},
		items: async (sandbox) => [
			{ id: await makeEvent(sandbox), title: fresh('Renamed') },
			{ id: await makeEvent(sandbox), title: '' },
			{ id: await makeEvent(sandbox), title: fresh('Renamed') },
		],
		fails: /title must NOT have fewer than 1 characters \(400\)$/,
		because: /title/,
		sends: ({ id }) => [`PATCH /events/${text(id)}`],
		sendsInVain: ({ id }) => [`PATCH /events/${text(id)}`],
		body: ({ id, title }) => ({
			data: { type: 'events', id, attributes: { title, recording_public: true } },
		}),
		gives: ({ id, title }) => [{ id, title, recording_public: true }],
	},
	'event.delete': {
		parameters: { eventId },
		items: three,
		fails: noSuchEvent,
		sends: ({ id }) => [`GET /events/${text(id)}`, `DELETE /events/${text(id)}`],
		sendsInVain: ({ id }) => [`GET /events/${text(id)}`],
		gives: ({ id }) => [{ deleted: true, id, title: expect.stringMatching(/\w/) as string }],
	},
	'event.getPeople': {
		parameters: {
			eventId,
			returnAll: true,
			filters: { email: 'known@example.com', role: 'participant' },
		},
		items: async (sandbox) => {
			const events = [await makeEvent(sandbox), await makeEvent(sandbox)];
			for (const event of events) {
				const session = await makeSession(sandbox, event);
				await makeRegistration(sandbox, session, 'known@example.com');
				await makeRegistration(sandbox, session);
			}
			return [{ id: events[0] }, { id: noSuchId }, { id: events[1] }];
		},
		fails: noSuchEvent,
		sends: ({ id }) => [
			`GET /events/${text(id)}/people?filter[email]=known@example.com&filter[role]=participant&${firstPage()}`,
		],
		gives: () => [{ type: 'people', email: 'known@example.com', role: 'participant' }],
	},
	'event.getSessions': {
		parameters: { eventId: { __rl: true, mode: 'url', value: '={{ $json.url }}' } },
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
		sends: ({ id }) => [`GET /events/${text(id)}/sessions?include=event&${firstPage()}`],
		sendsInVain: () => [],
		gives: ({ id }) => [{ type: 'sessions', event_id: id, timezone: 'Europe/Paris' }],
	},
	'event.addTag': {
		parameters: { eventId, tag: '={{ $json.tag }}' },
		items: async (sandbox) => [
			{ id: await makeEvent(sandbox), tag: fresh('tag') },
			{ id: await makeEvent(sandbox), tag: '  ' },
			{ id: await makeEvent(sandbox), tag: fresh('tag') },
		],
		fails: /^'Tag' is empty$/,
		sends: ({ id }) => [`POST /events/${text(id)}/tags`],
		sendsInVain: () => [],
		body: ({ tag }) => ({ data: { type: 'tags', attributes: { title: tag } } }),
		gives: ({ tag }) => [{ type: 'tags', title: tag }],
	},
	'event.removeTag': {
		parameters: { eventId, tag: 'obsolete' },
		items: async (sandbox) => {
			const items = await three(sandbox);
			for (const place of [0, 2]) await makeTag(sandbox, items[place]?.id ?? '', 'obsolete');
			return items;
		},
		fails: cannotFind('event or the tag'),
		sends: ({ id }) => [`DELETE /events/${text(id)}/tags`],
		body: () => ({ data: { type: 'tags', attributes: { title: 'obsolete' } } }),
		gives: () => [{ deleted: true }],
	},
};
