import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { listRecords } from '../core/client/pages';
import { namedQuestions, type Question } from '../form/question';
import { columnOf, keptColumns } from '../form/mapperColumns';
import { SessionCache } from '../core/sessions/sessionCache';
import { FormCache } from '../form/formCache';
import {
	attributeChoice,
	personChoice,
	recordingChoice,
	userChoice,
	webhookChoice,
} from './choices';
import {
	askPlatform,
	findEvents,
	findInList,
	findInSession,
	findSessions,
	makeSearch,
	orNoMatch,
	readSessionId,
	type ListSearch,
} from './search';
import { isMeant } from './searchWords';

/*
 * The editor asks for these lists and columns while a node is set up. Begin here: the names are those that fields give to n8n.
 * `search.ts` finds choices on the platform by the words of `searchWords.ts`, `choices.ts` describes records in one line; the columns of the mapper come from
 * `../form`.
 */

/** The most users in a menu, because nobody reads more; an expression can give IDs. */
const mostUsers = 500;

type ListName =
	| 'searchTimezones'
	| 'searchEvents'
	| 'searchSessions'
	| 'searchPeople'
	| 'searchSessionPeople'
	| 'searchRecordings'
	| 'searchUsers'
	| 'searchWebhooks'
	| 'searchAttributes';

export const listSearch: Readonly<Record<ListName, ListSearch>> = {
	/** Finds time zones without a request, because n8n itself knows them. */
	searchTimezones(filter = '') {
		const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
		const choices = zones.map((zone) => ({ name: zone.replaceAll('_', ' '), value: zone }));
		const typed = filter.replaceAll('_', ' ');
		const results = choices.filter((choice) => isMeant(choice, typed));
		return Promise.resolve({ results: orNoMatch({ results }, 'time zones', filter.trim()) });
	},

	searchEvents: makeSearch({ nouns: 'events' }, findEvents),
	searchSessions: makeSearch({ nouns: 'sessions' }, findSessions),

	searchPeople: makeSearch({ nouns: 'people' }, findInList('/people', personChoice)),
	searchSessionPeople: makeSearch(
		{ nouns: 'people of this session' },
		findInSession('people', personChoice),
	),
	searchRecordings: makeSearch(
		{ nouns: 'recordings of this session' },
		findInSession('recordings', recordingChoice),
	),
	searchUsers: makeSearch({ nouns: 'users', scope: 'admin' }, findInList('/users', userChoice)),
	searchWebhooks: makeSearch(
		{ nouns: 'webhooks', scope: 'webhooks' },
		findInList('/webhooks', webhookChoice),
	),
	/** Without a list of the workspace, these are the three that every session takes. */
	searchAttributes: makeSearch({ nouns: 'person attributes' }, async (client, typed) => {
		const { questions } = await new FormCache(client.send, new SessionCache(client.send)).read();
		return { results: questions.map(attributeChoice).filter((choice) => isMeant(choice, typed)) };
	}),
};

type LoadChoices = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

export const loadOptions: Readonly<Record<'users', LoadChoices>> = {
	users() {
		return askPlatform(this, { scope: 'admin' }, async (client) =>
			(await listRecords(client.send, '/users', { limit: mostUsers })).map(userChoice),
		);
	},
};

type LoadColumns = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

type MapperName = 'registrationForm' | 'registrationAnswers';

export const resourceMapping: Readonly<Record<MapperName, LoadColumns>> = {
	registrationForm: columnsOfForm(),
	/** No column is required here, because a person who is registered has answered. */
	registrationAnswers: columnsOfForm({ isRequired: false }),
};

function columnsOfForm(changes?: Partial<Question>): LoadColumns {
	return async function () {
		const sessionId = readSessionId(this);
		const failureContext = { what: 'the session', scope: 'events' };
		const form =
			sessionId === ''
				? undefined
				: await askPlatform(this, failureContext, (client) =>
						new FormCache(client.send, new SessionCache(client.send)).read(sessionId),
					);
		const questions = form?.questions ?? namedQuestions;
		const columns = questions.map((question) => columnOf({ ...question, ...changes }));
		const isOfSession = form?.source === 'session';
		const columnsOfAnswers = keptColumns(
			this.getCurrentNodeParameter('fields'),
			columns,
			isOfSession,
		);
		return { fields: [...columns, ...columnsOfAnswers] };
	};
}
