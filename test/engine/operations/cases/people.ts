import {
	aroundNone,
	bodyOf,
	cannotFind,
	firstPage,
	type Item,
	type OperationCase,
} from '../operationCase';
import { mapped } from '../../../support/n8n/operation';
import type { TestSandbox } from '../../../support/platform/sandbox';
import { fresh, makeRegistration, makeSession } from '../../../support/platform/platformRecords';
import { byId } from '../../../support/n8n/locators';
import { unknownId, seededEvent } from '../../../support/platform/seededIds';

const sessionId = byId();

const registered = async (sandbox: TestSandbox) => {
	const id = await makeSession(sandbox);
	const emails = [fresh('there'), fresh('there')].map((name) => `${name}@example.com`);
	const people: string[] = [];
	for (const email of emails) people.push(await makeRegistration(sandbox, id, email));
	const [first, third] = emails.map((email, nth) => ({ id, email, person: people[nth] }));
	return [{ ...first }, { id, email: 'never.came@example.com' }, { ...third }];
};

/** Nobody was found by the email, so the session tells whether its event keeps emails at all. */
const searchInVain = ({ id, email }: Item) => [
	`GET /sessions/${id}/people?filter[email]=${email}`,
	`GET /sessions/${id}?include=event`,
];

const grace = { first_name: 'Grace', last_name: 'Hopper' };

export const peopleCases: Record<string, OperationCase> = {
	'person.getAll': {
		parameters: { limit: 3, filters: { email: '={{ $json.email }}', role: '={{ $json.role }}' } },
		items: async (sandbox) => {
			const roles = ['participant', 'king', 'participant'];
			return (await registered(sandbox)).map((person, place) => ({
				...person,
				role: roles[place],
			}));
		},
		fails: /^The platform refused the request as invalid \(400\)$/,
		sends: ({ email, role }) => [
			`GET /people?filter[email]=${email}&filter[role]=${role}&${firstPage(3)}`,
		],
		gives: ({ email }) => ({ type: 'people', email }),
	},
	'person.get': {
		...aroundNone(
			async (sandbox) => makeRegistration(sandbox, await makeSession(sandbox)),
			'person',
		),
		parameters: { personId: byId() },
		sends: ({ id }) => [`GET /people/${id}`],
		gives: ({ id }) => ({ id, type: 'people', first_name: 'Ada' }),
	},
	'personAttribute.getAll': {
		parameters: { limit: 1, filters: { builtin: true }, options: { sort: '={{ $json.sort }}' } },
		items: () => [
			{ sort: '-slug', first: 'last_name' },
			{ sort: 'shoe_size' },
			{ sort: 'slug', first: 'avatar' },
		],
		fails: /^sort takes slug, name.* \(400\)$/,
		sends: ({ sort }) => [
			`GET /people_attributes?filter[builtin]=true&${firstPage(1)}&sort=${sort}`,
		],
		gives: ({ first }) => ({ type: 'people_attributes', slug: first, builtin: true }),
	},
	'registration.register': {
		parameters: {
			sessionId,
			fields: mapped({ email: '={{ $json.email }}', ...grace }),
			additionalFields: { referrer: 'https://example.com', utmSource: 'newsletter' },
		},
		items: async (sandbox) => {
			const id = await makeSession(sandbox);
			const [first, second] = [`${fresh('new')}@example.com`, `${fresh('new')}@example.com`];
			return [first, 'nobody at example', second].map((email) => ({ id, email }));
		},
		fails: /^"nobody at example" is not an email address$/,
		sends: ({ id }) => [`POST /sessions/${id}/people`],
		sendsInVain: [],
		body: ({ email }) =>
			bodyOf('people', {
				fields: Object.entries({ email, ...grace }).map(([id, value]) => ({ id, value })),
				referrer: 'https://example.com',
				utm_source: 'newsletter',
			}),
		gives: ({ email }) => ({ status: 'registered', type: 'people', email, ...grace }),
	},
	'registration.get': {
		parameters: { sessionId, by: 'email', email: '={{ $json.email }}' },
		items: registered,
		fails: /^Nobody with the email never\.came@example\.com is registered for this session$/,
		sends: ({ id, email }) => [`GET /sessions/${id}/people?filter[email]=${email}`],
		sendsInVain: searchInVain,
		gives: ({ email }) => ({ type: 'people', email, first_name: 'Ada' }),
	},
	'registration.update': {
		parameters: {
			sessionId,
			by: 'person',
			personId: byId('={{ $json.person }}'),
			fields: mapped({ company: '={{ $json.company }}', first_name: 'Ada' }),
			additionalFields: { utmSource: 'newsletter' },
		},
		items: async (sandbox) => {
			const id = await makeSession(sandbox, seededEvent);
			const people = [await makeRegistration(sandbox, id), await makeRegistration(sandbox, id)];
			return [people[0], unknownId, people[1]].map((person) => ({
				id,
				person,
				company: fresh('Acme'),
			}));
		},
		fails: cannotFind('session or the person'),
		sends: ({ id, person }) => [
			`GET /sessions/${id}/people/${person}`,
			`PATCH /sessions/${id}/people/${person}`,
		],
		sendsInVain: ({ id, person }) => [`GET /sessions/${id}/people/${person}`],
		body: ({ company, person }) =>
			bodyOf(
				'people',
				{ fields: [{ id: 'company', value: company }], utm_source: 'newsletter' },
				{ id: person },
			),
		gives: ({ person, company }) => ({
			id: person,
			status: 'updated',
			company,
			first_name: 'Ada',
			changes: [
				{ field: 'company', old: null, new: company },
				{ field: 'utm_source', old: null, new: 'newsletter' },
			],
		}),
	},
	'registration.unregister': {
		parameters: { sessionId, by: 'email', email: '={{ $json.email }}' },
		items: registered,
		fails: /^Nobody with the email never\.came@example\.com is registered/,
		sends: ({ id, email, person }) => [
			`GET /sessions/${id}/people?filter[email]=${email}`,
			`DELETE /sessions/${id}/people/${person}`,
		],
		sendsInVain: searchInVain,
		gives: ({ person, email, id }) => ({ deleted: true, id: person, email, session_id: id }),
	},
};
