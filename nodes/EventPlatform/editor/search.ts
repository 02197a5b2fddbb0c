import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { isNotOffered } from '../core/failures/meaning';
import type { About } from '../core/failures/messages';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { askForPage, largestPage } from '../core/client/pages';
import { pathTo } from '../core/client/path';
import type { ApiRequest, Client, Query } from '../core/client/request';
import { isAddress } from '../core/people/address';
import { connect, readApiRoot } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { eventChoice, sessionChoices, type DescribeChoice } from './choices';
import { withEvent } from '../core/sessions/readSession';
import { isMeant } from './searchWords';
import { addAll } from '../core/values/collections';

/* Searches the lists of the editor. */

/** The most pages that are looked through at once for a name that the platform cannot search for. */
const mostPages = 4;
/** So many choices fill a list. The editor asks for more only when a list is long enough to scroll. */
const enoughChoices = 10;

/** Reads the ID of the session that is chosen in the node; undefined where an expression gives it, which has no value yet. */
export function readSessionId(context: ILoadOptionsFunctions): string | undefined {
	const locator: unknown = context.getCurrentNodeParameter('sessionId');
	const entered = text(isObject(locator) ? (locator.value ?? '=') : locator).trim();
	if (entered.startsWith('=')) return undefined;
	// n8n would say of an empty session that the URL is wrong.
	return entered && text(context.getCurrentNodeParameter('sessionId', { extractValue: true }));
}

export async function askPlatform<Result>(
	context: ILoadOptionsFunctions,
	about: About,
	ask: (client: Client) => Promise<Result>,
): Promise<Result> {
	try {
		return await ask((await connect(context)).client);
	} catch (error) {
		const apiRoot = await readApiRoot(context);
		throw toNodeError(context.getNode(), error, { ...about, apiRoot });
	}
}

interface FoundChoices {
	results: INodeListSearchItems[];
	/** The page to go on with when people scroll; absent after the last one. */
	next?: number;
}

type FindChoices = (
	client: Client,
	typed: string,
	page: number,
	context: ILoadOptionsFunctions,
) => Promise<FoundChoices>;

interface SearchedRecords {
	nouns: string;
	/** The family of scopes (section 5.3) that the list needs, if not `events`. */
	scope?: string;
}

export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
) => Promise<INodeListSearchResult>;

export function makeSearch(
	{ nouns, scope = 'events' }: SearchedRecords,
	find: FindChoices,
): ListSearch {
	return function (filter = '', paginationToken) {
		return askPlatform(this, { scope }, async (client) => {
			const page = Number(paginationToken ?? 0);
			const { results, next } = await find(client, filter.trim(), page, this).catch(
				(error: unknown) => {
					// Among these lists the specification has only GET /events, and it has no filter.
					if (!isNotOffered(error)) throw error;
					const message = `The platform does not list the ${nouns}: choose 'By ID' and enter the ID.`;
					throw new NodeOperationError(this.getNode(), message);
				},
			);
			return {
				// Hits stand above what people scroll to.
				results: page === 0 ? orNoMatch({ results, next }, nouns, filter.trim()) : results,
				paginationToken: next?.toString(),
			};
		});
	};
}

/**
 * Without a choice that says that nothing was found, n8n's list would show the chosen record alone, as if it were the hit. n8n does not
 * let people choose a value that is a boolean.
 */
export function orNoMatch(
	{ results, next }: FoundChoices,
	nouns: string,
	typed: string,
): INodeListSearchItems[] {
	if (results.length > 0 || typed === '') return results;
	const name =
		next === undefined
			? `No ${nouns} match "${typed}"`
			: `Not among the first ${mostPages * largestPage} ${nouns}: "${typed}". Use 'By ID'.`;
	return [{ name, value: false }];
}

/** Finds events by their title, which the platform finds, or by what else their choices show. */
export async function findEvents(
	client: Client,
	typed: string,
	firstPage: number,
): Promise<FoundChoices> {
	const filter = typed === '' ? undefined : { 'filter[title]': typed };
	return await searchPages(typed, firstPage, async (page) => {
		const { records, next } = await readListPage(client, '/events', page, filter);
		return { results: records.map(eventChoice), next };
	});
}

