import { filledPath } from '../fields/requestParts';
import { readRecord, recordsBeside } from '../core/client/document';
import type { ApiRequest, Query } from '../core/client/request';
import { viewRecord } from '../core/records/recordView';
import type { JsonObject } from '../core/values/json';
import { locatorsOf } from '../fields/locators';
import { fieldsBeside } from './presentRecord';
import type { MenuTexts } from './operation';
import type { RecordOperation } from './record';
import type { ItemContext } from './runContext';

/** The fields of a record that tell people which one was deleted. */
interface DescribingFields {
	/** Their names. */
	fields: string[];
	/** The parameters of the query that they need. */
	addedQuery?: Query;
}

/**
 * Makes the operation that deletes the record that the path names. Its output is the ID of the record, and the fields that
 * describe it, which are read before the record is gone.
 */
export function deletionOf(
	path: string,
	{ describedBy, ...texts }: MenuTexts & { describedBy?: DescribingFields },
): RecordOperation {
	const fields = locatorsOf(path);
	return {
		...texts,
		fields,
		async run({ api, parameters }: ItemContext) {
			const [id = ''] = fields.map(({ name }) => parameters.id(name));
			const request: ApiRequest = { method: 'DELETE', path: filledPath(parameters, path) };
			let description: JsonObject = {};
			if (describedBy) {
				const get: ApiRequest = { ...request, method: 'GET', addedQuery: describedBy.addedQuery };
				const response = await api(get);
				const recordFields = fieldsBeside(recordsBeside(response.body), readRecord(get, response));
				description = viewRecord(recordFields, {
					columns: describedBy.fields,
					zone: parameters.zone,
				});
			}
			// A second attempt would be told 404 of what the first one has deleted, so a lost answer is reported as such.
			await api(request);
			return { deleted: true, ...description, id };
		},
	};
}
