import { pathToRecords } from '../fields/requestParts';
import type { INodeProperties } from 'n8n-workflow';
import { readRecord, includedIn } from '../core/client/document';
import type { ApiRequest } from '../core/client/request';
import type { RecordKind } from '../core/records/recordKinds';
import type { JsonObject } from '../core/values/json';
import { locatorsOf } from '../fields/locators';
import { recordFields } from '../fields/recordFields';
import { presentRecord, readOutputView } from './presentRecord';
import { chosenQuery, type ItemOperation, type OperationRequest } from './operation';
import type { ItemContext } from './runContext';

interface RecordRequest extends OperationRequest {
	fields?: INodeProperties[];
	content?: (item: ItemContext) => JsonObject | Promise<JsonObject>;
	/** Tells people what the record of the response shows. */
	remarkOn?: (record: JsonObject, item: ItemContext) => void;
}

export interface RecordOperation extends ItemOperation {
	run(item: ItemContext): Promise<JsonObject>;
}

/** Makes the operation that sends one request and returns the record of its response. */
export function recordOf(
	method: 'GET' | 'POST' | 'PATCH',
	kind: RecordKind,
	path: string,
	recordRequest: RecordRequest,
): RecordOperation {
	const { action, description, fields = [], options = [], content } = recordRequest;
	return {
		action,
		description,
		mayOverlap: method === 'GET',
		fields: [...locatorsOf(path), ...fields, ...recordFields(kind, options)],
		async run(item: ItemContext) {
			const { client, parameters, notes } = item;
			const request: ApiRequest = {
				method,
				path: pathToRecords(parameters, path),
				query: chosenQuery(parameters, recordRequest),
				addedQuery: recordRequest.addedQuery?.(parameters),
				body: content && { data: { type: kind, ...(await content(item)) } },
				// The same values a second time leave the record as it is.
				retry: method === 'PATCH' ? 'idempotent' : undefined,
			};
			const view = readOutputView(parameters);
			const response = await client.send(request);
			const record = readRecord(request, response);
			const presented = presentRecord(record, view, includedIn(response.body));
			notes.fields.record(presented, view);
			recordRequest.remarkOn?.(record, item);
			return presented.output;
		},
	};
}
