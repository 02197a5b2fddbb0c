import { text } from '../../../../nodes/EventPlatform/core/http/text';
import {
	aroundNone,
	byId,
	cannotFind,
	firstPage,
	noSuchId,
	type OperationCase,
} from '../operationCase';
import { seededEvent, type TestSandbox } from '../../../support/sandbox';
import { fresh, makeRegistration, makeSession } from '../making';

const mapped = (values: Record<string, string>) => ({
	mappingMode: 'defineBelow',
	value: values,
	schema: [],
});

const registered = async (sandbox: TestSandbox) => {
	const id = await makeSession(sandbox);
	const emails = [fresh('there'), fresh('there')].map((name) => `${name}@example.com`);
	for (const email of emails) await makeRegistration(sandbox, id, email);
	return [emails[0], 'never.came@example.com', emails[1]].map((email) => ({ id, email }));
};

export const peopleCases: Record<string, OperationCase> = {
	'person.getAll': {
		parameters: { limit: 3, filters: { email: '={{ $json.email }}', role: '={{ $json.role }}' } },
		items: async (sandbox) => {
			const session = await makeSession(sandbox);
			const emails = [fresh('a'), fresh('b')].map((name) => `${name}@example.com`);
			for (const email of emails) await makeRegistration(sandbox, session, email);
			return [
				{ email: emails[0], role: 'participant' },
				{ email: emails[0], role: 'king' },
				{ email: emails[1], role: 'participant' },
			];
		},
		fails: /^The platform refused the request as invalid \(400\)$/,
		because: /role/,
		sends: ({ email, role }) => [
			`GET /people?filter[email]=${text(email)}&filter[role]=${text(role)}&${firstPage(3)}`,
		],
		gives: ({ email }) => [{ type: 'people', email }],
	},
	'person.get': {
		parameters: { personId: byId() },
		items: aroundNone(async (sandbox) => makeRegistration(sandbox, await makeSession(sandbox))),
		fails: cannotFind('person'),
		sends: ({ id }) => [`GET /people/${text(id)}`],
		gives: ({ id }) => [{ id, type: 'people', first_name: 'Ada' }],
	},
	'personAttribute.getAll': {
		parameters: { limit: 1, filters: { builtin: true }, options: { sort: '={{ $json.sort }}' } },
		items: () => [
			{ sort: '-slug', first: 'last_name' },
			{ sort: 'shoe_size' },
			{ sort: 'slug', first: 'avatar' },
		],
		fails: /^sort takes slug, name.* \(400\)$/,
		because: /sort takes slug/,
		sends: ({ sort }) => [
			`GET /people_attributes?filter[builtin]=true&${firstPage(1)}&sort=${text(sort)}`,
		],
		gives: ({ first }) => [{ type: 'people_attributes', slug: first, builtin: true }],
	},
	'registration.register': {
		parameters: {
			sessionId: byId(),
			fields: mapped({
				email: '={{ $json.email }}',
				first_name: 'Grace',
				last_name: 'Hopper',
			}),
			additionalFields: { referrer: 'https://example.com', utmSource: 'newsletter' },
		},
		items: async (sandbox) => {
			const id = await makeSession(sandbox);
			return [
				{ id, email: `${fresh('new')}@example.com` },
				{ id, email: 'nobody at example' },
				{ id, email: `${fresh('new')}@example.com` },
			];
		},
		fails: /^"nobody at example" is not an email address$/,
		because: /^This person was not registered\.$/,
		sends: ({ id }) => [`POST /sessions/${text(id)}/people`],
		sendsInVain: () => [],
		body: ({ email }) => ({
			data: {
				type: 'people',
				attributes: {
					fields: [
						{ id: 'email', value: email },
						{ id: 'first_name', value: 'Grace' },
						{ id: 'last_name', value: 'Hopper' },
					],
					referrer: 'https://example.com',
					utm_source: 'newsletter',
				},
			},
		}),
		gives: ({ email }) => [
			{
				status: 'registered',
				type: 'people',
				email,
				...{ first_name: 'Grace', last_name: 'Hopper' },
			},
		],
	},
	'registration.get': {
		parameters: { sessionId: byId(), by: 'email', email: '={{ $json.email }}' },
		items: registered,
		fails: /^Nobody with the email never\.came@example\.com is registered for this session$/,
		because: /Check the address/,
		sends: ({ id, email }) => [`GET /sessions/${text(id)}/people?filter[email]=${text(email)}`],
		gives: ({ email }) => [{ type: 'people', email, first_name: 'Ada' }],
	},
	'registration.update': {
		parameters: {
			sessionId: byId(),
			by: 'person',
			personId: byId('={{ $json.person }}'),
			fields: mapped({ company: '={{ $json.company }}', first_name: 'Ada' }),
			additionalFields: { utmSource: 'newsletter' },
		},
		items: async (sandbox) => {
			const id = await makeSession(sandbox, seededEvent);
			return [
				{ id, person: await makeRegistration(sandbox, id), company: fresh('Acme') },
				{ id, person: noSuchId, company: fresh('Acme') },
				{ id, person: await makeRegistration(sandbox, id), company: fresh('Acme') },
			];
		},
		fails: cannotFind('session or the person'),
		sends: ({ id, person }) => [
			`GET /sessions/${text(id)}/people/${text(person)}`,
			`PATCH /sessions/${text(id)}/people/${text(person)}`,
		],
		sendsInVain: ({ id, person }) => [`GET /sessions/${text(id)}/people/${text(person)}`],
		body: ({ person, company }) => ({
			data: {
				type: 'people',
				id: person,
				attributes: { fields: [{ id: 'company', value: company }], utm_source: 'newsletter' },
			},
		}),
		gives: ({ person, company }) => [
			{
				id: person,
				status: 'updated',
				...{ company, first_name: 'Ada' },
				changes: [
					{ field: 'company', old: null, new: company },
					{ field: 'utm_source', old: null, new: 'newsletter' },
				],
			},
		],
	},
	'registration.unregister': {
		parameters: { sessionId: byId(), by: 'email', email: '={{ $json.email }}' },
		items: registered,
		fails: /^The platform cannot find .* \(404\)$/,
		sends: ({ id, email }) => [`DELETE /sessions/${text(id)}/people?filter[email]=${text(email)}`],
		gives: () => [{ deleted: true }],
	},
};
