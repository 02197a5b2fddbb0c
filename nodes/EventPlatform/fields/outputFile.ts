import type { INodeProperties } from 'n8n-workflow';
import { textField } from './fieldBuilders';
import type { ItemParameters } from './itemParameters';

const usualField = 'data';

export const outputFileField: INodeProperties = textField(
	'binaryPropertyName',
	'Name of the output field for the file',
	{ displayName: 'Put Output File in Field', default: usualField },
);

export function readOutputFileField(parameters: ItemParameters): string {
	return parameters.text('options.binaryPropertyName') || usualField;
}
