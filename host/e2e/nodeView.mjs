/** A harmless place to click, for leaving a field. */
const NEUTRAL = 'tab-params';

/** Time until a loaded list opens, and number of tries. */
const OPENS_MS = 5_000;
const MOST_TRIES = 3;

/** An opened node: its input, its parameters and its output. */
export class NodeView {
	/** Number of times that a node had to be opened again for its lists. */
	timesOpenedAgain = 0;

	/** @param {import('./editor.mjs').Editor} editor */
	constructor(editor) {
		this.editor = editor;
		this.view = editor.find('ndv');
		this.output = editor.find('output-panel');
		this.hints = this.output.locator('[data-test-id="node-hint"]');
	}

	async waitUntilOpen() {
		await this.editor.find('node-parameters').waitFor();
	}

	async close() {
		await this.editor.click(this.editor.find('ndv-close-button'));
		await this.view.waitFor({ state: 'hidden' });
	}

	/** Closes the node with the keyboard. */
	async leave() {
		await this.editor.page.keyboard.press('Escape');
		await this.view.waitFor({ state: 'hidden' });
	}

	/** Returns the area of a parameter: label, field and list. */
	parameter(name) {
		return this.view.locator(`[data-test-id="parameter-input-${name}"]`);
	}

	/** Types into a field of text. */
	async type(name, text) {
		const field = this.parameter(name).locator('input');
		await this.editor.click(field);
		await field.fill(text);
		await this.editor.settle();
	}

	/** Types into a field of JSON. */
	async typeJson(name, text) {
		const { page } = this.editor;
		await this.editor.click(this.parameter(name).locator('.cm-content'));
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.insertText(text);
		await this.editor.settle();
	}

	/** Switches a field to an expression, and types it. */
	async typeExpression(name, expression) {
		const { page } = this.editor;
		const choices = this.view.locator(`[data-test-id="${name}-parameter-input-options-container"]`);
		await this.editor.click(choices.locator('[data-test-id="radio-button-expression"]'));
		const field = this.parameter(name).locator('.cm-content');
		await field.waitFor();
		// The new expression has an empty pair of braces around the cursor.
		await page.keyboard.press('ControlOrMeta+a');
		// Pasted, because the editor completes typed braces.
		await page.keyboard.insertText(expression);
		await this.editor.settle();
		await this.leaveField();
	}

	/** Opens the list of a locator. */
	async openLocator(name) {
		await this.editor.click(this.parameter(name).locator('[data-test-id="rlc-input"]'));
	}

	/** The records of the opened locator. */
	get records() {
		return this.editor.find('rlc-item');
	}

	/** Picks a record of the opened locator. */
	async pickRecord(label) {
		await this.editor.click(
			this.records.filter({ has: this.editor.page.getByText(label, { exact: true }) }),
		);
	}

	/** The choices of the opened drop-down list. */
	get choices() {
		return this.editor.page.locator('.el-select-dropdown__item:visible');
	}

	/** Opens a drop-down list. If it stays empty, opens the node again, as a user would. */
	async openList(name) {
		for (let tries = 1; ; tries++) {
			await this.parameter(name).waitFor();
			await this.editor.untilListsAreLoaded();
			await this.editor.click(this.parameter(name));
			if (await this.hasChoices()) return;
			if (tries === MOST_TRIES) throw new Error(`The list of "${name}" does not open`);
			await this.openAgain();
		}
	}

	async hasChoices() {
		const opened = this.choices.first().waitFor({ timeout: OPENS_MS });
		return await opened.then(
			() => true,
			() => false,
		);
	}

	/**
	 * Opens the node again. A new node requests its lists before n8n has chosen its credential. If n8n chooses it
	 * meanwhile, the node requests the lists only after reopening.
	 */
	async openAgain() {
		this.timesOpenedAgain += 1;
		const name = (await this.editor.find('node-title-container').innerText()).trim();
		await this.leaveField();
		await this.close();
		await this.editor.openNode(name);
	}

	/** Returns the message of a drop-down list that could not be loaded. */
	async readWhyNoChoices(name) {
		await this.parameter(name).locator('[data-test-id="parameter-issues"] span').hover();
		// Until the list was tried, the tip only says that the parameter is required.
		const tips = this.editor.page.locator('[data-reka-popper-content-wrapper]');
		const tip = tips.filter({ hasText: 'problem loading' }).last();
		await tip.waitFor();
		return `${await this.parameter(name).locator('input').inputValue()} ¶ ${await tip.innerText()}`;
	}

	/** Leaves a field, and closes its list. */
	async leaveField() {
		await this.editor.click(this.editor.find(NEUTRAL));
	}

