import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import type { ItemParameters } from './itemParameters';

interface MappedValues {
	/** The item itself where whole items are mapped. */
	values: IDataObject;
	/** As the editor loaded them when the node was set up. Absent where whole items are mapped. */
	columns?: ResourceMapperField[];
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
		columns: Array.isArray(columns) ? (columns as ResourceMapperField[]) : [],
	};
}
