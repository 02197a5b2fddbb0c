import { filledPath } from '../fields/requestParts';
import { locatorsOf } from '../fields/locators';
import type { MenuTexts } from './operation';
import type { RecordOperation } from './recordOperation';
import type { ItemContext } from './runContext';

/** Makes the operation that deletes the record that the path names. Its output is the ID of the record. */
export function deletionOf(path: string, texts: MenuTexts): RecordOperation {
	const fields = locatorsOf(path);
	return {
		...texts,
		fields,
		async run({ client, parameters }: ItemContext) {
			const [id = ''] = fields.map(({ name }) => parameters.id(name));
			// A second attempt would be told 404 of what the first one has deleted, so a lost answer is reported as such.
			await client.send({ method: 'DELETE', path: filledPath(parameters, path) });
			return { deleted: true, id };
		},
	};
}
