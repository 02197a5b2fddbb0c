import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import type { ItemParameters } from './itemParameters';

/** The columns of the mapper, as the editor loaded them when the node was set up. */
export interface MapperColumns {
	/** The columns, as n8n keeps them with the node. */
	saved: ResourceMapperField[];
	/** Whether all items have these columns, because no expression gives them. */
	isSameForAllItems: boolean;
}

export interface MappedValues {
	/** The values by their columns; the item itself where whole items are mapped. */
	values: IDataObject;
	/** The columns; absent where whole items are mapped. */
	columns?: MapperColumns;
}

export function readMappedValues(parameters: ItemParameters): MappedValues {
	if (parameters.value('fields.mappingMode', '') === 'autoMapInputData') {
		return { values: parameters.item };
	}
	// n8n would end the run at the first value that does not fit its column; that concerns one item.
	const values = parameters.value('fields.value', {}, { skipValidation: true }) ?? {};
	const columns = parameters.value('fields.schema', []);
	return {
		values: values as IDataObject,
		columns: {
			saved: Array.isArray(columns) ? (columns as ResourceMapperField[]) : [],
			isSameForAllItems: parameters.isSameForAllItems('fields.schema'),
		},
	};
}
