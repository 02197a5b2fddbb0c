import fc from 'fast-check';
import type { FormField } from '../../../nodes/EventPlatform/form/formField';
import { answers, personFields } from '../../../nodes/EventPlatform/form/personFields';

const form: FormField[] = [
	text('email'),
	text('first_name'),
	{ ...text('company'), label: 'Employer' },
	{
		...text('size'),
		label: 'Size',
		choices: [{ label: 'Small', value: '1-10' }, ...choices('100+', 'null')],
	},
	{
		...text('topics'),
		choices: [...choices('Price', 'Plans, large'), { label: 'The Roadmap', value: 'Roadmap' }],
		multiple: true,
	},
];

describe('an answer', () => {
	test.each<[string, unknown, unknown]>([
		['a text stays as it is', 'Ada ', 'Ada '],
		['a number becomes a text', 42, '42'],
		['a switch becomes a text', false, 'false'],
		['zero is an answer', 0, '0'],
		['a date becomes ISO 8601', new Date('2026-11-21T08:00:00Z'), '2026-11-21T08:00:00.000Z'],
		['a list for a plain field is joined', ['A', 'B'], 'A, B'],
		['what is no number is no answer', NaN, undefined],
		['"undefined" is what an expression writes that found nothing', 'undefined', undefined],
		['the surname "Null" is an answer', 'Null', 'Null'],
		['what nobody sees is no answer', '\u200b \u2060\u0000', undefined],
	])('%s', (_, given, sent) => {
		expect(sentFor('company', given)).toEqual(sent);
	});

	test.each<[string, unknown, unknown]>([
		['a list stays a list', ['Price', 'Roadmap'], ['Price', 'Roadmap']],
		['one choice becomes a list', 'Price', ['Price']],
		['several with commas are told apart', 'Price, Roadmap', ['Price', 'Roadmap']],
		['a choice with a comma of its own stays whole', 'Plans, large', ['Plans, large']],
		['a list written as JSON is a list', '["Price", "Roadmap"]', ['Price', 'Roadmap']],
		['empty places are left out', ['Price', '', null], ['Price']],
		['a comma at the end is no answer', 'Price, ', ['Price']],
		['a label or another letter case is the choice', 'price,The Roadmap', ['Price', 'Roadmap']],
	])('of a multiple choice: %s', (_, given, sent) => {
		expect(sentFor('topics', given)).toEqual(sent);
	});

	test.each<[string, unknown, unknown]>([
		['is sent as the form has it', '100+', '100+'],
		['may stand in a list', ['1-10'], '1-10'],
		['may be a word for nothing', 'null', 'null'],
		['may be written in another letter case or by its label', 'SMALL', '1-10'],
	])('of a choice %s', (_, given, sent) => {
		expect(sentFor('size', given)).toEqual(sent);
	});

	test.each<[string, unknown, string]>([
		['size', '5 people', `"5 people" is not a choice of 'Size'. It has 1-10, 100+, null.`],
		['size', ['1-10', '100+'], "'Size' takes one answer, not 2."],
		[
			'topics',
			'Price, Beer',
			`"Beer" is not a choice of 'topics'. It has Price, Plans, large, Roadmap.`,
		],
	])('to %s that is no choice of the form as it was saved is in doubt: %j', (id, given, doubt) => {
		const { doubts, problems } = personFields({ email: 'a@b.c', [id]: given }, form);
		expect({ doubts, problems }).toEqual({ doubts: [doubt], problems: [] });
	});

	test.each([undefined, null, '', ' ', [], ['', null]])('that is %j is none', (given) => {
		expect(sentFor('company', given)).toBeUndefined();
		expect(sentFor('size', given)).toBeUndefined();
		expect(sentFor('topics', given)).toBeUndefined();
	});

	test.each([{ a: 1 }, [{ a: 1 }], [['a']]])('cannot be %j', (given) => {
		const { problems } = personFields({ email: 'a@example.com', company: given }, form);
		expect(problems).toEqual([
			"The value of 'company' is an object. Give text or a list of texts.",
		]);
	});

	test('without a form is sent whatever its name, a list as a list unless it is a name', () => {
		const given = { email: 'a@b.c', anything: ['x'], first_name: ['Ada', 'Augusta'] };
		const { fields, ignored } = personFields(given);
		expect(fields).toEqual([
			{ id: 'email', value: 'a@b.c' },
			{ id: 'anything', value: ['x'] },
			{ id: 'first_name', value: 'Ada, Augusta' },
		]);
		expect(ignored).toEqual([]);
	});

	test('to a question that is not on the form is left out and named', () => {
		const { fields, ignored } = personFields({ email: 'a@b.c', shoe: 43, hat: '' }, form);
		expect(fields.map(({ id }) => id)).toEqual(['email']);
		expect(ignored).toEqual(['shoe']);
	});

	test.each([
		['company', ['Company', ' EMPLOYER ', 'Entreprise', 'Firma', 'Empresa']],
		['first_name', ['first name', 'FIRST-NAME', 'FirstName', 'Given name', 'Prénom', 'Vorname']],
		['last_name', ['Surname', 'Nom de famille', 'Nachname', 'Apellidos']],
		['email', ['E-Mail', 'mail', 'Email address', 'Courriel', 'Correo electrónico']],
	])('to %s may be named as lists name it', (id, names) => {
		const labelled = [...form, text('last_name')].map((field) =>
			field.id === 'email' ? { ...field, label: 'Where we reach you' } : field,
		);
		for (const name of names) {
			const { fields, ignored } = personFields({ [name]: 'ada@example.com' }, labelled);
			expect([name, fields, ignored]).toEqual([name, [{ id, value: 'ada@example.com' }], []]);
		}
	});

	test('stands in one column: two that mean the same are named, an empty one is none', () => {
		const given = { Employer: 'B', company: 'A', Firma: ' ', email: 'a@b.c' };
		expect(personFields(given, form).problems).toEqual([
			"The columns 'Employer' and 'company' both mean 'Employer'. Remove one.",
		]);
		expect(personFields({ ...given, Employer: '' }, form).problems).toEqual([]);
	});
});

describe('a question that the form requires', () => {
	const strict = form.map((field) => ({ ...field, required: true }));

	test('and that is not answered is named, and the person registered all the same', () => {
		const given = { email: 'a@b.c', company: '', size: ' ', topics: [] };
		const { problems, unanswered } = personFields(given, strict);
		expect(problems).toEqual([]);
		expect(unanswered).toEqual(['first_name', 'Employer', 'Size', 'topics']);
	});

	test('stays as it is where somebody is registered already', () => {
		const { problems, unanswered, fields } = answers({ size: '', company: 'A' }, strict);
		expect({ problems, unanswered }).toEqual({ problems: [], unanswered: [] });
		expect(fields).toEqual([{ id: 'company', value: 'A' }]);
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
				const field = withForm ? form.find((one) => one.id === id) : undefined;
				const isEmpty = [value]
					.flat()
					.every((part) => part === undefined || part === null || isBlank(part));
				const isProblem = [...person.problems, ...person.doubts].some(
					(problem) => problem.includes(`'${id}'`) || (field && problem.includes(field.label)),
				);
				expect(named.has(id) || isProblem || isEmpty).toBe(true);
			}
			for (const { value } of person.fields) {
				expect([value].flat().every((part) => typeof part === 'string')).toBe(true);
			}
		}),
	);
});

/** Nothing but blanks and commas, which is no choice. */
function isBlank(value: unknown) {
	return typeof value === 'string' && /^[\s,]*$/.test(value);
}

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
