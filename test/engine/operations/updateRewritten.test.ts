import type { IncomingMessage } from 'node:http';
import { startPlatform } from '../../support/n8n/startPlatform';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const person = (bio: string) => {
	const registrant_detail = { fields: [{ id: 'bio', type: 'text', value: bio }] };
	const attributes = { email: 'ada@example.com', role: 'participant', registrant_detail };
	return { type: 'people', id: 'p1', attributes };
};

/** A platform with one person, that writes answers in its own way. */
async function platform(write: (sent: string, before: string) => string, bio: string) {
	let stored = bio;
	return await startPlatform((response, request: IncomingMessage, body) => {
		if (request.method === 'PATCH') {
			const [sent] = /(?<="id":"bio","value":")[^"]*/.exec(body) ?? [''];
			stored = write(sent, stored);
		}
		const isOne = /\/people\/p1/.test(request.url ?? '');
		const meta = { current_page: 0, next_page: null, page_count: 1, record_count: 1 };
		const answer = isOne ? { data: person(stored) } : { data: [person(stored)], meta };
		response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
	});
}

test.each([
	['cuts', (sent: string) => sent.slice(0, 10)],
	['rewrites', (sent: string) => sent.toUpperCase()],
])('an answer that the platform %s is updated, and a hint says so', async (_, write) => {
	const bio = 'likes cats and dogs';
	const { records, hints, error } = await operate(
		await platform(write, 'Old'),
		'registration.update',
		{ sessionId: byId('s1'), by: 'person', personId: byId('p1'), fields: mapped({ bio }) },
	);
	expect(error).toBeUndefined();
	expect(records).toMatchObject([{ status: 'updated', bio: write(bio) }]);
	expect(hints).toEqual([
		"The platform writes 'bio' in another way than it is sent, or cuts it off. The record shows what it keeps.",
	]);
});

const inPart = 'The registration was updated only in part';

test.each([
	['keeps', 'New', inPart, `; it changed 'bio'.`],
	['rewrites', 'NEW', inPart, `'bio' is now "NEW" and not "New"`],
	['ignores', 'Old', 'The registration was not updated', `'bio' is still "Old" and not "New"`],
])(
	'where a platform %s an answer and ignores a UTM value, the error says both',
	async (_, stored, message, ofAnswer) => {
		const { error } = await operate(await platform(() => stored, 'Old'), 'registration.update', {
			sessionId: byId('s1'),
			by: 'person',
			personId: byId('p1'),
			fields: mapped({ bio: 'New' }),
			additionalFields: { utmMedium: 'mail' },
		});
		expect(error?.message).toBe(message);
		expect(error?.description).toContain(ofAnswer);
		expect(error?.description).toContain(`'utm_medium' is still empty and not "mail"`);
	},
);
