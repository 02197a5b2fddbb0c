import { readEvent } from '../../../nodes/EventPlatform/core/webhooks/readEvent';

const replay = 'people.watched_replay';

function read(body: string, event?: unknown, eventTypes = ['job.ended', replay]) {
	return readEvent({ body: new TextEncoder().encode(body), event }, eventTypes);
}

test('a record is read as its event', () => {
	expect(read('{"type":"jobs","id":"j-1"}')).toMatchObject({
		kind: 'event',
		delivery: { eventType: 'job.ended', record: { id: 'j-1' } },
	});
});

test('a body that is no record is read with what it says of its event', () => {
	const body = { session_id: 's-1' };
	expect(read(JSON.stringify(body), undefined, [replay])).toMatchObject({
		kind: 'event',
		delivery: { eventType: replay, record: { id: '', attributes: body } },
		raw: { eventType: replay, body },
	});
});

test.each(['', '<html>', '{"id":', '\u0000'])('what is no JSON is unreadable: %j', (body) => {
	expect(read(body).kind).toBe('unreadable');
});

describe('what is not read as an event', () => {
	const sessions = ['session.started', 'session.ended'];
	const session = '{"type":"sessions","id":"s-1"}';

	test.each<[string, string, unknown, string[], string]>([
		['may be of two events', session, undefined, sessions, 'It may be session.started or session.'],
		['comes to a URL with two events', session, sessions, sessions, 'names several events'],
		['comes to a URL with another event', session, replay, sessions, 'Chosen are session.started,'],
	])('says what to do where it %s', (_, body, event, eventTypes, words) => {
		expect(read(body, event, eventTypes)).toMatchObject({
			kind: 'ignore',
			reason: expect.stringContaining(words) as string,
			needsAttention: true,
		});
	});

	test('asks nobody for attention where it has nothing to do with the chosen events', () => {
		expect(read('[]', undefined, ['job.ended'])).toEqual({
			kind: 'ignore',
			reason: 'This is not an event',
		});
	});
});
