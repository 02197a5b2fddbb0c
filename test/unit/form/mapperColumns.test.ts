import type { ResourceMapperField } from 'n8n-workflow';
import {
	columnOf,
	keptColumns,
	questionOfColumn,
	questionsOfColumns,
} from '../../../nodes/EventPlatform/form/mapperColumns';

const email = columnOf({ id: 'email', label: 'Email', isRequired: true, mayHaveSeveral: false });
const sizes = [{ name: 'Few', value: '1-10' }];
const size = columnOf({
	id: 'team_size',
	label: 'Team Size',
	isRequired: true,
	mayHaveSeveral: false,
	choices: sizes,
});
const topics = columnOf({
	id: 'topics',
	label: 'Topics',
	isRequired: false,
	mayHaveSeveral: true,
	choices: sizes,
});
const company = columnOf({
	id: 'company',
	label: 'Company',
	isRequired: false,
	mayHaveSeveral: false,
});

function kept(value: unknown, schema: readonly ResourceMapperField[], more: object = {}) {
	return keptColumns({ mappingMode: 'defineBelow', value, schema, ...more }, [email], true);
}

test('the same saved columns are the same questions for all items, and others are others', () => {
	const saved = [email, size];
	expect(questionsOfColumns(saved).map(({ id }) => id)).toEqual(['email', 'team_size']);
	expect(questionsOfColumns(saved)).toBe(questionsOfColumns(saved));
	expect(questionsOfColumns([company]).map(({ id }) => id)).toEqual(['company']);
});

describe('a column that the form by now does not have', () => {
	test('is kept with its choices and marked, if something was mapped to it', () => {
		// The editor sends null for an expression that has no value yet.
		const value = { email: null, team_size: null, topics: 'Few' };
		const columns = kept(value, [email, size, topics, company]);
		expect(columns.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
			['team_size', 'Team Size (not on this form)', 'options'],
			['topics', 'Topics (1-10) (not on this form)', 'string'],
		]);
		expect(columns.map(({ required }) => required)).toEqual([false, false]);
		expect(columns[0]?.options).toEqual(sizes);
	});

	test('is the same question as before, however often the panel is opened', () => {
		const value = { team_size: null, topics: null };
		const once = kept(value, [size, topics]);
		expect(kept(value, once)).toEqual(once);
		expect(once.map(questionOfColumn)).toEqual([
			{
				id: 'team_size',
				label: 'Team Size',
				isRequired: false,
				mayHaveSeveral: false,
				choices: [{ name: 'Few', value: '1-10' }],
			},
			{
				id: 'topics',
				label: 'Topics',
				isRequired: false,
				mayHaveSeveral: true,
				choices: [{ name: 'Few', value: '1-10' }],
			},
		]);
	});

	test('is kept by its name where the editor never loaded it', () => {
		const [column] = kept({ company: 'x' }, []);
		expect(column).toMatchObject({ id: 'company', displayName: 'company (not on this form)' });
	});

	test('bears no mark where the form of the session is not known', () => {
		const mapper = { mappingMode: 'defineBelow', value: { company: 'x' }, schema: [company] };
		expect(keptColumns(mapper, [email], false)).toEqual([company]);
	});

	test.each([
		['whole items are mapped', { mappingMode: 'autoMapInputData' }],
		['nothing is mapped', { value: null }],
		['the form has it by now', { value: { email: 'x' } }],
	])('is none where %s', (_, more) => {
		expect(kept({ company: 'x' }, [company], more)).toEqual([]);
	});

	test.each([null, undefined, 'x', {}, { value: 'x', schema: 'x' }])(
		'is none where the node has %j of the mapper',
		(mapper) => expect(keptColumns(mapper, [email], true)).toEqual([]),
	);
});
