import type { Store } from './store';

const names = {
	blocked: 'blocked',
	/** The month's active contacts are used up: nobody can be registered (402). */
	allowanceSpent: 'allowance_spent',
	/** The month's requests are used up (429). */
	monthSpent: 'month_spent',
	/** Nothing but 503. */
	down: 'down',
};

export type Workspace = Record<keyof typeof names, boolean>;
export const workspaceNames = Object.keys(names) as Array<keyof Workspace>;

/** The switches of the whole workspace, kept in its store. */
export function createWorkspace(store: Store): Workspace {
	const workspace = {} as Workspace;
	for (const name of workspaceNames) {
		Object.defineProperty(workspace, name, {
			enumerable: true,
			get() {
				const row = store.get('SELECT value FROM workspace WHERE name = ?', names[name]);
				return row?.['value'] === 'yes';
			},
			set(on: boolean) {
				const sql = 'INSERT OR REPLACE INTO workspace (name, value) VALUES (?, ?)';
				store.write(sql, names[name], on ? 'yes' : 'no');
			},
		});
	}
	return workspace;
}
