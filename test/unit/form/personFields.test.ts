import fc from 'fast-check';
import type { FormField } from '../../../nodes/EventPlatform/form/formField';
import { personFields } from '../../../nodes/EventPlatform/form/personFields';

const form: FormField[] = [
	text('email'),
	text('first_name'),
	{ ...text('company'), label: 'Employer' },
	{
		...text('size'),
		label: 'Size',
		choices: choices({ Small: '1-10', '100+': '100+', null: 'null' }),
	},
	{
		...{ ...text('topics'), multiple: true },
		choices: choices({ Roadmap: 'Price', 'A, large': 'Plans, large', 'The Roadmap': 'Roadmap' }),
	},
];

/** Of an object, and of a date that is none, too. */
const nothings = 'undefined|null|NaN| [object Object]|Invalid Date|Invalid DateTime'.split('|');

describe('an answer', () => {
	test.each<[string, string, unknown, unknown]>([
		['company', 'a text stays as it is', 'Ada ', 'Ada '],
		['company', 'a switch becomes a text', false, 'false'],
		['company', 'zero is an answer', 0, '0'],
		['company', 'a date', new Date('2026-11-21T08:00:00Z'), '2026-11-21T08:00:00.000Z'],
		['company', 'a list for a plain field is joined', ['A', 'B'], 'A, B'],
		['company', 'what is no number is no answer', NaN, undefined],
		['company', 'an expression that found nothing writes this', nothings, undefined],
		['company', 'the surname "Null" is an answer', 'Null', 'Null'],
		['company', 'what nobody sees is no answer', '\u200b \u2060\u0000\u3164\u2800', undefined],
		['topics', 'a list stays a list', ['Price', 'Roadmap'], ['Price', 'Roadmap']],
		['topics', 'one choice becomes a list', 'Price', ['Price']],
		['topics', 'several with commas are told apart', 'Price, Roadmap', ['Price', 'Roadmap']],
		['topics', 'a choice with a comma of its own stays whole', 'Plans, large', ['Plans, large']],
		['topics', 'a list as JSON', '["Price", "Roadmap"]', ['Price', 'Roadmap']],
		['topics', 'empty places are left out', ['Price', '', null], ['Price']],
		['topics', 'a comma at the end is no answer', 'Price, ', ['Price']],
		['topics', 'commas alone are none', ' , ', undefined],
		['topics', 'a label or another letter case', 'price,The Roadmap', ['Price', 'Roadmap']],
		['size', 'a choice may stand in a list', ['1-10'], '1-10'],
		['size', 'a choice may be a word for nothing', 'null', 'null'],
		['size', 'a label in another letter case', 'SMALL', '1-10'],
	])('to %s: %s', (id, _, given, sent) => {
		expect(sentFor(id, given)).toEqual(sent);
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

	test.each([
		['\u30d0\u30b9', '\u30cf\u30b9'],
		['?', '!'],
	])('to %s is none to %s, which has other marks', (label, name) => {
		const { ignored } = personFields({ [name]: 'x' }, [...form, { ...text('bus'), label }]);
		expect(ignored).toEqual([name]);
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
	const strict = form.map((field) => ({ ...field, required: field.id !== 'size' }));

	test('and that is not answered is named, and the person registered all the same', () => {
		const given = { email: 'a@b.c', company: '', size: ' ', topics: [] };
		const { problems, unanswered } = personFields(given, strict);
		expect(problems).toEqual([]);
		expect(unanswered).toEqual(['first_name', 'Employer', 'topics']);
	});

	test('stays as it is where somebody is registered already', () => {
		const { problems, unanswered, fields } = personFields({ size: '', company: 'A' }, strict, true);
		expect({ problems, unanswered }).toEqual({ problems: [], unanswered: [] });
		expect(fields).toEqual([{ id: 'company', value: 'A' }]);
	});
});

describe('an address', () => {
	test('can be sent, trimmed', () => {
		const email = 'ada+x@example.co.uk';
		const fields = [{ id: 'email', value: email }];
		expect(personFields({ email: ` ${email} ` })).toMatchObject({ fields, problems: [], email });
	});

	test.each(['ada', '   '])('"%s" is refused', (email) => {
		expect(personFields({ email }).problems).toHaveLength(1);
	});

	test('of somebody registered is replaced by a clean address only', () => {
		const answers = (email: string) => personFields({ email }, undefined, true);
		const { fields } = answers('Ada <ada@x.org>');
		expect(fields).toEqual([{ id: 'email', value: 'ada@x.org' }]);
		expect(answers('n/a').problems).toEqual(['"n/a" is not an email address.']);
		expect(answers('').problems).toEqual([]);
	});

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
				const isEmpty = [value].flat().every((part) => isBlank(part ?? ''));
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
	const { fields, problems, doubts } = personFields({ email: 'a@example.com', [id]: given }, form);
	expect([...problems, ...doubts]).toEqual([]);
	return fields.find((field) => field.id === id)?.value;
}

function text(id: string): FormField {
	return { id, label: id, required: false, multiple: false };
}

function choices(values: Record<string, string>) {
	return Object.entries(values).map(([name, value]) => ({ name, value }));
}
