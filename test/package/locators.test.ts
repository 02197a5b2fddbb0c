import { type INodeProperties, type INodePropertyMode } from 'n8n-workflow';
import { nodes } from './built';

const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const otherId = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';

const locators = nodes.flatMap(({ loaded }) =>
	loaded.description.properties.flatMap((outer) =>
		[outer, ...((outer.options ?? []) as INodeProperties[])]
			.filter(({ type, name }) => type === 'resourceLocator' && name !== 'timezone')
			.map((property) => ({
				place: `${property.name} of ${JSON.stringify(outer.displayOptions?.show ?? {})}`,
				property,
				methods: loaded.methods?.listSearch ?? {},
			})),
	),
);

/** The platform has no page for one of these. */
const pageless = ['ownerId', 'recordingId', 'userId', 'webhookId'];
const withPage = locators.filter(({ property }) => !pageless.includes(property.name));

test.each(locators)(
	'$place is chosen from a searchable list that exists, by ID, or by URL where it has a page',
	({ property, methods }) => {
		const modes = pageless.includes(property.name) ? ['list', 'id'] : ['list', 'id', 'url'];
		expect(property.modes?.map(({ name }) => name)).toEqual(modes);
		expect(property.default).toMatchObject({ mode: 'list' });
		const { searchListMethod = '', searchable } = mode(property, 'list').typeOptions ?? {};
		expect(searchable).toBe(true);
		expect(Object.keys(methods)).toContain(searchListMethod);
	},
);

// n8n itself says of an empty one that it is required.
const noIds = ['two words', 'ada@example.com', 'https://app.livestorm.co/x', '../me', 'a/b'];

test.each(locators)('$place takes the example that it shows and other IDs', ({ property }) => {
	const ids = [exampleOf(property, 'id'), id, ` ${id} `, 'evt_123', ...noIds];
	expect(ids.filter((value) => !accepts(property, 'id', value))).toEqual(noIds);
});

const noUrls = ['https://app.livestorm.co/acme/demo', id, 'ftp://x/y'];

test.each(withPage)(
	'$place takes the URL that it shows, and none without an ID',
	({ property }) => {
		const example = exampleOf(property, 'url');
		expect(extracted(property, example)).toMatch(/^[0-9a-f-]{36}$/);
		const urls = [example, ...noUrls];
		expect(urls.filter((value) => !accepts(property, 'url', value))).toEqual(noUrls);
		expect(noUrls.map((value) => extracted(property, value)).filter(Boolean)).toEqual([]);
	},
);

/** Address, and the locator that must find `id` in it. */
test.each([
	['eventId', `https://app.livestorm.co/p/${id}/form`],
	['eventId', `https://app.livestorm.co/#/events/${id}/sessions/${otherId}`],
	['eventId', `https://app.livestorm.co/#/workspaces/${otherId}/events/${id}`],
	['eventId', `http://127.0.0.1:4010/p/${id}?x=${otherId}`],
	['eventId', `  https://app.livestorm.co/anything/${id}/${otherId}`],
	['sessionId', `https://app.livestorm.co/acme/demo/live?s=${id}`],
	['sessionId', `https://app.livestorm.co/p/${otherId}/live?s=${id}#/chat`],
	['sessionId', `https://app.livestorm.co/acme/demo/live?type=x&s=${id}`],
	['sessionId', `https://app.livestorm.co/#/events/${otherId}/sessions/${id}/people/${otherId}`],
	['sessionId', `https://app.livestorm.co/#/${otherId}/${id}`],
	['personId', `https://app.livestorm.co/#/people/${id}`],
	['personId', `https://app.livestorm.co/#/sessions/${otherId}/people/${id}?tab=${otherId}`],
	['personId', `https://app.livestorm.co/#/contacts/${otherId}/${id.toUpperCase()}`],
])('%s finds its ID in %s', (name, address) => {
	const named = locators.filter(({ property }) => property.name === name);
	expect(named.length).toBeGreaterThan(0);
	for (const { property } of named) {
		expect(accepts(property, 'url', address)).toBe(true);
		expect(extracted(property, address)?.toLowerCase()).toBe(id);
	}
});

test('a URL of a megabyte does not hold anybody up', () => {
	const long = `https://app.livestorm.co/${'/sessions/?s=abc-'.repeat(60_000)}`;
	for (const { property } of withPage) expect(extracted(property, long)).toBeUndefined();
});

function mode(property: INodeProperties, name: string): INodePropertyMode {
	const match = property.modes?.find((candidate) => candidate.name === name);
	if (!match) throw new Error(`${property.name} has no mode ${name}`);
	return match;
}

function exampleOf(property: INodeProperties, name: string): string {
	return mode(property, name).placeholder?.replace('e.g. ', '') ?? '';
}

function accepts(property: INodeProperties, name: string, value: string): boolean {
	const { validation = [] } = mode(property, name);
	const rules = validation as Array<{ properties?: { regex?: string } }>;
	return rules.every(({ properties }) => new RegExp(`^(?:${properties?.regex})$`).test(value));
}

/** n8n wants exactly one group. */
function extracted(property: INodeProperties, value: string): string | undefined {
	const { regex = '' } = mode(property, 'url').extractValue as { regex?: string };
	const match = new RegExp(regex).exec(value);
	if (match) expect(match).toHaveLength(2);
	return match?.[1];
}
