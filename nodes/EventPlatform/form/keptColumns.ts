import type { ResourceMapperField } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import { questionOfColumn, columnOf, otherForm } from './mapperColumns';

/**
 * Gives columns for answers that were mapped by hand and that the form by now does not ask for. When the panel of a node opens, n8n's
 * editor takes the columns of this moment and throws away every answer without one: answers for the form of another
 * session would be gone from the panel and from the run. `mapper` is the value of the mapper in the node.
 */
export function keptColumns(
	mapper: unknown,
	columns: readonly ResourceMapperField[],
	isOfSession: boolean,
): ResourceMapperField[] {
	if (!isObject(mapper) || mapper.mappingMode === 'autoMapInputData') return [];
	const currentIds = new Set(columns.map(({ id }) => id));
	const savedColumns = Array.isArray(mapper.schema)
		? (mapper.schema as unknown as ResourceMapperField[])
		: [];
	const answeredIds = Object.keys(isObject(mapper.value) ? mapper.value : {});
	return answeredIds
		.filter((id) => !currentIds.has(id))
		.map((id) => {
			const question = questionOfColumn(savedColumns.find((column) => column.id === id) ?? { id });
			const optionalColumn = columnOf({ ...question, isRequired: false });
			if (!isOfSession) return optionalColumn;
			return { ...optionalColumn, displayName: optionalColumn.displayName + otherForm };
		});
}
