import { owner } from '../rest.mjs';
import { CredentialForm } from './credentialForm.mjs';
import { NodeCreator } from './nodeCreator.mjs';
import { NodeView } from './nodeView.mjs';

/** How long anything in the editor may take on a slow machine. */
export const PATIENCE_MS = 30_000;

/** Longer than the editor delays saving typed text. */
const GATHERS_MS = 300;

/** The name that n8n gives the trigger that is clicked. */
export const BY_HAND = 'When clicking ‘Execute workflow’';

const byTestId = (id) => `[data-test-id="${id}"]`;

/** The n8n editor as a person uses it, and the few things that a test prepares behind its back. */
export class Editor {
	/** Clicks of the user so far. */
	clicks = 0;

	/** The lists that are being loaded. */
	loading = new Set();

	/** What n8n refused so far, as it says it. */
	failures = [];

	/**
	 * @param {import('playwright-core').Page} page
	 * @param {string} address
	 * @param {import('playwright-core').Page} [backstage] a signed-in page for actions behind the scenes
	 */
	constructor(page, address, backstage = page) {
		this.page = page;
		this.backstage = backstage;
		this.address = address;
		page.on('request', (request) => {
			if (request.url().includes('/rest/dynamic-node-parameters/')) this.loading.add(request);
		});
		for (const event of ['requestfinished', 'requestfailed']) {
			page.on(event, (request) => this.loading.delete(request));
		}
		page.on('response', async (response) => {
			if (response.status() < 400) return;
			const text = await response.text().catch(() => '');
			this.failures.push(`${response.status()} ${response.url()} ${text}`);
		});
		this.creator = new NodeCreator(this);
		this.node = new NodeView(this);
		this.credential = new CredentialForm(this);
	}

	/** Finds what carries a test id of the editor. */
	find(id) {
		return this.page.locator(byTestId(id));
	}

	/** Clicks as a user does, and counts it. */
	async click(locator) {
		await locator.click();
		this.clicks += 1;
	}

	/** Signs in as the owner. */
	async signIn() {
		const { page } = this;
		await page.goto(`${this.address}/signin`);
		await this.find('emailOrLdapLoginId').locator('input').fill(owner.email);
		await page.locator('input[type="password"]').fill(owner.password);
		await page.keyboard.press('Enter');
		await page.waitForURL(({ pathname }) => pathname !== '/signin');
	}

	/** Opens a page of the editor anew. */
	async goTo(path) {
		await this.page.goto(`${this.address}${path}`, { waitUntil: 'commit' });
		// Of a list that is under way when its page goes, the browser may never say that it has ended.
		this.loading.clear();
		await this.page.waitForLoadState();
	}

	/** Opens an empty canvas. */
	async newWorkflow() {
		await this.goTo('/workflow/new');
		await this.find('canvas-plus-button').waitFor();
	}

	/** Opens the list of what can start an empty canvas. */
	async openTriggers() {
		await this.click(this.find('canvas-plus-button'));
		await this.creator.waitUntilOpen();
	}

	/** Opens the actions of the node on an empty canvas. */
	async openActions() {
		await this.openTriggers();
		await this.creator.search('contacts');
		await this.creator.choose('Contact Task CRM');
		// Of the first node, triggers are shown before actions.
		await this.click(this.creator.panel.getByText(/^Actions \(\d+\)$/));
	}

	/** Starts an empty canvas with the trigger that is clicked. */
	async startByHand() {
		await this.openTriggers();
		await this.creator.choose('Trigger manually');
		await this.canvasNode(BY_HAND).waitFor();
	}

	/** Opens a workflow that is saved. */
	async openWorkflow(id) {
		await this.goTo(`/workflow/${id}`);
		await this.find('canvas-node').first().waitFor();
	}

	/** A node on the canvas, by its name. */
	canvasNode(name) {
		return this.page.locator(`${byTestId('canvas-node')}[data-node-name="${name}"]`);
	}

	/** Opens a node of the canvas. */
	async openNode(name) {
		await this.canvasNode(name).dblclick();
		this.clicks += 2;
		await this.node.waitUntilOpen();
	}

	/** Waits until no list is being loaded. */
	async untilListsAreLoaded() {
		do await this.settle();
		while (this.loading.size > 0);
	}

