import type { ResourceMapperField } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import { questionOfColumn, columnOf, otherForm } from './mapperColumns';

/**
 * Gives columns for answers that were mapped by hand and that the form by now does not ask for. When the panel of a node opens, n8n's
 * editor takes the columns of this moment and throws away every answer without one: those for the form of another session
 * would be gone from the panel and from the run. `mapper` is the mapper as the node has it now.
 */
export function keptColumns(
	mapper: unknown,
	columns: readonly ResourceMapperField[],
	isOfSession: boolean,
): ResourceMapperField[] {
	if (!isObject(mapper) || mapper.mappingMode === 'autoMapInputData') return [];
	const current = new Set(columns.map(({ id }) => id));
	const saved = Array.isArray(mapper.schema)
		? (mapper.schema as unknown as ResourceMapperField[])
		: [];
	const answered = Object.keys(isObject(mapper.value) ? mapper.value : {});
	return answered
		.filter((id) => !current.has(id))
		.map((id) => {
			const question = questionOfColumn(saved.find((column) => column.id === id) ?? { id });
			const kept = columnOf({ ...question, isRequired: false });
			return isOfSession ? { ...kept, displayName: kept.displayName + otherForm } : kept;
		});
}
