import { filledPath } from '../../fields/requestParts';
import { parseSeconds } from '../../core/dialect/time';
import { WithFile, type Operation } from '../operation';
import type { ItemContext } from '../runContext';
import { numberField, optionsField } from '../../fields/fieldBuilders';
import { outputFileField, readOutputFileField } from '../../fields/outputFile';
import { recordingLocator, sessionLocator } from '../../fields/locators';
import { storeFile } from '../../n8n/download';
import { fileName } from '../../core/files/fileName';
import { viewRecord } from '../../core/records/recordView';
import { fieldsOf } from '../../core/records/simplify';
import { attributesOf } from '../../core/client/document';
import { listRecords } from '../../core/client/pages';
import { isSameId } from '../../core/client/path';
import { text } from '../../core/values/text';
import type { JsonObject } from '../../core/values/json';

const bytesPerMegabyte = 1_000_000;

export const downloadRecording: Operation = {
	action: 'Download recording of session',
	description: 'Download a recording, by default the newest of the session',
	fields: [
		sessionLocator,
		recordingLocator,
		optionsField([
			numberField(
				'maxFileSize',
				5000,
				'Max size of the file. Without this option, the limit is the size that Livestorm gives for the recording, or 5,000 MB if it gives none.',
				{ displayName: 'Max File Size (MB)', typeOptions: { minValue: 1 } },
			),
			outputFileField,
		]),
	],
	async run(item) {
		const { parameters } = item;
		const { maxFileSize: megabytes } = parameters.chosen('options');
		const field = readOutputFileField(parameters);
		if (megabytes !== undefined && !(Number(megabytes) > 0)) {
			throw parameters.parameterError(
				"'Max File Size' must be a number of megabytes above 0",
				'Enter a number such as 500.',
			);
		}
		const recording = await fetchChosenRecording(item);
		const { url, file_size } = attributesOf(recording);
		const { name, mimeType } = nameAndType(recording);
		const file = await storeFile(item, {
			link: text(url),
			size: Number(file_size) > 0 ? Number(file_size) : undefined,
			mostBytes: megabytes === undefined ? undefined : Number(megabytes) * bytesPerMegabyte,
			name,
			mimeType,
		});
		const output = viewRecord(fieldsOf(recording), { columns: 'usual', zone: parameters.zone });
		// The link alone gives the file, so it stays out of the output.
		for (const name in output) if (name.startsWith('url')) delete output[name];
		return new WithFile(output, { [field]: file });
	},
};

/** Reads the name of the file, and its media type where the platform gives one. */
function nameAndType(recording: JsonObject): { name: string; mimeType?: string } {
	const { file_name, mime_type } = attributesOf(recording);
	const type = text(mime_type).trim();
	const nameWithoutOwn = fileName(`recording-${text(recording.id)}`, 'recording');
	const name = fileName(text(file_name), nameWithoutOwn);
	// A recorded recording has "mp4" as its type. n8n knows the media type by the ending of the name.
	const mimeType = type.includes('/') ? type : undefined;
	const needsEnding =
		mimeType === undefined && /^\w{1,10}$/.test(type) && !/\.\w{1,10}$/.test(name);
	return { name: needsEnding ? `${name}.${type}` : name, mimeType };
}

async function fetchChosenRecording({
	client,
	parameters,
	notes,
	signal,
}: ItemContext): Promise<JsonObject> {
	const path = filledPath(parameters, '/sessions/{sessionId}/recordings');
	const recordings = await listRecords(client.send, path, { signal });
	const chosenId = parameters.text('recordingId');
	const madeAt = (recording: JsonObject) => parseSeconds(attributesOf(recording).created_at) ?? 0;
	// Recordings that are equally new keep their order, so the first of them is taken.
	const newestFirst = recordings.sort((a, b) => madeAt(b) - madeAt(a));
	const recording = newestFirst.find(({ id }) => chosenId === '' || isSameId(id, chosenId));
	// The recorded recordings have no date.
	if (recording && chosenId === '' && recordings.length > 1 && madeAt(recording) === 0) {
		notes.hint(
			"The platform does not say when recordings were made. Where a session has several, the first of its list was downloaded: choose another one in 'Recording'.",
		);
	}
	if (recording) return recording;
	if (chosenId === '') {
		throw parameters.parameterError(
			'The session has no recording',
			'A recording appears some time after the session has ended, if the event is recorded at all.',
		);
	}
	throw parameters.parameterError(
		`The session has no recording ${chosenId}`,
		'Check the ID, or leave it empty for the newest recording.',
	);
}
