import { queryOf } from '../fields/requestParts';
import type { INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../fields/itemParameters';
import type { Query } from '../core/client/request';
import type { ItemOperation } from './operation';

/*
 * The operations about records have these types in common: list.ts reads lists, record.ts sends one request about a record,
 * and deletion.ts deletes one. Each names a path in which `{eventId}` stands for a locator, which is asked for first.
 * A beginning in brackets is left out where its locator, one among the filters or options, was not added.
 */

/** The texts of an operation in the menu. */
export type MenuTexts = Pick<ItemOperation, 'action' | 'description'>;

/** The request that an operation sends. */
export interface OperationRequest extends MenuTexts {
	/** The options that are sent, each under its name. */
	options?: INodeProperties[];
	/** Makes the query where it differs from the filters and the options that people chose. */
	query?: (parameters: ItemParameters) => Query;
	/** Gives further parameters that simplified records need. Some platforms refuse them, and are asked again without them. */
	addedQuery?: (parameters: ItemParameters) => Query | undefined;
}

/** Gives the query that people chose with the filters and the options. */
export function chosenQuery(
	parameters: ItemParameters,
	{ options = [], query }: OperationRequest,
): Query {
	return query
		? query(parameters)
		: queryOf(
				parameters,
				options.map(({ name }) => name),
			);
}
