import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { listRecords } from '../core/client/pages';
import { namedQuestions, type Question } from '../form/question';
import { columnOf } from '../form/mapperColumns';
import { keptColumns } from '../form/keptColumns';
import { SessionCache } from '../core/sessions/sessionCache';
import { FormCache } from '../form/formCache';
import { choiceOf } from './choices';
import {
	among,
	ask,
	firstOffered,
	lookThrough,
	ofSession,
	readListPage,
	search,
	sessionOf,
	sessionsAmong,
	sessionsOn,
} from './search';

/** Nobody looks through more in a menu; an expression can give IDs. */
const mostUsers = 500;

export const listSearch = {
	/** Known to n8n itself: no request. */
	searchTimezones(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const term = filter.trim().replace(/\s+/g, '_').toLowerCase();
		const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
		const matches = zones.filter((zone) => zone.toLowerCase().includes(term));
		return Promise.resolve({
			results: matches.map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone })),
		});
	},

	searchEvents: search({ things: 'events' }, (api, term, page) => {
		const read = async (number: number, query?: Record<string, string>) => {
			const { records, next } = await readListPage(api, '/events', number, query);
			return { results: records.map(choiceOf.event), next };
		};
		if (term === '') return read(page);
		const find = () => read(page, { 'filter[title]': term });
		return firstOffered(find, () => lookThrough(term, page, read));
	}),

	searchSessions: search({ things: 'sessions' }, (api, term, page) => {
		// Sessions cannot be searched by the title of their event, but events can.
		const find = () =>
			sessionsOn(api, '/events', page, { 'filter[title]': term, include: 'sessions' });
		const amongSessions = (query?: Record<string, string>) => () =>
			sessionsAmong(api, '/sessions', term, page, query);
		const besideEvents = () => sessionsAmong(api, '/events', term, page, { include: 'sessions' });
		const others = [amongSessions({ include: 'event' }), amongSessions(), besideEvents] as const;
		return term === '' ? firstOffered(...others) : firstOffered(find, ...others);
	}),

	searchPeople: search({ things: 'people' }, among('/people', choiceOf.person)),
	searchSessionPeople: search(
		{ things: 'people of this session' },
		ofSession('people', choiceOf.person),
	),
	searchRecordings: search(
		{ things: 'recordings of this session' },
		ofSession('recordings', choiceOf.recording),
	),
	searchUsers: search({ things: 'users', scope: 'admin' }, among('/users', choiceOf.user)),
	searchWebhooks: search(
		{ things: 'webhooks', scope: 'webhooks' },
		among('/webhooks', choiceOf.webhook),
	),
};

export const loadOptions = {
	users(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return ask(this, { scope: 'admin' }, async (api) =>
			(await listRecords(api, '/users', { limit: mostUsers })).map(choiceOf.user),
		);
	},
};

export const resourceMapping = {
	registrationForm: columnsOfForm(),
	/** Somebody who is registered already has answered, so that no column is required. */
	registrationAnswers: columnsOfForm({ required: false }),
};

function columnsOfForm(changed?: Partial<Question>) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const session = sessionOf(this);
		const about = { what: 'the session', scope: 'events' };
		const form =
			session === ''
				? undefined
				: await ask(this, about, (api) =>
						new FormCache(api, new SessionCache(api)).read(session ?? ''),
					);
		const questions = form?.questions ?? namedQuestions;
		const columns = questions.map((field) => columnOf({ ...field, ...changed }));
		const isOfSession = form?.source === 'session';
		const kept = keptColumns(this.getCurrentNodeParameter('fields'), columns, isOfSession);
		return { fields: [...columns, ...kept] };
	};
}
