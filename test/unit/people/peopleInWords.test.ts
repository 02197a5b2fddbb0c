import {
	nameOrAddressOf,
	nameOfPerson,
	peopleInWords,
} from '../../../nodes/EventPlatform/core/people/peopleInWords';
import { emailAndAddressOf, type Row } from '../../../nodes/EventPlatform/core/people/registration';

/** A row with these answers. */
function rowOf(answers: Record<string, string>, email?: string): Row {
	const fields = Object.entries(answers).map(([id, value]) => ({ id, value }));
	return {
		sessionId: 's',
		...emailAndAddressOf(email),
		problems: [],
		registration: { fields, tracking: {} },
	};
}

describe('the name of a person', () => {
	const attributes = { first_name: 'Augusta', last_name: 'King' };

	test('is the one that was sent', () => {
		const row = rowOf({ first_name: 'Ada', last_name: 'Lovelace' });
		expect(nameOfPerson(row, attributes)).toBe('Ada Lovelace');
	});

	test('is the one that the platform shows where none was sent', () => {
		expect(nameOfPerson(rowOf({}), attributes)).toBe('Augusta King');
	});

	test('is completed from what the platform shows', () => {
		expect(nameOfPerson(rowOf({ first_name: 'Ada' }), attributes)).toBe('Ada King');
	});

	test('is null where nobody knows it', () => {
		expect(nameOfPerson(rowOf({ first_name: ' ' }))).toBeUndefined();
	});
});

describe('in a sentence a person is called', () => {
	test('by the name', () => {
		expect(nameOrAddressOf(rowOf({ first_name: 'Ada' }, 'ada@example.com'))).toBe('Ada');
	});

	test('by the address where there is no name', () => {
		expect(nameOrAddressOf(rowOf({}, 'ada@example.com'))).toBe('ada@example.com');
	});

	test('nothing where there is neither', () => {
		expect(nameOrAddressOf(rowOf({}))).toBeUndefined();
	});
});

test.each<[string, number, Array<string | undefined>]>([
	['1 person', 1, []],
	['1,204 people', 1_204, []],
	['2 people (Ada, Alan)', 2, ['Ada', 'Alan']],
	['2 people (Ada, …)', 2, ['Ada', undefined]],
	['3 people (Ada, Alan, Grace)', 3, ['Ada', 'Alan', 'Grace']],
	['4 people (Ada, Alan, Grace, …)', 4, ['Ada', 'Alan', 'Grace', 'Edsger']],
])('people are counted and the first three named: %s', (words, count, names) => {
	expect(peopleInWords(count, names)).toBe(words);
});
