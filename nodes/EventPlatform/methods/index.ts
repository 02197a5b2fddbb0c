import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { column, named, type FormField } from '../form/formField';
import { registrationForm as readForm } from '../form/registrationForm';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import type { About } from '../core/failures/causes';
import { isObject, text, type JsonObject } from '../core/http/json';
import { includedIn, largestPage, listRecords, readPage } from '../core/http/jsonApi';
import { pathTo, type Api } from '../core/http/ports';
import { isAddress } from '../core/jobs/address';
import { choiceOf, sessionChoices } from './choices';

/** Pages looked through in one go for a name that the platform cannot search for. */
const mostPages = 4;
/** The editor asks for more only when a list is long enough to scroll. */
const enough = 10;
/** Nobody looks through more in a menu; an expression can give IDs. */
const mostUsers = 500;

export const listSearch = {
	/** Known to n8n itself: no request. */
	searchTimezones(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const wanted = filter.trim().replace(/\s+/g, '_').toLowerCase();
		const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
		const found = zones.filter((zone) => zone.toLowerCase().includes(wanted));
		return Promise.resolve({
			results: found.map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone })),
		});
	},

	searchEvents: search(async (api, wanted, page) => {
		const query = wanted ? { 'filter[title]': wanted } : undefined;
		const { records, next } = await readListPage(api, '/events', page, query);
		return { results: records.map(choiceOf.event), next };
	}),

	searchSessions: search(async (api, wanted, page) => {
		// Sessions cannot be searched by the title of their event, but events can.
		const { records, included, next } = wanted
			? await readListPage(api, '/events', page, { 'filter[title]': wanted, include: 'sessions' })
			: await readListPage(api, '/sessions', page, { include: 'event' });
		return { results: sessionChoices([...records, ...included]), next };
	}),

	searchPeople: search(among('/people', choiceOf.person)),
	searchSessionPeople: search(among('people', choiceOf.person)),
	searchRecordings: search(among('recordings', choiceOf.recording)),
	searchUsers: search(among('/users', choiceOf.user), 'admin'),
	searchWebhooks: search(among('/webhooks', choiceOf.webhook), 'webhooks'),
};

export const loadOptions = {
	users(this: ILoadOptionsFunctions) {
		return ask(this, { scope: 'admin' }, async (api) =>
			(await listRecords(api, '/users', { limit: mostUsers })).map(choiceOf.user),
		);
	},
};

export const resourceMapping = {
	registrationForm: columnsOfForm(),
	/** Of somebody registered already: nothing has to be given again. */
	registrationAnswers: columnsOfForm({ required: false }),
};

function columnsOfForm(changed?: Partial<FormField>) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const session = sessionOf(this);
		const about = { what: 'the session', scope: 'events' };
		const form =
			session === '' ? named : await ask(this, about, (api) => readForm(api, session ?? ''));
		return { fields: form.map((field) => column({ ...field, ...changed })) };
	};
}

/** Undefined: it comes from an expression that has no value yet. */
function sessionOf(context: ILoadOptionsFunctions): string | undefined {
	const given: unknown = context.getCurrentNodeParameter('sessionId');
	const entered = text(isObject(given) ? (given.value ?? '=') : given).trim();
	if (entered.startsWith('=')) return undefined;
	// Of an empty one n8n would say that the URL is wrong.
	return entered && text(context.getCurrentNodeParameter('sessionId', { extractValue: true }));
}

/** A list of the session that is chosen above. */
function ofSession(context: ILoadOptionsFunctions, list: string): string {
	const session = sessionOf(context);
	if (session) return pathTo`/sessions/${session}/${list}`;
	throw new NodeOperationError(context.getNode(), 'Choose the session first', {
		description: `The list shows the ${list} of one session.`,
	});
}

async function ask<Answer>(
	context: ILoadOptionsFunctions,
	about: About,
	question: (api: Api) => Promise<Answer>,
): Promise<Answer> {
	try {
		return await question((await connect(context)).api);
	} catch (error) {
		throw toNodeError(context.getNode(), error, about);
	}
}

/** `next`: the page to go on with. */
type Find = (
	api: Api,
	wanted: string,
	page: number,
	context: ILoadOptionsFunctions,
) => Promise<{ results: INodeListSearchItems[]; next?: number }>;

/** `scope`: of section 5.3. */
function search(find: Find, scope = 'events') {
	return function (this: ILoadOptionsFunctions, filter = '', paginationToken?: unknown) {
		return ask(this, { scope }, async (api) => {
			const page = Number(paginationToken ?? 0);
			const { results, next } = await find(api, filter.trim(), page, this);
			return { results, paginationToken: next?.toString() };
		});
	};
}

/** A whole address is found by the platform, anything else in what the choices show, page by page. */
function among(list: string, choice: (record: JsonObject) => INodeListSearchItems): Find {
	return async (api, wanted, first, context) => {
		const path = list.startsWith('/') ? list : ofSession(context, list);
		if (isAddress(wanted) && first === 0 && /\/(?:people|users)$/.test(path)) {
			const exact = await readListPage(api, path, 0, { 'filter[email]': wanted });
			if (exact.records.length > 0) return { results: exact.records.map(choice) };
		}
		const results: INodeListSearchItems[] = [];
		let next: number | undefined = first;
		while (next !== undefined && next < first + mostPages && results.length < enough) {
			const page = await readListPage(api, path, next);
			const found = page.records
				.map(choice)
				.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
			results.push(...found);
			next = page.next;
		}
		return { results, next };
	};
}

async function readListPage(api: Api, path: string, page: number, asked?: Record<string, string>) {
	const query = { ...asked, 'page[number]': page, 'page[size]': largestPage };
	const request = { method: 'GET', path, query } as const;
	const answer = await api(request);
	const { records, meta } = readPage(request, answer);
	const next = meta && meta.lastPage > page ? page + 1 : undefined;
	return { records, included: includedIn(answer.body), next };
}
