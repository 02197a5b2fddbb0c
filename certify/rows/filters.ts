import { operations } from '../contract';
import { filterAsks, isRight, nameOf, valueOf } from '../asks/filters';
import { recordsIn } from '../asks/reading';
import {
	differs,
	holds,
	metaOf,
	NotSeen,
	recordsOf,
	responseTo,
	successOf,
	type Row,
} from '../row';
import { words } from '../words';

/** Every filter that the connector sends lets through what it should, and nothing else. */
export const filterRows: readonly Row[] = filterAsks.map((ask) => {
	const path = operations.find(({ id }) => id === ask.operation)?.path ?? '';
	const name = nameOf(ask);
	return {
		id: `filter.${ask.operation}.${ask.filter}`,
		says: `GET ${path} takes filter[${ask.filter}], and obeys it`,
		needs: 'read',
		reliesOn: ask.reliesOn ?? ['filters'],
		check(seen) {
			const { status } = responseTo(seen, name);
			if (status === 400 || status === 422) return differs(words`200`, words`${status}`);
			const response = successOf(seen, name);
			const records = recordsOf(response);
			const value = valueOf(ask, recordsIn(seen.get(ask.from)));
			if (value === undefined) throw new NotSeen(words`there is no record to ask for`);
			const strays = records.filter((record) => !isRight(ask, record, value)).length;
			if (strays > 0)
				return differs(
					words`only what it lets through`,
					words`${strays} of ${records.length} others`,
				);
			if (ask.how === 'nothing after' || ask.how === 'nothing before') return holds;
			// It was taken from a record, so that one has to be there.
			const count = metaOf(response)['record_count'];
			return records.length > 0 || count !== 0
				? holds
				: differs(words`a record that has it`, words`no record`);
		},
	};
});
