import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import type { Api, JsonObject } from '../core/http/ports';
import { pathTo } from '../core/http/path';
import {
	choiceMatches,
	eventChoice,
	personChoice,
	recordingChoice,
	sessionChoices,
	userChoice,
	webhookChoice,
} from './choices';
import { readListPage } from './listPage';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
) => Promise<INodeListSearchResult>;

/** Pages looked through in one go for a name, which the platform cannot search for. */
const mostPages = 4;

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
		const query: Record<string, string> = wanted ? { 'filter[title]': wanted } : {};
		const { records, next } = await readListPage(api, '/events', page, query);
		return { results: records.map(eventChoice), next };
	}),

	searchSessions: search(async (api, wanted, page) => {
		// Sessions cannot be searched by the title of their event, but events can.
		const { records, included, next } = wanted
			? await readListPage(api, '/events', page, { 'filter[title]': wanted, include: 'sessions' })
			: await readListPage(api, '/sessions', page, { include: 'event' });
		return { results: sessionChoices([...records, ...included]), next };
	}),

	searchPeople: search((api, wanted, page) => seek(api, '/people', personChoice, wanted, page)),

	searchSessionPeople: search((api, wanted, page, context) => {
		const path = pathTo`/sessions/${chosenSession(context, 'people')}/people`;
		return seek(api, path, personChoice, wanted, page);
	}),

	searchRecordings: search((api, wanted, page, context) => {
		const path = pathTo`/sessions/${chosenSession(context, 'recordings')}/recordings`;
		return seek(api, path, recordingChoice, wanted, page);
	}),

	searchUsers: search(
		(api, wanted, page) => seek(api, '/users', userChoice, wanted, page),
		'admin',
	),

	searchWebhooks: search(
		(api, wanted, page) => seek(api, '/webhooks', webhookChoice, wanted, page),
		'webhooks',
	),
};

function chosenSession(context: ILoadOptionsFunctions, what: string): unknown {
	const sessionId = context.getCurrentNodeParameter('sessionId', { extractValue: true });
	if (sessionId) return sessionId;
	throw new NodeOperationError(context.getNode(), 'Choose the session first', {
		description: `The list shows the ${what} of one session.`,
	});
}

interface Found {
	results: INodeListSearchItems[];
	/** The page to go on with; undefined at the end. */
	next?: number;
}

/** `scope`: the family of scopes (section 5.3) that the list needs. */
function search(
	find: (api: Api, wanted: string, page: number, context: ILoadOptionsFunctions) => Promise<Found>,
	scope = 'events',
): Search {
	return async function (filter = '', paginationToken) {
		try {
			const { api } = await connect(this);
			const page = Number(paginationToken ?? 0);
			const { results, next } = await find(api, filter.trim(), page, this);
			return { results, paginationToken: next === undefined ? undefined : String(next) };
		} catch (error) {
			throw toNodeError(this.getNode(), error, { scope });
		}
	};
}

/** A whole address is found by the platform, anything else in what the choices show, page by page. */
async function seek(
	api: Api,
	path: string,
	choice: (record: JsonObject) => INodeListSearchItems,
	wanted: string,
	first: number,
): Promise<Found> {
	if (!wanted) {
		const { records, next } = await readListPage(api, path, first);
		return { results: records.map(choice), next };
	}
	if (wanted.includes('@') && first === 0 && /\/(?:people|users)$/.test(path)) {
		const exact = await readListPage(api, path, 0, { 'filter[email]': wanted });
		if (exact.records.length > 0) return { results: exact.records.map(choice) };
	}
	let matches: INodeListSearchItems[] = [];
	let next: number | undefined = first;
	for (let pages = 0; next !== undefined && matches.length === 0 && pages < mostPages; pages++) {
		const page = await readListPage(api, path, next);
		matches = page.records.map(choice).filter((one) => choiceMatches(one, wanted));
		next = page.next;
	}
	return { results: matches, next };
}
