import type { Logger } from 'n8n-workflow';
import type { Outcome } from './http';
import type { WaitLimits } from './waitLimits';

/** What requests are queued by: an object that stands for one execution or one run of a node. */
export type QueueKey = object;

export interface Submission {
	queueKey: QueueKey;
	/** The item that the request is for: of one key, items are finished in their order. */
	item: number;
	/** Whether a person waits for it in the editor: it goes before all others. */
	urgent: boolean;
	waitLimits: WaitLimits;
	/** Requests a minute of the tenant. */
	limit: number;
	/** Sends the request once; must not reject. */
	send: () => Promise<Outcome>;
	/** Told why the limiter closes, where this request is the reason. */
	logger?: Logger;
}
