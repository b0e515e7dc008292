import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { directoryOf } from '../directory/directory';
import { asRecord } from '../runtime/output';
import type { Page } from '../transport/paging';
import { pageOf } from '../transport/paging';
import { headerTime } from '../transport/retryAfter';
import { ServiceError } from '../transport/serviceErrors';
import { openSender, PollSender } from './pollSender';
import { sharedAnswer } from './sharedPages';
import type { Anchor, QueryPair, ServedPage, Watch } from './watch';

/** The page number or the record of a request that the service answered in a way that cannot be used. */
export class UnreadablePage extends Error {
	constructor(readonly reason: ServiceError) {
		super(reason.message);
	}
}

/** When each trigger asked for what it read last, by the clock's `now`. */
const readAt = new Map<string, number>();

/** The requests of one poll. */
export class PollRequests extends PollSender {
	/** @throws ExplainedError where base URL or key cannot be used */
	static async open(context: IPollFunctions): Promise<PollRequests> {
		return new PollRequests(await openSender(context));
	}

	/**
	 * Reads one page of the list that is watched, or takes what another trigger read since this one did.
	 *
	 * @returns undefined when this poll may send nothing more
	 * @throws UnreadablePage where the service answers with something else than a page
	 * @throws ServiceError where it does not answer, or refuses the key or the list
	 */
	async page(watch: Watch, query: readonly QueryPair[]): Promise<ServedPage | undefined> {
		const question = JSON.stringify([this.connection.identity, watch.path, query]);
		const { now } = this;
		const { trigger, isFirst } = this.poller;
		const after = isFirst ? Infinity : (readAt.get(trigger) ?? now);
		const { answer, askedAt } = await sharedAnswer(
			question,
			{ trigger, after, now },
			async () => await this.freshPage(watch, query),
		);
		if (answer) readAt.set(trigger, askedAt);
		return answer;
	}

	private async freshPage(
		watch: Watch,
		query: readonly QueryPair[],
	): Promise<ServedPage | undefined> {
		const { path, subject, anchors } = watch;
		const request = { method: 'GET' as const, path, query };
		const response = await this.send(request, subject).catch(async (error: unknown) => {
			if (!(error instanceof ServiceError)) return await Promise.reject(error);
			// Whose list is gone says more than that there is no such list.
			if (error.status === 404) await this.assertExist(anchors);
			return await Promise.reject(isOfThePage(error) ? new UnreadablePage(error) : error);
		});
		if (!response) return undefined;
		const page = pageOf(response.body);
		if (!page) throw new UnreadablePage(this.connection.unreadable(response, request, subject));
		directoryOf(this.identity).notice(page.members, watch.record.collection);
		const servedAt = headerTime(response.headers.date);
		if (servedAt === undefined) throw timeless();
		return { ...page, servedAt };
	}

	/**
	 * Reads one person.
	 *
	 * @returns undefined when this poll may send nothing more; `person` is absent where there is none
	 */
	async person(id: string): Promise<{ person?: IDataObject } | undefined> {
		const request = { method: 'GET' as const, path: `/people/${encodeURIComponent(id)}` };
		const response = await this.send(request, { noun: 'person', id }).catch(
			async (error: unknown) => {
				if (!(error instanceof ServiceError)) return await Promise.reject(error);
				if (error.status === 404) return 'gone' as const;
				return await Promise.reject(isOfThePage(error) ? new UnreadablePage(error) : error);
			},
		);
		if (response === 'gone') return {};
		return response && { person: asRecord(response.body) };
	}

	/** A page of a collection for its titles alone; undefined where it cannot be had. */
	async records(path: string, query: readonly QueryPair[]): Promise<Page | undefined> {
		const response = await this.send({ method: 'GET', path, query }, { noun: 'list' });
		return response && pageOf(response.body);
	}

	/**
	 * Makes sure that what is watched exists.
	 *
	 * @returns whether all of it was asked for, within what this poll may send
	 * @throws ServiceError when something does not exist (404), UnusableParameter when it lacks the column
	 */
	async assertExist(anchors: readonly Anchor[]): Promise<boolean> {
		for (const { path, subject, assertSuits } of anchors) {
			const response = await this.send({ method: 'GET', path }, subject);
			if (!response) return false;
			assertSuits?.(asRecord(response.body));
		}
		return true;
	}
}

/** Whether the service is there, and cannot give this page. */
function isOfThePage({ status }: ServiceError): boolean {
	return status !== undefined && ![401, 403, 404].includes(status);
}

/** Without the service's clock nothing old can be told from what is new. */
export function timeless(): UnusableParameter {
	return new UnusableParameter(
		'The service gave no answer that says what time it is, so that nothing new can be told from what is old',
		'Publish the workflow again when the service answers. Its answers need the header Date, which a proxy in front of it may take away',
	);
}
