import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { FormField } from '../form/personFields';
import { registrationForm as readForm } from '../form/registrationForm';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';

/** The columns of the mapper: what the registration form of the chosen session asks. */
async function registrationForm(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	try {
		const { api } = await connect(this);
		return { fields: (await readForm(api, chosenSession(this))).map(column) };
	} catch (error) {
		throw toNodeError(this.getNode(), error, { what: 'the session', scope: 'events' });
	}
}

/** The same for somebody who is registered already: nothing has to be given again. */
async function registrationAnswers(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { fields } = await registrationForm.call(this);
	return { fields: fields.map((field) => ({ ...field, required: false })) };
}

export const resourceMapping = { registrationForm, registrationAnswers };

/** Empty while none is chosen, or when it comes from an expression that has no value yet. */
function chosenSession(context: ILoadOptionsFunctions): string {
	const id = context.getCurrentNodeParameter('sessionId', { extractValue: true });
	return typeof id === 'string' && !id.startsWith('=') ? id : '';
}

function column({ id, label, choices, multiple }: FormField): ResourceMapperField {
	return {
		id,
		displayName: multiple && choices ? `${label} (${offered(choices)})` : label,
		// The form may ask visitors for more; the API registers with the email alone, and n8n would
		// refuse to run the workflow without a column that is required here.
		required: id === 'email',
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: multiple ? 'array' : choices ? 'options' : 'string',
		options: choices?.map(({ label: name, value }) => ({ name, value })),
	};
}

const mostShown = 6;

/** The editor shows no menu for a list of answers, so the label has to say what they can be. */
function offered(choices: NonNullable<FormField['choices']>): string {
	const shown = choices.slice(0, mostShown).map(({ value }) => value);
	return `list of ${shown.join(', ')}${choices.length > mostShown ? ' …' : ''}`;
}
