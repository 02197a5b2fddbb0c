import type { IncomingMessage, ServerResponse } from 'node:http';
import { startPlatform } from '../../support/n8n/startPlatform';
import { mapped, operate } from '../../support/n8n/operation';
import { upcomingSession } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** What one person costs: each request is one of the month's. */

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

const email = 'ada@example.com';
const says =
	(status: number, body: object): Answer =>
	(response) => {
		response.statusCode = status;
		response.end(JSON.stringify(body));
	};
const lost: Answer = (response) => void response.destroy();
const cutOff: Answer = (response) => void response.end('{"data":{"id":"p1"');
const person = { type: 'people', id: 'p1', attributes: { email, role: 'participant' } };
const made = says(201, { data: person });
const known = says(409, { errors: [{ code: 'already_registered' }] });
const listed = says(200, { data: [person] });
const nobody = says(200, { data: [] });
const unread = says(403, {});
const downForAnHour: Answer = (response) => {
	response.writeHead(503, { 'retry-after': '3600' });
	response.end();
};
const noCampaign = says(400, { errors: [{ title: 'utm_campaign is not allowed' }] });
const formOf = (id: string) =>
	says(200, {
		data: { type: 'sessions', id: upcomingSession, attributes: { event_id: 'e1' } },
		included: [
			{
				type: 'events',
				id: 'e1',
				attributes: { title: 'Day', fields: [{ id, type: 'text', order: 0, required: true }] },
			},
		],
	});

interface World {
	/** What the platform says of each attempt to register; of those after them, what it said of the last. */
	posts: readonly [Answer, ...Answer[]];
	session?: Answer;
	list?: Answer;
	options?: object;
	additionalFields?: object;
	answers?: object;
	people?: number;
}

const choices = ['Tea', 'Cake'].map((name) => ({ name, value: name }));
/** The questions as the editor has saved them. */
const saved = [
	{ id: 'email', displayName: 'Email', type: 'string' },
	{ id: 'topics', displayName: 'Topics', type: 'string', options: choices },
];
const failing = { ifAlreadyRegistered: 'fail' };
const additionalFields = { utmCampaign: 'Autumn' };

test.each<[what: string, requests: string, becomes: string, World]>([
	['somebody new', 'POST', 'registered', { posts: [made] }],
	[
		'somebody who is there, and is given back',
		'POST, GET people',
		'already_registered',
		{ posts: [known], list: listed },
	],
	[
		'somebody who is there, which is an error',
		'POST',
		'The person is already registered for this session (409)',
		{ posts: [known], options: failing },
	],
	[
		'a session that is full',
		'POST',
		'The session is full: nobody else can register (422)',
		{ posts: [says(422, { errors: [{ code: 'session_full' }] })] },
	],
	[
		'an answer that got lost, and who is there when sent again',
		'POST, GET session, POST, GET people',
		'already_registered',
		{ posts: [lost, known], session: formOf('email'), list: listed },
	],
	[
		'an answer that is cut off, or a page of something else, which counts as lost',
		'POST, GET session, POST, GET people',
		'already_registered',
		{ posts: [cutOff, known], session: formOf('email'), list: listed },
	],
	[
		'an answer that got lost, and a form that cannot be read: the list has the person',
		'POST, GET session, GET people',
		'already_registered',
		{ posts: [lost], session: unread, list: listed },
	],
	[
		'an answer that got lost, and neither form nor list',
		'POST, GET session, GET people',
		'The connection broke before the platform answered',
		{ posts: [lost], session: unread, list: nobody },
	],
	[
		'an answer that got lost at a public event',
		'POST, GET session',
		'The connection broke before the platform answered',
		{ posts: [lost], session: formOf('first_name') },
	],
	[
		'an answer that got lost, where somebody who is there is an error',
		'POST',
		'The connection broke before the platform answered',
		{ posts: [lost], options: failing },
	],
	[
		'an outage that lasts an hour, as the platform says',
		'POST',
		'The platform answered with a server error (503)',
		{ posts: [downForAnHour] },
	],
	[
		'a platform that refuses the campaign: it is left out from then on',
		'POST, POST, POST',
		'registered, registered',
		{ posts: [noCampaign, made], additionalFields, people: 2 },
	],
	[
		'a platform that takes no lists: they are sent as texts from then on',
		'POST, POST, POST',
		'registered, registered',
		{
			posts: [says(400, { errors: [{ title: 'value must be a text' }] }), made],
			answers: { topics: ['Tea', 'Cake'] },
			people: 2,
		},
	],
	[
		'a platform that refuses the person with and without the campaign',
		'POST, POST',
		'utm_campaign is not allowed (400)',
		{ posts: [noCampaign], additionalFields },
	],
	[
		'an answer that got lost in the plain form',
		'POST, POST, GET session, POST',
		'registered',
		{ posts: [noCampaign, lost, made], session: formOf('email'), additionalFields },
	],
])('%s: %s', async (_, requests, becomes, { posts, ...world }) => {
	let next = 0;
	const { session = nobody, list = nobody } = world;
	const platform = await startPlatform((response, request, body) => {
		const { method, url = '' } = request;
		const get = url.includes('/people') ? list : session;
		const answer = method === 'POST' ? posts[Math.min(next++, posts.length - 1)] : get;
		answer?.(response, request, body);
	});
	const parameters = {
		sessionId: byId(upcomingSession),
		fields: mapped({ email, ...world.answers }, saved),
		options: world.options ?? {},
		additionalFields: world.additionalFields ?? {},
	};
	const items = Array.from({ length: world.people ?? 1 }, () => ({}));
	const run = await operate(platform, 'registration.register', parameters, { items });
	const { records, error } = run;
	const statuses = records.map(({ status }) => status as string);
	expect(error?.message ?? statuses.join(', ')).toBe(becomes);
	const sent = platform.seen.map(({ method, url = '' }) =>
		method === 'POST' ? method : `GET ${url.includes('/people') ? 'people' : 'session'}`,
	);
	expect(sent.join(', ')).toBe(requests);
});

test('an outage: four attempts', async () => {
	let posts = 0;
	const platform = await startPlatform((response, request, body) => {
		if (request.method === 'POST') posts += 1;
		(request.method === 'POST' ? lost : formOf('email'))(response, request, body);
	});
	const parameters = { sessionId: byId(upcomingSession), fields: mapped({ email }) };
	const { error } = await operate(platform, 'registration.register', parameters);
	expect(error?.message).toBe('The connection broke before the platform answered');
	expect(posts).toBe(4);
});
