import { isRegisteredAfterEnd } from '../../../nodes/EventPlatform/core/people/registrationTime';

const end = 1_800_000_000;

test.each<[string, object, number | undefined, boolean | undefined]>([
	['a second before the end', { registrant_detail: { created_at: end - 1 } }, end, false],
	['at the end', { registrant_detail: { created_at: end } }, end, false],
	['a second after the end', { registrant_detail: { created_at: end + 1 } }, end, true],
	[
		'while the session goes on',
		{ registrant_detail: { created_at: end + 1 } },
		undefined,
		undefined,
	],
	['by an ISO date', { registrant_detail: { created_at: '2027-01-15T08:00:01Z' } }, end, true],
	['as somebody who was unknown at the end', { created_at: end + 1 }, end, true],
	['as somebody who was known at the end', { created_at: end - 1 }, end, false],
	['at a time that the platform does not tell', {}, end, undefined],
	['at a time that is unset', { registrant_detail: { created_at: 0 } }, end, undefined],
])('whether somebody registered after the end: %s', (_, attributes, endedAt, isExpected) => {
	const person = { type: 'people', id: 'p', attributes: { ...attributes } };
	expect(isRegisteredAfterEnd(person, endedAt)).toBe(isExpected);
});