/** Finds records of a list. The platform finds a whole address; anything else is looked for in what the choices show. */
export function findInList(path: string, describe: DescribeChoice): FindChoices {
	return async (client, typed, firstPage) => {
		if (isAddress(typed) && firstPage === 0 && /\/(?:people|users)$/.test(path)) {
			const { records } = await readListPage(client, path, 0, { 'filter[email]': typed });
			const results = hitsAmong(records.map(describe), typed);
			if (results.length > 0) return { results };
		}
		return await searchPages(typed, firstPage, async (page) => {
			const { records, next } = await readListPage(client, path, page);
			return { results: records.map(describe), next };
		});
	};
}

/** The specification names no filter, so what the platform finds by one is compared: it may have ignored the filter. */
function hitsAmong(choices: readonly INodeListSearchItems[], typed: string) {
	return choices.filter((choice) => isMeant(choice, typed));
}

export function findInSession(list: string, describe: DescribeChoice): FindChoices {
	return async (client, typed, firstPage, context) => {
		const sessionId = readSessionId(context);
		if (sessionId) {
			const find = findInList(pathTo`/sessions/${sessionId}/${list}`, describe);
			return await find(client, typed, firstPage, context);
		}
		throw new NodeOperationError(context.getNode(), 'Choose the session first', {
			description: `The list shows the ${list} of one session.`,
		});
	};
}

/**
 * Finds sessions by what their choices show, and those whose event has a title that the platform finds: a workspace may have more
 * sessions than are looked through.
 */
export async function findSessions(
	client: Client,
	typed: string,
	firstPage: number,
): Promise<FoundChoices> {
	const read = async (path: string, page: number, addedQuery: Query) => {
		const { records, included, next } = await readListPage(client, path, page, addedQuery);
		return { results: sessionChoices([...records, ...included]), next };
	};
	const ofTitle = { 'filter[title]': typed, include: 'sessions' };
	const ofEvents = typed === '' ? [] : (await read('/events', 0, ofTitle)).results;
	const byTitle = hitsAmong(ofEvents, typed);
	const listed = await searchPages(typed, firstPage, (page) => read('/sessions', page, withEvent));
	const ids = new Set(byTitle.map(({ value }) => value));
	const others = listed.results.filter(({ value }) => !ids.has(value));
	// The first page has shown those found by title. A later page asks for them again to leave them out, or the editor would list them twice.
	return { results: firstPage === 0 ? [...byTitle, ...others] : others, next: listed.next };
}

/** Reads pages until enough choices show the typed words, or until `mostPages` were looked through; of an empty text one page. */
async function searchPages(
	typed: string,
	firstPage: number,
	read: (page: number) => Promise<FoundChoices>,
): Promise<FoundChoices> {
	if (typed === '') return await read(firstPage);
	const results: INodeListSearchItems[] = [];
	let next: number | undefined = firstPage;
	while (next !== undefined && next < firstPage + mostPages && results.length < enoughChoices) {
		const page: FoundChoices = await read(next);
		addAll(results, hitsAmong(page.results, typed));
		next = page.next;
	}
	return { results, next };
}

interface ListPage {
	records: JsonObject[];
	included: JsonObject[];
	/** The page behind this one; absent after the last one. */
	next?: number;
}

/** A filter is left out like an include where the platform refuses it: its hits are compared with what was typed anyway. */
async function readListPage(
	{ send }: Client,
	path: string,
	page: number,
	addedQuery?: Query,
): Promise<ListPage> {
	const query = { 'page[number]': page, 'page[size]': largestPage };
	const request: ApiRequest = { method: 'GET', path, query, addedQuery };
	const { records, included, lastPage = page } = await askForPage(send, request);
	return {
		records,
		included: [...included.values()],
		next: lastPage > page ? page + 1 : undefined,
	};
}