	/** Waits until the editor has saved a typed value. The editor delays this, and gives no sign. */
	async settle() {
		// A timer of the page itself comes after the earlier ones of the editor, however busy it is.
		await this.page.evaluate(
			async (time) => await new Promise((resolve) => setTimeout(resolve, time)),
			GATHERS_MS,
		);
	}

	/** Opens the list of nodes that can follow a node. */
	async addAfter(name) {
		await this.click(this.canvasNode(name).locator(byTestId('canvas-handle-plus')));
		await this.creator.waitUntilOpen();
	}

	/** Brings the whole workflow into view. */
	async zoomToFit() {
		await this.click(this.find('zoom-to-fit'));
	}

	/** Runs the workflow. */
	async executeWorkflow() {
		await this.click(this.find('execute-workflow-button'));
	}

	/** Waits for the green checks of nodes, and for the counts of items between them. */
	async waitForSuccess(names) {
		for (const name of names) {
			await this.canvasNode(name).locator(byTestId('canvas-node-status-success')).waitFor();
		}
		const counts = this.find('edge-label').filter({ hasText: /\d+ items?/ });
		await counts.nth(names.length - 1).waitFor();
	}

	/** Publishes the workflow, under the name for the version that the editor offers. */
	async publish() {
		await this.click(this.publishButton);
		await this.click(this.find('workflow-publish-button'));
	}

	get publishButton() {
		return this.find('workflow-open-publish-modal-button');
	}

	/** Waits until n8n has activated the published workflow. */
	async waitUntilPublished() {
		await this.publishButton.getByText('Published', { exact: true }).waitFor();
	}

	/** Shows the list of executions. */
	async showExecutions() {
		await this.click(this.find('radio-button-executions'));
	}

	/** Returns the list of executions. The editor updates it every few seconds. */
	get executions() {
		return this.page.locator('[data-test-id^="execution-details-"]');
	}

	/** The messages in the corner. */
	get notifications() {
		return this.page.locator('.el-notification');
	}

	/** Dismisses the editor's tips for new users, because some cover other elements. */
	async dismissTips() {
		const tip = this.page.getByRole('button', { name: 'Got it' });
		await this.page.addLocatorHandler(tip.first(), async (shown) => await shown.click());
	}

	/** Asks n8n itself, as the editor does. */
	async rest(method, path, body) {
		return await this.backstage.evaluate(
			async ([method, path, body]) => {
				const response = await fetch(`/rest${path}`, {
					method,
					headers: {
						'content-type': 'application/json',
						'browser-id': localStorage.getItem('n8n-browserId') ?? '',
					},
					...(body ? { body: JSON.stringify(body) } : {}),
				});
				const text = await response.text();
				if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
				return JSON.parse(text).data;
			},
			[method, path, body],
		);
	}

	/** The names of all parameters of an operation that offer a list from the service. */
	async listsOfNode(type, resource, operation) {
		const types = await this.backstage.evaluate(
			async () => await (await fetch('/types/nodes.json')).json(),
		);
		const { properties } = types.find(({ name }) => name === type);
		const isFor = ({ displayOptions = {} }) => {
			const { show = {} } = displayOptions;
			const includes = (names, value) => names === undefined || names.includes(value);
			return (
				includes(show.resource ?? show['/resource'], resource) &&
				includes(show.operation ?? show['/operation'], operation)
			);
		};
		const hasList = ({ type, typeOptions }) =>
			type === 'resourceLocator' || typeOptions?.loadOptionsMethod !== undefined;
		return properties
			.filter(isFor)
			.flatMap((property) => (property.type === 'collection' ? property.options : [property]))
			.filter((property) => isFor(property) && hasList(property))
			.map(({ name }) => name);
	}

	/** Saves a credential for a service behind the editor's back; a new one has no user yet. */
	async saveCredential(name, { address, apiKey }) {
		const data = { baseUrl: address, apiKey, requestsPerMinute: 20 };
		return await this.saveAnyCredential({ name, type: 'contactTaskCrmApi', data });
	}

	/** Saves a credential of another kind behind the editor's back. */
	async saveAnyCredential({ name, type, data }) {
		const { id } = await this.rest('POST', '/credentials', { name, type, data });
		return { id, name };
	}

	/** Saves a workflow behind the editor's back. */
	async saveWorkflow(workflow) {
		const { id } = await this.rest('POST', '/workflows', { settings: {}, ...workflow });
		return id;
	}
}
