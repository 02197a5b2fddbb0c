import { personOfAnswer } from '../../../nodes/EventPlatform/core/people/registrationAnswer';
import { fakePlatform } from '../../support/platform/fakePlatform';

const request = { method: 'POST', path: '/sessions/s/people' } as const;
const person = { id: 'p1', attributes: { email: 'ada@example.com' } };
const answerOf = async (body: object) => await fakePlatform(() => body).ask(request);

test.each<[string, object, unknown]>([
	['in data', { data: person }, person],
	['in data twice', { data: { data: person } }, person],
	['alone', person, person],
	['flat', { email: 'ada@example.com' }, { email: 'ada@example.com' }],
	['without an id', { data: { fields: [] } }, { fields: [] }],
	['beside an empty list of errors', { data: person, errors: [] }, person],
	['nowhere', { ok: true }, undefined],
	['nowhere, in an empty object', {}, undefined],
	['nowhere, in a list', [], undefined],
	['nowhere, with no error', { error: false }, undefined],
	['nowhere, with nothing in data', { data: null, errors: null }, undefined],
])('the answer to a registration has the record %s', async (_, body, record) => {
	expect(personOfAnswer(request, await answerOf(body))).toEqual(record);
});

test.each([{ errors: [{ detail: 'No' }] }, { error: 'no_seats' }])(
	'an answer that names an error is a refusal: %j',
	async (body) => {
		const answer = await answerOf(body);
		expect(() => personOfAnswer(request, answer)).toThrow('refused');
	},
);
