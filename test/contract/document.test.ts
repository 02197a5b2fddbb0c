import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractFile, operations, readDocument } from '../support/readDocument';

const document = readDocument();
const all = operations(document);
const of = (id: string) => {
	const found = all.find(({ operationId }) => operationId === id);
	if (!found) throw new Error(`no operation ${id}`);
	return found;
};

/** Method, path, operation and the weight of what is known about it. */
const tables = `
	GET    /oauth/authorize                      authorize            specified
	POST   /oauth/authorize                      decideConsent        assumed
	POST   /oauth/token                          issueToken           specified
	GET    /v1/ping                              ping                 public
	GET    /v1/me                                getMe                public
	GET    /v1/organization                      getOrganization      public
	GET    /v1/events                            listEvents           specified
	POST   /v1/events                            createEvent          public
	GET    /v1/events/{id}                       getEvent             public
	PATCH  /v1/events/{id}                       updateEvent          public
	PUT    /v1/events/{id}                       putEvent             public
	DELETE /v1/events/{id}                       deleteEvent          public
	POST   /v1/events/{id}/tags                  addEventTag          public
	DELETE /v1/events/{id}/tags                  removeEventTag       public
	GET    /v1/events/{id}/people                listEventPeople      public
	GET    /v1/events/{id}/people/{person_id}    getEventPerson       public
	GET    /v1/events/{id}/sessions              listEventSessions    public
	POST   /v1/events/{id}/sessions              createSession        public
	GET    /v1/sessions                          listSessions         public
	GET    /v1/sessions/{id}                     getSession           public
	PATCH  /v1/sessions/{id}                     updateSession        public
	PUT    /v1/sessions/{id}                     putSession           public
	DELETE /v1/sessions/{id}                     deleteSession        public
	GET    /v1/sessions/{id}/people              listSessionPeople    public
	POST   /v1/sessions/{id}/people              registerPerson       specified
	DELETE /v1/sessions/{id}/people              unregisterByEmail    public
	POST   /v1/sessions/{id}/people/bulk         registerInBulk       specified
	GET    /v1/sessions/{id}/people/{person_id}  getSessionPerson     public
	PATCH  /v1/sessions/{id}/people/{person_id}  updateSessionPerson  public
	DELETE /v1/sessions/{id}/people/{person_id}  deleteSessionPerson  public
	GET    /v1/sessions/{id}/questions           listQuestions        specified
	GET    /v1/sessions/{id}/recordings          listRecordings       specified
	GET    /v1/sessions/{id}/chat_messages       listChatMessages     specified
	GET    /v1/people                            listPeople           public
	GET    /v1/people/{id}                       getPerson            public
	GET    /v1/people_attributes                 listPeopleAttributes specified
	GET    /v1/jobs/{id}                         getJob               specified
	GET    /v1/jobs/{id}/tasks                   listJobTasks         specified
	GET    /v1/users                             listUsers            public
	POST   /v1/users                             createUser           public
	DELETE /v1/users/{id}                        deleteUser           public
	GET    /v1/webhooks                          listWebhooks         public
	POST   /v1/webhooks                          createWebhook        public
	DELETE /v1/webhooks/{id}                     deleteWebhook        public`
	.trim()
	.split('\n')
	.map((row) => row.trim().split(/ +/) as [string, string, string, string]);

// The validator is an ES module, which jest cannot load here: its command does the same.
const validator = join(
	__dirname,
	'../../node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
);
function validated(file: string) {
	const { status, stdout } = spawnSync(process.execPath, [validator, file], { encoding: 'utf8' });
	return { status, ...(JSON.parse(stdout) as { valid: boolean; errors?: unknown }) };
}

test('the contract is a valid OpenAPI 3.1 document', () => {
	expect(validated(contractFile)).toEqual({ status: 0, valid: true });
	expect(document.openapi).toMatch(/^3\.1\./);
});

test('a document that is none is found out', () => {
	const folder = mkdtempSync(join(tmpdir(), 'contract-'));
	const file = join(folder, 'broken.json');
	writeFileSync(file, JSON.stringify({ ...document, paths: { '/v1/ping': { get: 7 } } }));
	expect(validated(file)).toMatchObject({ status: 1, valid: false });
	rmSync(folder, { recursive: true });
});

test.each(tables)('%s %s is the operation %s, marked %s', (method, path, id, evidence) => {
	expect(of(id)).toMatchObject({ method, path, 'x-evidence': evidence });
});

test('the contract has no operation beyond those of the tables, and none twice', () => {
	expect(all.map(({ operationId }) => operationId).sort()).toEqual(
		tables.map(([, , id]) => id).sort(),
	);
});

test('every mark of evidence is one of the three, wherever it stands', () => {
	const marks = new Set<unknown>();
	JSON.stringify(document, (key, value: unknown) => {
		if (key === 'x-evidence') marks.add(value);
		return value;
	});
	expect([...marks].sort()).toEqual(['assumed', 'public', 'specified']);
});

test('every operation has a summary, an answer for success and answers for errors', () => {
	const lacking = all.filter(({ summary, responses }) => {
		const statuses = Object.keys(responses);
		const has = (pattern: RegExp) => statuses.some((status) => pattern.test(status));
		return !summary || !has(/^[23]/) || !has(/^4/) || !has(/^5/);
	});
	expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
});

test('every operation of the API can be refused for its token, its scope and its pace', () => {
	const lacking = all
		.filter(({ path }) => path.startsWith('/v1/'))
		.filter(({ responses }) => !['401', '403', '429'].every((status) => status in responses));
	expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
});

test('bulk registration has exactly the answers of section 4.3, and those that public pages add', () => {
	const specified = ['202', '400', '401', '403', '404'];
	const added = ['402', '413', '415', '422', '429', '5XX'];
	expect(Object.keys(of('registerInBulk').responses).sort()).toEqual(
		[...specified, ...added].sort(),
	);
});

test('the results of tasks are a 207', () => {
	expect(Object.keys(of('listJobTasks').responses).filter((status) => /^2/.test(status))).toEqual([
		'207',
	]);
});

test('every list takes page[number] and page[size]', () => {
	const lists = all.filter(({ operationId }) => operationId.startsWith('list'));
	expect(lists.length).toBe(13);
	for (const { operationId, parameters } of lists) {
		expect([operationId, parameters.map(({ name }) => name)]).toEqual([
			operationId,
			expect.arrayContaining(['page[number]', 'page[size]']),
		]);
	}
});

test('every operation of the API whose path names a record can answer that there is none', () => {
	const lacking = all.filter(({ path, responses }) => path.includes('{') && !('404' in responses));
	expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
});

test('every parameter of a path is declared, and none that the path lacks', () => {
	for (const { operationId, path, parameters } of all) {
		const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
		expect([operationId, declared]).toEqual([operationId, inPath]);
	}
});

test('every kind of webhook has its delivery', () => {
	const { schemas } = document.components;
	expect(Object.keys(document.webhooks)).toEqual(schemas['WebhookKind']?.['enum']);
});
