import { readRecord, recordsBeside } from '../core/client/document';
import type { ApiRequest } from '../core/client/request';
import { viewRecord } from '../core/records/recordView';
import type { JsonObject } from '../core/values/json';
import type { Query } from '../fields/itemParameters';
import { locatorsOf } from '../fields/locators';
import { fieldsBeside } from './presentRecord';
import type { RecordOperation } from './record';
import type { MenuTexts } from './operationRequest';
import type { ItemContext } from './runContext';

/** Deletes the record that the path names, and says what: its id, and the named fields of it, which are read before. */
export function deletionOf(
	path: string,
	{ named, ...texts }: MenuTexts & { named?: { fields: string[]; addedQuery?: Query } },
): RecordOperation {
	const fields = locatorsOf(path);
	return {
		...texts,
		fields,
		async run({ api, parameters }: ItemContext) {
			const [id = ''] = fields.map(({ name }) => parameters.id(name));
			const request: ApiRequest = { method: 'DELETE', path: parameters.path(path) };
			let names: JsonObject = {};
			if (named) {
				const get: ApiRequest = { ...request, method: 'GET', addedQuery: named.addedQuery };
				const answer = await api(get);
				const whole = fieldsBeside(recordsBeside(answer.body), readRecord(get, answer));
				names = viewRecord(whole, { columns: named.fields, zone: parameters.zone });
			}
			await api(request);
			return { deleted: true, ...names, id };
		},
	};
}
