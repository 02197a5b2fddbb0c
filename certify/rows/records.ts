import { attributesOf } from '../../nodes/EventPlatform/core/client/document';
import { isObject, type JsonObject } from '../../nodes/EventPlatform/core/values/json';
import { askedExpirySeconds, recordsIn } from '../asks/reading';
import { schemaOf, sectionOf } from '../contract';
import { differs, holds, NotSeen, recordsOf, successOf, judgeDifferences, type Row } from '../row';
import { differences, kindsIn, type Kind } from '../schema';
import type { Seen } from '../seen';
import type { Use } from '../uses';
import { fieldName, joined, kindOf, words } from '../words';

/** Where records of a schema come from: lists, and responses with one record. */
const sources: Readonly<Record<string, { names: readonly string[]; reliesOn: readonly Use[] }>> = {
	Event: { names: ['events', 'event'], reliesOn: ['records', 'form'] },
	Session: { names: ['sessions', 'event sessions', 'session'], reliesOn: ['records', 'polling'] },
	Person: { names: ['people', 'event people', 'person'], reliesOn: ['records'] },
	SessionPerson: { names: ['session people', 'session person'], reliesOn: ['records', 'update'] },
	PeopleAttribute: { names: ['people attributes'], reliesOn: ['form'] },
	Question: { names: ['questions'], reliesOn: ['content'] },
	Recording: { names: ['recordings'], reliesOn: ['recordings'] },
	ChatMessage: { names: ['chat messages'], reliesOn: ['content'] },
	User: { names: ['users'], reliesOn: ['team'] },
	Organization: { names: ['organization'], reliesOn: ['account'] },
	Webhook: { names: ['webhooks'], reliesOn: ['subscriptions'] },
};

const statements: Record<Kind, (schema: string) => string> = {
	missing: (schema) => `${schema}: every required field is there`,
	type: (schema) => `${schema}: every value has its type`,
	null: (schema) => `${schema}: null stands only where it may`,
	word: (schema) => `${schema}: states, roles and kinds are words of the contract`,
	time: (schema) => `${schema}: times are Unix seconds`,
	extra: (schema) => `${schema}: nothing stands beside type, id, attributes and relationships`,
};

const names: Record<Kind, string> = {
	missing: 'fields',
	type: 'types',
	null: 'nulls',
	word: 'words',
	time: 'times',
	extra: 'parts',
};

const derived = Object.entries(sources).flatMap(([schema, { names: from, reliesOn }]) =>
	kindsIn(schema).map((kind): Row => {
		const section = sectionOf(schemaOf(schema));
		return {
			id: `${schema}.${names[kind]}`,
			...(section !== undefined && { section }),
			says: statements[kind](schema),
			needs: 'read',
			reliesOn,
			evidence: [['components', 'schemas', schema]],
			check(seen) {
				const records = recordsFrom(seen, from);
				if (records.length === 0) throw new NotSeen(words`there is no record of that kind`);
				return judgeDifferences(
					records
						.flatMap((record) => differences(schema, record))
						.filter((difference) => difference.kind === kind),
				);
			},
		};
	}),
);

/** The statements about the types of records, and those that go beyond the types. */
export const recordRows: readonly Row[] = [
	...derived,
	{
		id: 'records.nulls',
		section: '2.6',
		says: 'Nulls that only some answers have had: every question says whether it is required, every session has a name or null',
		needs: 'read',
		reliesOn: ['records'],
		check(seen) {
			const events = recordsFrom(seen, sources['Event']?.names ?? []).map(attributesOf);
			if (events.length === 0) throw new NotSeen(words`there is no event`);
			const questions = events.flatMap(({ fields }) => fields).filter(isObject);
			const sessions = recordsFrom(seen, sources['Session']?.names ?? []).map(attributesOf);
			const nulls = [
				...(questions.some(({ required }) => required === null)
					? [words`null in ${fieldName('required')}`]
					: []),
				...(sessions.some((session) => !('name' in session))
					? [words`a session without ${fieldName('name')}`]
					: []),
			];
			return nulls.length === 0 ? holds : differs(words`no null`, joined(nulls), { nulls: true });
		},
	},
	{
		id: 'recordings.link',
		section: '4.3',
		says: 'The link of a recording is good for as long as was asked, from now on',
		needs: 'read',
		reliesOn: ['recordings'],
		evidence: [['components', 'parameters', 'UrlExpiresIn']],
		check(seen) {
			const response = successOf(seen, 'recordings');
			const [recording] = recordsOf(response);
			if (!recording) throw new NotSeen(words`there is no recording`);
			const { url_expires_in: seconds, url_generated_at: since } = attributesOf(recording);
			if (typeof seconds !== 'number' || typeof since !== 'number')
				throw new NotSeen(words`a row of its own is about that`);
			if (seconds !== askedExpirySeconds)
				return differs(words`${askedExpirySeconds} s`, words`${seconds} s`);
			const generatedMs = since < 1e11 ? since * 1_000 : since;
			const date = Date.parse(response.headers['date'] ?? '') || response.at;
			const ageSeconds = Math.round(Math.abs(date - generatedMs) / 1_000);
			return ageSeconds < 600
				? holds
				: differs(words`made now`, words`made ${ageSeconds} s from now`);
		},
	},
	...(['events with sessions', 'sessions with event', 'me with organization'] as const).map(
		(name): Row => ({
			id: `include.${name.replaceAll(' ', '-')}`,
			says: `include brings the related records: ${name}`,
			needs: 'read',
			reliesOn: name.startsWith('me') ? ['account'] : ['search', 'form'],
			check(seen) {
				const { body } = successOf(seen, name);
				const included = isObject(body) ? body['included'] : undefined;
				return Array.isArray(included)
					? holds
					: differs(words`included: a list`, words`included: ${kindOf(included)}`);
			},
		}),
	),
	{
		id: 'media.asked',
		section: '4',
		says: 'Who asks for application/vnd.api+json is answered in it',
		needs: 'read',
		reliesOn: ['submit'],
		check(seen) {
			const { headers } = successOf(seen, 'events as JSON:API');
			const isAsked = (headers['content-type'] ?? '').includes('vnd.api+json');
			return isAsked ? holds : differs(words`application/vnd.api+json`, words`another media type`);
		},
	},
];

function recordsFrom(seen: Seen, from: readonly string[]): JsonObject[] {
	return from.flatMap((name) => {
		const exchange = seen.get(name);
		if (!exchange || 'lost' in exchange || exchange.status >= 300) return [];
		const { body } = exchange;
		const record = isObject(body) ? body['data'] : undefined;
		return isObject(record) ? [record] : recordsIn(exchange);
	});
}
