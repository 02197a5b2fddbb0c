import type { ApiRecord } from '../platform';
import { Refusal } from '../refusal';
import { type Handler } from './handler';
import { pageOf, readPage } from './page';

interface PeopleAttribute {
	slug: string;
	name: string;
	description: string | null;
	placeholder: string | null;
	type: 'text' | 'email' | 'avatar' | 'url' | 'consent' | 'unique_select' | 'multiple_select';
	builtin: boolean;
	options: Array<{ label: string; value: string; position: number }>;
	created_at: number;
	updated_at: number;
}

/** The built-in attributes came with the workspace. */
const workspaceMadeAt = 1_577_836_800;
/** Somebody has added the others since. */
const othersMadeAt = 1_700_000_000;

/** The attributes that the workspace knows of people; every one is a field id of a registration. */
export const peopleAttributes: readonly PeopleAttribute[] = [
	builtin('email', 'Email', 'email', 'name@company.com'),
	builtin('first_name', 'First name', 'text', 'Ada'),
	builtin('last_name', 'Last name', 'text', 'Lovelace'),
	builtin('avatar', 'Avatar', 'avatar', null),
	custom('company', 'Company', 'text', []),
	custom('job_title', 'Job title', 'text', []),
	custom('website', 'Website', 'url', []),
	custom('consent', 'I agree to be contacted', 'consent', []),
	custom('team_size', 'Team size', 'unique_select', ['1-10', '11-100', '100+']),
	custom('interests', 'Interests', 'multiple_select', ['Product', 'Pricing', 'Integrations']),
];

const listPeopleAttributes: Handler = (call) => {
	const filters = (['slug', 'name', 'type', 'builtin'] as const).map(
		(name) => [name, call.query[`filter[${name}]`]] as const,
	);
	const attributes = peopleAttributes
		.filter((attribute) =>
			filters.every(([name, value]) => value === undefined || attribute[name] === value),
		)
		.sort(order(call.query['sort']));
	const { rows, meta } = pageOf(attributes, readPage(call));
	return { status: 200, body: { data: rows.map(record), meta } };
};

export const attributeHandlers = { listPeopleAttributes };

function record(attribute: PeopleAttribute): ApiRecord {
	return {
		id: `attribute-${attribute.slug}`,
		type: 'people_attributes',
		attributes: { ...attribute },
	};
}

const sortable = ['slug', 'name', 'placeholder', 'created_at', 'updated_at'] as const;

/** `sort=-created_at,name`: the first that differs decides. */
function order(sort: unknown): (a: PeopleAttribute, b: PeopleAttribute) => number {
	const keys = (Array.isArray(sort) ? sort.map(String) : []).map((text) => {
		const name = sortable.find((field) => field === text.replace(/^-/, ''));
		if (!name) {
			throw new Refusal(400, `sort takes ${sortable.join(', ')}, with a minus for descending.`);
		}
		return { name, sign: text.startsWith('-') ? -1 : 1 };
	});
	return (a, b) => {
		for (const { name, sign } of keys) {
			const difference = String(a[name] ?? '').localeCompare(String(b[name] ?? ''));
			if (difference !== 0) return sign * difference;
		}
		return 0;
	};
}

function builtin(
	slug: string,
	name: string,
	type: PeopleAttribute['type'],
	placeholder: string | null,
): PeopleAttribute {
	const made = { created_at: workspaceMadeAt, updated_at: workspaceMadeAt };
	return { slug, name, description: null, placeholder, type, builtin: true, options: [], ...made };
}

function custom(
	slug: string,
	name: string,
	type: PeopleAttribute['type'],
	values: string[],
): PeopleAttribute {
	const options = values.map((value, position) => ({ label: value, value, position }));
	const made = { created_at: othersMadeAt, updated_at: othersMadeAt };
	return {
		slug,
		name,
		description: null,
		placeholder: null,
		type,
		builtin: false,
		options,
		...made,
	};
}
