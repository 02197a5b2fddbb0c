import { randomUUID } from 'node:crypto';
import type { ApiRecord } from '../platform';
import { Refusal, notFound } from '../refusal';
import type { Row } from '../store/store';
import { Conditions, emailKey } from './filters';
import { type Handler, pathId } from './handler';
import { readPage, readRows } from './page';
import { isEmail } from './email';

export function userRecord(row: Row): ApiRecord {
	return {
		id: String(row['id']),
		type: 'users',
		attributes: {
			role: row['role'],
			email: row['email'],
			first_name: row['first_name'],
			last_name: row['last_name'],
			avatar_link: null,
			pending_invite: row['pending_invite'] === 1,
			locale: 'en',
			website_link: null,
			linkedin_link: null,
			facebook_link: null,
			twitter_handle: null,
			created_at: row['created_at'],
			updated_at: row['updated_at'],
		},
	};
}

const listUsers: Handler = (call) => {
	const filters = new Conditions(call.query)
		.email('u.email_key')
		.equal('role', 'u.role')
		.flag('pending_invite', 'u.pending_invite');
	const from = 'FROM users u';
	const { rows, meta } = readRows(
		call.platform.store,
		{ select: `SELECT u.* ${from}`, from, order: 'u.seq', ...filters.sql },
		readPage(call),
	);
	return { status: 200, body: { data: rows.map(userRecord), meta } };
};

const createUser: Handler = (call) => {
	const { data } = call.body as { data: { attributes: { email: string; role: string } } };
	const { store } = call.platform;
	const email = data.attributes.email.trim();
	if (!isEmail(email)) throw new Refusal(422, `'${email.slice(0, 80)}' is not an email address.`);
	if (store.get('SELECT 1 FROM users WHERE email_key = ?', emailKey(email))) {
		throw new Refusal(409, 'A user with this email address exists already.');
	}
	const id = randomUUID();
	const now = Math.floor(call.platform.now() / 1000);
	store.insert('users', {
		id,
		email,
		email_key: emailKey(email),
		role: data.attributes.role,
		first_name: null,
		last_name: null,
		pending_invite: 1,
		created_at: now,
		updated_at: now,
	});
	const row = store.get('SELECT * FROM users WHERE id = ?', id) ?? {};
	return { status: 201, body: { data: userRecord(row) } };
};

const deleteUser: Handler = (call) => {
	const id = pathId(call, 'id');
	const { store } = call.platform;
	const user = store.get('SELECT role FROM users WHERE id = ?', id);
	if (!user) throw notFound('user', id);
	if (user['role'] === 'owner')
		throw new Refusal(422, 'The owner of the workspace cannot be removed.');
	store.write('DELETE FROM users WHERE id = ?', id);
	return { status: 204 };
};

export const userHandlers = { listUsers, createUser, deleteUser };
