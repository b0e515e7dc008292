import type { IDataObject } from 'n8n-workflow';
import type { CrmTenant } from '../support/crmTenant';

/** A record from some time on; without fields from when it was deleted. */
export interface Version {
	at: number;
	/** Its `updatedAt`, as seconds since 1970. */
	second: number;
	fields: IDataObject | null;
}

/** Writes down what is done in a tenant, and nothing of what the trigger does. */
export class Ledger {
	/** Of each record that was ever there, what it was like, oldest first. */
	readonly records = new Map<string, Version[]>();

	/** Those that are there now. */
	private present: string[] = [];

	constructor(
		private readonly tenant: CrmTenant,
		private readonly path: string,
	) {}

	create(fields: IDataObject): void {
		const id = this.tenant.create(this.path, fields);
		this.note(id, fields);
		this.present.push(id);
	}

	change(id: string, fields: IDataObject): void {
		this.tenant.change(this.path, id, fields);
		this.note(id, { ...this.last(id), ...fields });
	}

	remove(id: string): void {
		this.tenant.remove(this.path, id);
		this.note(id, null);
		this.present = this.present.filter((other) => other !== id);
	}

	/** Notes what the tenant itself has created, such as an entry of the history. */
	noteNew(): void {
		for (const { id, fields } of this.tenant.all(this.path)) {
			if (this.records.has(id)) continue;
			this.note(id, fields);
			this.present.push(id);
		}
	}

	/** One of those that are there, from 0 to 1. */
	pick(who: number): string | undefined {
		return this.present[Math.floor(who * this.present.length)];
	}

	last(id: string): IDataObject {
		return this.records.get(id)!.at(-1)!.fields!;
	}

	get size(): number {
		return this.present.length;
	}

	private note(id: string, fields: IDataObject | null): void {
		const at = this.tenant.now;
		const versions = this.records.get(id) ?? [];
		this.records.set(id, versions);
		versions.push({ at, second: Math.floor(at / 1000), fields: fields && { ...fields } });
	}
}
