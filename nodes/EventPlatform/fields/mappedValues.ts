import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import type { ItemParameters } from './itemParameters';

/** As the editor loaded them when the node was set up. */
export interface MapperColumns {
	saved: ResourceMapperField[];
	/** No expression gives them. */
	isSameForAllItems: boolean;
}

interface MappedValues {
	/** The item itself where whole items are mapped. */
	values: IDataObject;
	/** Absent where whole items are mapped. */
	columns?: MapperColumns;
}

export function readMappedValues(parameters: ItemParameters): MappedValues {
	if (parameters.value('fields.mappingMode', '') === 'autoMapInputData') {
		return { values: parameters.item };
	}
	// n8n would end the run at the first value that does not fit its column; that concerns one item.
	const values =
		parameters.columns('fields.value') ??
		parameters.value('fields.value', {}, { skipValidation: true }) ??
		{};
	const columns = parameters.value('fields.schema', []);
	return {
		values: values as IDataObject,
		columns: {
			saved: Array.isArray(columns) ? (columns as ResourceMapperField[]) : [],
			isSameForAllItems: parameters.isSameForAllItems('fields.schema'),
		},
	};
}
