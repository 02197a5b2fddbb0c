import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { column } from '../form/column';
import type { FormField } from '../form/formField';
import { named, registrationForm as readForm } from '../form/registrationForm';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';

/** The columns of the mapper: what the registration form of the chosen session asks. */
async function registrationForm(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return { fields: (await questions(this)).map(column) };
}

/** The same for somebody who is registered already: nothing has to be given again. */
async function registrationAnswers(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const form = await questions(this);
	return { fields: form.map((field) => column({ ...field, required: false })) };
}

export const resourceMapping = { registrationForm, registrationAnswers };

async function questions(context: ILoadOptionsFunctions): Promise<FormField[]> {
	try {
		const session = chosenSession(context);
		if (session === undefined) return named;
		const { api } = await connect(context);
		return await readForm(api, session);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { what: 'the session', scope: 'events' });
	}
}

/** Undefined while none is chosen; empty when it comes from an expression that has no value yet. */
function chosenSession(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('sessionId', { extractValue: true });
	if (typeof id !== 'string' || id === '') return undefined;
	return id.startsWith('=') ? '' : id;
}