	/** Opens the form for the first credential. */
	async openNewCredential() {
		const slot = this.editor.find('node-credentials-slot');
		await this.editor.click(slot.getByRole('button').first());
		await this.editor.credential.dialog.waitFor();
	}

	/** Picks choices of a drop-down list. */
	async pickChoices(name, labels) {
		await this.openList(name);
		for (const label of labels) {
			await this.editor.click(
				this.choices.filter({ has: this.editor.page.getByText(label, { exact: true }) }),
			);
		}
		await this.leaveField();
	}

	/** Adds a field to one of the groups that start empty, such as "Add Filter". */
	async addField(group, label) {
		const { page } = this.editor;
		// The hidden tab of settings has options, too.
		const button = this.editor.find('collection-parameter-add').filter({ visible: true });
		await this.editor.click(button.filter({ has: page.getByPlaceholder(group, { exact: true }) }));
		await this.editor.click(this.choices.filter({ has: page.getByText(label, { exact: true }) }));
	}

	/** Adds an entry to one of the lists that start empty, such as "Add Parameter". */
	async addEntry(label) {
		await this.editor.click(this.view.getByRole('button', { name: label, exact: true }));
		await this.editor.settle();
	}

	/** Turns a switch on or off. */
	async toggle(name) {
		await this.editor.click(this.parameter(name).locator('.el-switch'));
		await this.editor.settle();
	}

	/** Looks for a text in the opened list of a locator. */
	async search(text) {
		await this.editor
			.find('rlc-search')
			.locator('input')
			.or(this.editor.find('rlc-search'))
			.last()
			.fill(text);
	}

	/** Waits for parameters with these texts in their labels. The editor draws the fields of a collection later. */
	async waitForLabels(texts) {
		const labels = this.editor.find('node-parameters').locator('label');
		for (const text of texts) await labels.filter({ hasText: text }).first().waitFor();
	}

	/** The labels of the parameters in view. */
	async labels() {
		const labels = this.editor.find('node-parameters').locator('label');
		await labels.first().waitFor();
		// The first line is the label. The editor shows its own offers below it.
		return (await labels.allInnerTexts()).map((text) => text.trim().split('\n')[0]).filter(Boolean);
	}

	/** Returns the displayed choice of a drop-down list. */
	async chosen(name) {
		return await this.parameter(name).locator('input').inputValue();
	}

	/** Drags a field of the input to a parameter, which becomes an expression. */
	async dragFromInput(field, name) {
		const { page } = this.editor;
		const from = this.editor
			.find('ndv-input-panel')
			.locator('[data-target="mappable"]')
			.filter({ hasText: new RegExp(`^${field}$`) })
			.first();
		await from.hover();
		await page.mouse.down();
		await this.parameter(name).hover();
		// The editor notices a drag from the second movement on.
		const { x, y, width, height } = await this.parameter(name).boundingBox();
		await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
		await page.mouse.up();
		this.editor.clicks += 1;
		await this.editor.settle();
	}

	/** Executes only this node. */
	async execute() {
		await this.editor.click(this.editor.find('node-execute-button'));
	}

	/** Waits until no execution is under way. */
	async waitUntilIdle() {
		const button = this.editor.find('node-execute-button');
		await button.getByText(/^(Execute step|Fetch Test Event)$/).waitFor();
	}

	/** Executes the nodes before this one, so that its input is visible. */
	async executePrevious() {
		await this.editor.click(this.view.getByText('Execute previous nodes'));
		await this.editor
			.find('ndv-input-panel')
			.getByText(/^\d+ items?$/)
			.first()
			.waitFor();
		await this.waitUntilIdle();
	}

	/** Shows the output as a table, and returns its rows by column name. */
	async readTable() {
		await this.editor.click(this.output.locator('[data-test-id="radio-button-table"]'));
		const table = this.output.locator('table').first();
		await table.locator('tbody td').first().waitFor();
		return await table.evaluate((element) => {
			const textOf = (cell) => cell.innerText.trim();
			const names = [...element.querySelectorAll('thead th')].map(textOf);
			return [...element.querySelectorAll('tbody tr')].map((row) =>
				Object.fromEntries(
					[...row.querySelectorAll('td')]
						.map((cell, at) => [names[at], textOf(cell)])
						// The last column of a narrow table is only decoration.
						.filter(([name]) => name !== ''),
				),
			);
		});
	}

	/** Returns the error of a failed node from the output panel. */
	async readFailure() {
		const message = this.output.locator('[data-test-id="node-error-message"]');
		const description = this.output.locator('[data-test-id="node-error-description"]');
		await message.waitFor();
		await this.waitUntilIdle();
		return [await message.innerText(), ...(await description.allInnerTexts())].join('\n');
	}
}
