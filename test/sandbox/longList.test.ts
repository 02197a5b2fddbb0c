import { type One, openSandbox, type Page, registration, type Visitor } from './visitor';

// Hundreds of requests, on a machine that may be busy.
let visitor: Visitor;
let path: string;
let people: unknown[];

beforeAll(async () => {
	visitor = await openSandbox({ seedPeople: 3_000 });
	const { data } = await visitor.api.get<Page>('/v1/sessions', { params: { 'page[size]': 50 } });
	const count = ({ attributes }: Page['data'][number]) => Number(attributes['registrants_count']);
	const [fullest] = data.data.sort((one, other) => count(other) - count(one));
	path = `/v1/sessions/${fullest?.id}/people`;
	people = await wholeList();
});

/** From the end to the beginning, so that no page follows from the one before. */
async function wholeList(): Promise<unknown[]> {
	const read = async (number: number) => {
		const params = { 'page[number]': number, 'page[size]': 50 };
		return (await visitor.api.get<Page>(path, { params })).data;
	};
	const { meta } = await read(0);
	const pages: unknown[][] = [];
	for (let number = meta.page_count - 1; number >= 0; number -= 1) {
		pages.unshift((await read(number)).data.map(({ id }) => id));
	}
	expect(pages.flat()).toHaveLength(meta.record_count);
	return pages.flat();
}

async function register(email: string): Promise<string> {
	return (await visitor.api.post<One>(path, registration({ email }))).data.data.id;
}

test('a list of thousands holds everybody once', () => {
	expect(people.length).toBeGreaterThan(2_000);
	expect(new Set(people).size).toBe(people.length);
});

test('who registers comes last, and every page stays as it was', async () => {
	people.push(await register('last@example.org'));
	expect(await wholeList()).toEqual(people);
});

test.each([
	['at the beginning', () => 3],
	['in the middle', () => 1_200],
	['at the end', () => people.length - 1],
])('who leaves %s leaves no gap', async (_, position) => {
	const [gone] = people.splice(position(), 1);
	expect((await visitor.api.delete(`${path}/${String(gone)}`)).status).toBe(204);
	expect(await wholeList()).toEqual(people);
});

test('who comes after that is last again', async () => {
	people.push(await register('very-last@example.org'));
	expect(await wholeList()).toEqual(people);
});
