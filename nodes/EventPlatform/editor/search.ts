import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { isNotOffered } from '../core/failures/meaning';
import type { About } from '../core/failures/messages';
import { asFailure, Failure } from '../core/client/failure';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { largestPage } from '../core/client/pages';
import { readPage } from '../core/client/page';
import { pathTo } from '../core/client/path';
import type { Client } from '../core/client/request';
import { isAddress } from '../core/people/address';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { sessionChoices } from './choices';

/* How the lists of the editor are searched, also on platforms that offer less than the vendor's. */

/** Pages looked through in one go for a name that the platform cannot search for. */
const mostPages = 4;
/** The editor asks for more only when a list is long enough to scroll. */
const enough = 10;

/** Undefined: it comes from an expression that has no value yet. */
export function sessionOf(context: ILoadOptionsFunctions): string | undefined {
	const locator: unknown = context.getCurrentNodeParameter('sessionId');
	const entered = text(isObject(locator) ? (locator.value ?? '=') : locator).trim();
	if (entered.startsWith('=')) return undefined;
	// n8n would say of an empty session that the URL is wrong.
	return entered && text(context.getCurrentNodeParameter('sessionId', { extractValue: true }));
}

export async function ask<Answer>(
	context: ILoadOptionsFunctions,
	about: About,
	question: (api: Client) => Promise<Answer>,
): Promise<Answer> {
	try {
		return await question((await connect(context)).api);
	} catch (error) {
		throw toNodeError(context.getNode(), error, about);
	}
}

/** Choices of a list; `next` is the page to go on with. */
interface FoundChoices {
	results: INodeListSearchItems[];
	next?: number;
}

type Find = (
	api: Client,
	typed: string,
	page: number,
	context: ILoadOptionsFunctions,
) => Promise<FoundChoices>;

/** The things that a list shows, in words for people, and the family of scopes (section 5.3) that it needs. */
interface Listed {
	things: string;
	scope?: string;
}

/** A list as n8n asks for it: by what somebody has typed, and from the page that the last result named. */
type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
) => Promise<INodeListSearchResult>;

export function search({ things, scope = 'events' }: Listed, find: Find): ListSearch {
	return function (filter = '', paginationToken) {
		return ask(this, { scope }, async (api) => {
			const page = Number(paginationToken ?? 0);
			const { results, next } = await find(api, filter.trim(), page, this).catch(
				(error: unknown) => {
					// Only GET /events is specified of these lists, and no filter.
					if (!isNotOffered(error)) throw error;
					const message = `The platform does not list the ${things}: choose 'By ID' and enter the ID.`;
					throw new NodeOperationError(this.getNode(), message);
				},
			);
			return { results, paginationToken: next?.toString() };
		});
	};
}

/** Takes the first of these ways to find something that the platform offers. */
export function firstOffered(
	way: () => Promise<FoundChoices>,
	...others: Array<() => Promise<FoundChoices>>
): Promise<FoundChoices> {
	return way().catch((error: unknown) => {
		const [next, ...more] = others;
		if (next === undefined || !isNotOffered(error)) throw error;
		return firstOffered(next, ...more);
	});
}

/** A whole address is found by the platform, anything else in what the choices show, page by page. */
export function among(path: string, choice: (record: JsonObject) => INodeListSearchItems): Find {
	return async (api, typed, first) => {
		if (isAddress(typed) && first === 0 && /\/(?:people|users)$/.test(path)) {
			const exact = await readListPage(api, path, 0, { 'filter[email]': typed }).catch(asFailure);
			if (exact instanceof Failure && !isNotOffered(exact)) throw exact;
			const records = exact instanceof Failure ? [] : exact.records;
			if (records.length > 0) return { results: records.map(choice) };
		}
		return await lookThrough(typed, first, async (page) => {
			const { records, next } = await readListPage(api, path, page);
			return { results: records.map(choice), next };
		});
	};
}

/** A list of the session that is chosen above. */
export function ofSession(
	list: string,
	choice: (record: JsonObject) => INodeListSearchItems,
): Find {
	return async (api, typed, first, context) => {
		const session = sessionOf(context);
		if (session) {
			return await among(pathTo`/sessions/${session}/${list}`, choice)(api, typed, first, context);
		}
		throw new NodeOperationError(context.getNode(), 'Choose the session first', {
			description: `The list shows the ${list} of one session.`,
		});
	};
}

/** Sessions that stand in a list, or beside its events. */
export async function sessionsOn(
	api: Client,
	path: string,
	page: number,
	query?: Record<string, string>,
): Promise<FoundChoices> {
	const { records, included, next } = await readListPage(api, path, page, query);
	const results = sessionChoices([...records, ...included]);
	// Events without sessions beside them: the platform does not show sessions this way.
	const isWithoutSessions = results.length === 0 && records.some(({ type }) => type !== 'sessions');
	if (path === '/events' && query?.['filter[title]'] === undefined && isWithoutSessions) {
		throw new Failure('unexpected_shape', { method: 'GET', path });
	}
	return { results, next };
}

export async function sessionsAmong(
	api: Client,
	path: string,
	typed: string,
	first: number,
	query?: Record<string, string>,
): Promise<FoundChoices> {
	if (typed === '') return await sessionsOn(api, path, first, query);
	return await lookThrough(typed, first, (page) => sessionsOn(api, path, page, query));
}

/** Reads pages until enough choices show what is wanted, or until so many were looked through. */
export async function lookThrough(
	typed: string,
	first: number,
	read: (page: number) => Promise<FoundChoices>,
): Promise<FoundChoices> {
	const results: INodeListSearchItems[] = [];
	let next: number | undefined = first;
	while (next !== undefined && next < first + mostPages && results.length < enough) {
		const page: FoundChoices = await read(next);
		const isMeant = ({ name }: INodeListSearchItems) =>
			name.toLowerCase().includes(typed.toLowerCase());
		results.push(...page.results.filter(isMeant));
		next = page.next;
	}
	return { results, next };
}

/** One page of a list, with the records beside it. */
interface ListPage {
	records: JsonObject[];
	included: JsonObject[];
	next?: number;
}

export async function readListPage(
	api: Client,
	path: string,
	page: number,
	asked?: Record<string, string>,
): Promise<ListPage> {
	const query = { ...asked, 'page[number]': page, 'page[size]': largestPage };
	const request = { method: 'GET', path, query } as const;
	const answer = await api(request).catch(asFailure);
	if (answer instanceof Failure) {
		// An empty list need not have a first page (4.2).
		if (answer.cause === 'page_out_of_range') return { records: [], included: [] };
		throw answer;
	}
	const { records, beside, lastPage = page } = readPage(request, answer);
	return { records, included: [...beside.values()], next: lastPage > page ? page + 1 : undefined };
}
