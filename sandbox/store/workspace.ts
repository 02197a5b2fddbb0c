import type { Store } from './store';

/** The switches of the whole workspace. */
export class Workspace {
	constructor(private readonly store: Store) {}

	get blocked(): boolean {
		return this.read('blocked');
	}

	set blocked(on: boolean) {
		this.set('blocked', on);
	}

	/** The month's active contacts are used up: nobody can be registered (402). */
	get allowanceSpent(): boolean {
		return this.read('allowance_spent');
	}

	set allowanceSpent(on: boolean) {
		this.set('allowance_spent', on);
	}

	private read(name: string): boolean {
		return this.store.get('SELECT value FROM workspace WHERE name = ?', name)?.['value'] === 'yes';
	}

	private set(name: string, on: boolean): void {
		const sql = 'INSERT OR REPLACE INTO workspace (name, value) VALUES (?, ?)';
		this.store.write('workspace', sql, name, on ? 'yes' : 'no');
	}
}
