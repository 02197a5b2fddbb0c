import { split, ToSend, type Shipment } from '../../../nodes/EventPlatform/core/bulk/toSend';
import { planRun } from '../../../nodes/EventPlatform/core/bulk/plan';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import { candidate, candidates } from '../../support/simulation';

const request = { method: 'POST', path: '/sessions/s/people/bulk' } as const;
const refusal = (...details: string[]) =>
	new Failure('unprocessable', request, { errors: details.map((detail) => ({ detail })) });
const of = (count: number, sessions = ['s']) =>
	new ToSend(planRun(sessions.flatMap((session) => candidates(count, session))), true);

function taken(toSend: ToSend, now = 0): Shipment {
	const shipment = toSend.take(now);
	if (!shipment) throw new Error('There is nothing to send');
	return shipment;
}

test('the plan is sent in its order, each chunk once', () => {
	const toSend = of(60);
	expect(toSend.size).toBe(2);
	expect(toSend.readyAt(7)).toBe(7);
	const first = { sessionId: 's', tries: 0, notBefore: 0 };
	expect(toSend.take(7)).toEqual({ ...first, people: [...Array(50).keys()] });
	expect(toSend.take(7)?.people).toHaveLength(10);
	expect(toSend.size).toBe(0);
	expect(toSend.take(7)).toBeUndefined();
	expect(toSend.readyAt(7)).toBe(Infinity);
});

describe('what failed', () => {
	test('goes again before the plan, but not before its time', () => {
		const toSend = of(60);
		const shipment = taken(toSend);
		expect(toSend.sendAgain({ ...shipment, lostAt: 7 }, 1_000)).toBe(true);
		expect(toSend.size).toBe(2);
		expect(taken(toSend, 1_499).people).toHaveLength(10);
		expect(toSend.readyAt(1_499)).toBe(1_500);
		expect(toSend.take(1_499)).toBeUndefined();
		const again = taken(toSend, 1_500);
		expect(again).toEqual({ ...shipment, lostAt: 7, tries: 1, notBefore: 1_500 });
	});

	test('waits longer each time, or as long as the platform says, and is tried eight times', () => {
		const toSend = of(1);
		let shipment = taken(toSend);
		const pauses: number[] = [];
		while (toSend.sendAgain(shipment, 0)) {
			pauses.push(toSend.readyAt(0));
			shipment = taken(toSend, Infinity);
		}
		expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
		expect(toSend.size).toBe(0);

		const told = of(1);
		told.sendAgain(taken(told), 0, 9_000);
		expect(told.readyAt(0)).toBe(9_000);
	});
});

test('what failed first goes again first, and after what was refused', () => {
	const toSend = of(60, ['a', 'b']);
	const [first, second, third] = [taken(toSend), taken(toSend), taken(toSend)];
	toSend.sendAgain(first, 0);
	toSend.sendAgain(second, 0);
	toSend.sendParts(third, refusal());
	const people = [0, 0, 1_000, 1_000, 1_000].map((now) => taken(toSend, now).people[0]);
	expect(people).toEqual([60, 85, 0, 50, 110]);
});

describe('what was refused as a whole', () => {
	test('is sent in parts, at once and before the rest', () => {
		const toSend = of(60);
		const shipment = { ...taken(toSend), tries: 3, lostAt: 7 };
		expect(toSend.sendParts(shipment, refusal())).toBe(true);
		expect(toSend.size).toBe(3);
		const part = { sessionId: 's', tries: 0, lostAt: 7, notBefore: 0 };
		expect(toSend.take(0)).toMatchObject({ ...part, people: [...Array(25).keys()] });
		expect(toSend.take(0)?.people[0]).toBe(25);
		expect(toSend.take(0)?.people[0]).toBe(50);
	});

	test('is not divided when it is one person, or nobody wants it', () => {
		const toSend = of(1);
		expect(toSend.sendParts(taken(toSend), refusal())).toBe(false);
		const whole = new ToSend(planRun(candidates(2)), false);
		expect(whole.sendParts(taken(whole), refusal())).toBe(false);
	});

	test.each([
		[1, 100],
		[300, 100],
		[303, 101],
	])('of %d requests %d are divided at most', (chunks, most) => {
		const toSend = new ToSend(planRun(candidates(chunks * 50)), true);
		const shipment = taken(toSend);
		let splits = 0;
		while (toSend.sendParts(shipment, refusal())) splits += 1;
		expect(splits).toBe(most);
	});
});

describe('dividing is pointless', () => {
	const unknownField = "The field 'email' doesn't exist";
	const wrongField = "The field 'email' is not right";

	test('where a field that everyone has does not exist', () => {
		const toSend = of(60);
		expect(toSend.sendParts(taken(toSend), refusal(unknownField))).toBe(false);
		expect(toSend.sendParts(taken(toSend), refusal(unknownField))).toBe(false);
	});

	test('where both halves are refused in the words of the whole', () => {
		const toSend = of(50);
		expect(toSend.sendParts(taken(toSend), refusal(wrongField))).toBe(true);
		const [first, second] = [taken(toSend), taken(toSend)];
		expect(toSend.sendParts(first, refusal(wrongField))).toBe(true);
		expect(toSend.sendParts(second, refusal(wrongField))).toBe(false);
		expect(toSend.sendParts(taken(toSend), refusal(wrongField))).toBe(false);
	});
});

describe('what is withdrawn', () => {
	test('is what belongs to one session', () => {
		const toSend = of(60, ['a', 'b']);
		toSend.sendAgain(taken(toSend), 0);
		const withdrawn = [...toSend.withdraw('a')];
		expect(withdrawn.map(({ sessionId, people }) => [sessionId, people.length])).toEqual([
			['a', 50],
			['a', 10],
		]);
		expect(toSend.size).toBe(2);
		expect([...toSend.withdraw('a')]).toEqual([]);
		expect(taken(toSend).sessionId).toBe('b');
	});
});

describe('the parts', () => {
	const people = [
		candidate('s', 'ada@example.com'),
		candidate('s', 'bob@example.com', ['shoe_size']),
		candidate('s', 'eve@example.com'),
	];
	const chunk = { sessionId: 's', people: [0, 1, 2] };
	const parts = (...details: string[]) =>
		split(chunk, refusal(...details), people).map((part) => part.people);

	test.each([
		['a field', "The field 'shoe_size' doesn't exist"],
		['a value', 'We do not know "bob@example.com"'],
		['something in backticks', 'What is `shoe_size`?'],
	])('are those whom the platform points to with %s, and the others first', (_, detail) => {
		expect(parts(detail)).toEqual([[0, 2], [1]]);
		expect(parts("It isn't right", detail)).toEqual([[0, 2], [1]]);
	});

	test.each([
		['it points to nobody', "The field 'unheard_of' doesn't exist"],
		['it points to all', "The field 'email' is not right"],
		['it quotes nothing', 'shoe_size'],
	])('are halves where %s', (_, detail) => {
		expect(parts(detail)).toEqual([[0, 1], [2]]);
	});
});
