import fc from 'fast-check';
import { personFields, type FormField } from '../../../nodes/EventPlatform/form/personFields';

const form: FormField[] = [
	text('email'),
	text('first_name'),
	text('company'),
	{ ...text('size'), choices: choices('1-10', '100+') },
	{ ...text('topics'), choices: choices('Price', 'Plans, large', 'Roadmap'), multiple: true },
];

describe('an answer', () => {
	test.each<[string, unknown, unknown]>([
		['a text stays as it is', 'Ada ', 'Ada '],
		['a number becomes a text', 42, '42'],
		['a switch becomes a text', false, 'false'],
		['zero is an answer', 0, '0'],
		['a date becomes ISO 8601', new Date('2026-11-21T08:00:00Z'), '2026-11-21T08:00:00.000Z'],
		['a list for a plain field is joined', ['A', 'B'], 'A, B'],
	])('%s', (_, given, sent) => {
		expect(sentFor('company', given)).toEqual(sent);
	});

	test.each<[string, unknown, unknown]>([
		['a list stays a list', ['Price', 'Roadmap'], ['Price', 'Roadmap']],
		['one choice becomes a list', 'Price', ['Price']],
		['several with commas are told apart', 'Price, Roadmap', ['Price', 'Roadmap']],
		['a choice with a comma of its own stays whole', 'Plans, large', ['Plans, large']],
		['what is not offered stays whole, for the platform to name', 'Price, Beer', ['Price, Beer']],
		['empty places are left out', ['Price', '', null], ['Price']],
	])('of a multiple choice: %s', (_, given, sent) => {
		expect(sentFor('topics', given)).toEqual(sent);
	});

	test.each([undefined, null, '', [], ['', null]])('that is %j is none', (given) => {
		expect(sentFor('company', given)).toBeUndefined();
	});

	test.each([{ a: 1 }, [{ a: 1 }], [['a']]])('cannot be %j', (given) => {
		const { problems } = personFields({ email: 'a@example.com', company: given }, form);
		expect(problems).toEqual([
			'The value of "company" is an object. Give text or a list of texts.',
		]);
	});

	test('without a form is sent whatever its name, lists as lists', () => {
		const { fields, ignored } = personFields({ email: 'a@b.c', anything: ['x'] });
		expect(fields).toEqual([
			{ id: 'email', value: 'a@b.c' },
			{ id: 'anything', value: ['x'] },
		]);
		expect(ignored).toEqual([]);
	});

	test('to a question that is not on the form is left out and named', () => {
		const { fields, ignored } = personFields({ email: 'a@b.c', shoe: 43, hat: '' }, form);
		expect(fields.map(({ id }) => id)).toEqual(['email']);
		expect(ignored).toEqual(['shoe']);
	});
});

describe('an address', () => {
	test.each(['ada@example.com', ' ada@example.com ', 'ada+x@sub.example.co.uk', 'ada@localhost'])(
		'"%s" can be sent, trimmed',
		(email) => {
			const { fields, problems, email: read } = personFields({ email });
			expect(problems).toEqual([]);
			expect(read).toBe(email.trim());
			expect(fields).toEqual([{ id: 'email', value: email.trim() }]);
		},
	);

	test.each(['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@c', 'a@x.org, b@x.org', '   '])(
		'"%s" is refused',
		(email) => expect(personFields({ email }).problems).toHaveLength(1),
	);

	test('is missed where there is none', () => {
		expect(personFields({ first_name: 'Ada' }).problems).toEqual([
			'There is no email. It is the one field that every person needs.',
		]);
	});
});

test('whatever comes in, every value is sent, left out and named, empty, or a problem', () => {
	const values = fc.dictionary(
		fc.oneof(fc.constantFrom(...form.map(({ id }) => id), '__proto__'), fc.string()),
		fc.anything({ withDate: true, withNullPrototype: true }),
	);
	fc.assert(
		fc.property(values, fc.boolean(), (given, withForm) => {
			const person = personFields(given, withForm ? form : undefined);
			const named = new Set([...person.fields.map(({ id }) => id), ...person.ignored]);
			for (const [id, value] of Object.entries(given)) {
				const isEmpty = [value]
					.flat()
					.every((part) => [undefined, null, ''].includes(part as null));
				const isProblem = person.problems.some((problem) => problem.includes(`"${id}"`));
				expect(named.has(id) || isProblem || isEmpty).toBe(true);
			}
			for (const { value } of person.fields) {
				expect([value].flat().every((part) => typeof part === 'string')).toBe(true);
			}
		}),
	);
});

function sentFor(id: string, given: unknown) {
	const { fields, problems } = personFields({ email: 'a@example.com', [id]: given }, form);
	expect(problems).toEqual([]);
	return fields.find((field) => field.id === id)?.value;
}

function text(id: string): FormField {
	return { id, label: id, required: false, multiple: false };
}

function choices(...values: string[]) {
	return values.map((value) => ({ label: value, value }));
}
