import type { PersonField } from '../../../nodes/EventPlatform/core/people/registration';
import {
	hintsBeforeSending,
	hintsOfMissingAnswers,
	missingAnswers,
} from '../../../nodes/EventPlatform/form/hints';
import {
	unreadableRow,
	type Notes,
	type Registrant,
} from '../../../nodes/EventPlatform/form/registrant';
import { text } from './registrationForm';

const email = { ...text('email'), label: 'Email' };
const company = { ...text('company'), label: 'Company' };
const form = [email, company];

interface Scene extends Partial<Omit<Registrant, 'notes'>> {
	answers?: Record<string, PersonField['value']>;
	notes?: Notes;
}

/** Somebody who is called by the first name, with an address alone unless there are more answers. */
function person(first_name: string, { answers, notes, ...more }: Scene = {}): Registrant {
	const sent = { email: `${first_name}@x.io`, first_name, ...answers };
	const fields = Object.entries(sent).map(([id, value]) => ({ id, value }));
	const usual = unreadableRow('');
	return {
		...usual,
		sessionId: 's1',
		registration: { fields, tracking: {} },
		problems: [],
		...more,
		notes: { ...usual.notes, ...notes },
	};
}

describe('columns that no question takes', () => {
	const ignoring = (name: string, ignored: string[], more: Scene = {}) =>
		person(name, { questions: form, notes: { ignored }, ...more });

	test('are counted by people, with what the form asks for', () => {
		const people = [ignoring('Ada', ['shoe', 'hat']), ignoring('Alan', ['shoe'])];
		expect(hintsBeforeSending(people)).toEqual([
			"Not on the registration form and therefore ignored: 'shoe' (2 people), 'hat'. It asks for 'Email', 'Company'.",
		]);
	});

	test('may mean a question only where nobody has answered that one', () => {
		expect(hintsBeforeSending([ignoring('Ada', ['Company (HQ)'])])[0]).toContain(
			"'Company (HQ)' (did you mean 'Company'?)",
		);
		const answered = { answers: { company: 'X' } };
		expect(hintsBeforeSending([ignoring('Ada', ['Company (HQ)'], answered)])[0]).toContain(
			"ignored: 'Company (HQ)'. It asks",
		);
	});

	test('do not make a question of the form of what the form does not ask for', () => {
		const notes = { ignored: ['shoe'], surplus: ['Hat'] };
		const questions = [...form, { ...text('hat'), label: 'Hat' }];
		const [ignored, surplus] = hintsBeforeSending([person('Ada', { questions, notes })]);
		expect(ignored).toMatch(/It asks for 'Email', 'Company'\.$/);
		expect(surplus).toMatch(/^The registration form of the session does not ask for 'Hat'\./);
	});
});

test.each<[Notes, string]>([
	[
		{ unchecked: ['shoe'] },
		"The platform shows no registration form. These columns are sent as they are, but objects are left out, and it decides: 'shoe'. Remove columns that are no answers from the items.",
	],
	[
		{ leftOut: ['Size'] },
		"Answers left out, because the form does not offer them: 'Size' for 1 person (Ada).",
	],
])('what is noted of one person is said in one sentence or two: %j', (notes, hint) => {
	expect(hintsBeforeSending([person('Ada', { notes })])).toEqual([hint]);
});

test('people of whom nothing is noted have no hints', () => {
	const people = [person('Ada', { questions: form }), unreadableRow('There is no email.')];
	expect(hintsBeforeSending(people)).toEqual([]);
	expect(hintsOfMissingAnswers(missingAnswers(people))).toEqual([]);
});

test('a form that could not be read is told once for each reason, however many people there are', () => {
	const people = ['a', 'b', 'a'].map((unreadForm) => person('Ada', { unreadForm }));
	expect(hintsBeforeSending(people)).toHaveLength(2);
});

test('a list of hundreds of columns is not written out', () => {
	const unchecked = Array.from({ length: 1_040 }, (_, column) => `c${column}`);
	expect(hintsBeforeSending([person('Ada', { notes: { unchecked } })])[0]).toContain(
		"'c29' and 1,010 more. Remove",
	);
});

describe('answers that the form requires', () => {
	test('are counted by question, with the names of people', () => {
		const unanswered = { notes: { unanswered: ['Company'] } };
		const people = ['Ada', 'Alan', 'Grace', 'Kurt'].map((name) => person(name, unanswered));
		expect(hintsOfMissingAnswers(missingAnswers(people))).toEqual([
			"Registered without answers that the form requires: 4 people (Ada, Alan, Grace, …) without 'Company'.",
		]);
		expect(hintsOfMissingAnswers(missingAnswers(people.slice(3)), true)).toEqual([
			"People would be registered without answers that the form requires: 1 person (Kurt) without 'Company'.",
		]);
	});

	test('make one person of somebody who misses two questions with the same label', () => {
		const ada = person('Ada', { notes: { unanswered: ['Comment', 'Comment'] } });
		expect(hintsOfMissingAnswers(missingAnswers([ada]))).toEqual([
			"Registered without answers that the form requires: 1 person (Ada) without 'Comment'.",
		]);
	});
});
