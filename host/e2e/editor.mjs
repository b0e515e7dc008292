import { owner } from '../rest.mjs';
import { CredentialForm } from './credentialForm.mjs';
import { NodeCreator } from './nodeCreator.mjs';
import { NodeView } from './nodeView.mjs';

/** Longest time for any step in the editor on a slow machine. */
export const PATIENCE_MS = 30_000;

/** Longer than the editor delays saving typed text. */
const GATHERS_MS = 300;

/** n8n's name for the manual trigger. */
export const BY_HAND = 'When clicking ‘Execute workflow’';

const byTestId = (id) => `[data-test-id="${id}"]`;

/** The n8n editor in the hands of a user, and some preparations behind the scenes. */
export class Editor {
	/** Number of clicks so far. */
	clicks = 0;

	/** Requests for lists that are under way. */
	loading = new Set();

	/** Refusals of n8n so far, in its own words. */
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

	/** Finds elements by a test ID of the editor. */
	find(id) {
		return this.page.locator(byTestId(id));
	}

	/** Clicks like a user, and counts the click. */
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

	/** Loads a page of the editor again. */
	async goTo(path) {
		await this.page.goto(`${this.address}${path}`, { waitUntil: 'commit' });
		// For a list still loading on the old page, the browser may never report the end.
		this.loading.clear();
		await this.page.waitForLoadState();
	}

	/** Opens an empty canvas. */
	async newWorkflow() {
		await this.goTo('/workflow/new');
		await this.find('canvas-plus-button').waitFor();
	}

	/** Opens the list of triggers for an empty canvas. */
	async openTriggers() {
		await this.click(this.find('canvas-plus-button'));
		await this.creator.waitUntilOpen();
	}

	/** Opens the actions of the node on an empty canvas. */
	async openActions() {
		await this.openTriggers();
		await this.creator.search('contacts');
		await this.creator.choose('Contact Task CRM');
		// For the first node, the editor shows triggers before actions.
		await this.click(this.creator.panel.getByText(/^Actions \(\d+\)$/));
	}

	/** Adds the manual trigger to an empty canvas. */
	async startByHand() {
		await this.openTriggers();
		await this.creator.choose('Trigger manually');
		await this.canvasNode(BY_HAND).waitFor();
	}

	/** Opens a saved workflow. */
	async openWorkflow(id) {
		await this.goTo(`/workflow/${id}`);
		await this.find('canvas-node').first().waitFor();
	}

	/** Returns a node on the canvas, by name. */
	canvasNode(name) {
		return this.page.locator(`${byTestId('canvas-node')}[data-node-name="${name}"]`);
	}

	/** Opens a node of the canvas. */
	async openNode(name) {
		await this.canvasNode(name).dblclick();
		this.clicks += 2;
		await this.node.waitUntilOpen();
	}

	/** Waits until no list is loading. */
	async untilListsAreLoaded() {
		do await this.settle();
		while (this.loading.size > 0);
	}

	/** Waits until the editor has saved a typed value. The editor delays this, and gives no sign. */
	async settle() {
		// A timer of the page comes after the editor's earlier timers, even on a busy machine.
		await this.page.evaluate(
			async (time) => await new Promise((resolve) => setTimeout(resolve, time)),
			GATHERS_MS,
		);
	}

	/** Opens the list of nodes to add after a node. */
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

	/** Waits for the green checks of nodes, and for the item counts between them. */
	async waitForSuccess(names) {
		for (const name of names) {
			await this.canvasNode(name).locator(byTestId('canvas-node-status-success')).waitFor();
		}
		const counts = this.find('edge-label').filter({ hasText: /\d+ items?/ });
		await counts.nth(names.length - 1).waitFor();
	}

	/** Publishes the workflow under the version name that the editor suggests. */
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

	/** Sends a request to n8n's own interface, as the editor does. */
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

	/** Returns the names of all parameters of an operation with a list from the service. */
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

	/** Saves a credential for a service behind the scenes. A new credential belongs to no node yet. */
	async saveCredential(name, { address, apiKey }) {
		const data = { baseUrl: address, apiKey, requestsPerMinute: 20 };
		return await this.saveAnyCredential({ name, type: 'contactTaskCrmApi', data });
	}

	/** Saves a credential of another kind behind the scenes. */
	async saveAnyCredential({ name, type, data }) {
		const { id } = await this.rest('POST', '/credentials', { name, type, data });
		return { id, name };
	}

	/** Saves a workflow behind the scenes. */
	async saveWorkflow(workflow) {
		const { id } = await this.rest('POST', '/workflows', { settings: {}, ...workflow });
		return id;
	}
}
