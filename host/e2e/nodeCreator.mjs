const NAME = '[data-test-id="node-creator-item-name"]';
/** What no node is called. */
const NOTHING = 'qqqqzzzz';

/** How far the wheel of the mouse goes at a time, and how often. */
const TURN_PX = 600;
const MOST_TURNS = 10;

/** The panel in which a user looks for a node to add. */
export class NodeCreator {
	/** @param {import('./editor.mjs').Editor} editor */
	constructor(editor) {
		this.editor = editor;
		this.panel = editor.find('node-creator');
		this.searchBar = editor.find('node-creator-search-bar');
	}

	async waitUntilOpen() {
		await this.searchBar.waitFor();
	}

	/** Looks for a word, and waits until nothing is left of what was looked for before. */
	async search(word) {
		await this.searchBar.fill(NOTHING);
		await this.panel.locator(NAME).first().waitFor({ state: 'hidden' });
		await this.searchBar.fill(word);
		await this.panel.locator(NAME).first().waitFor();
	}

	/** The names of what is found, best first. */
	async names() {
		return await this.panel.locator(NAME).allInnerTexts();
	}

	/** What is found under exactly this name. */
	found(name) {
		return this.panel
			.locator(NAME)
			.filter({ has: this.editor.page.getByText(name, { exact: true }) });
	}

	/** Whether what is found under a name can be seen without scrolling. */
	async isSeen(name) {
		const { y, height } = await this.found(name).first().boundingBox();
		return y + height <= this.editor.page.viewportSize().height;
	}

	/** Scrolls down to what is found under a name: a long list is filled while it is scrolled. */
	async scrollTo(name) {
		const { page } = this.editor;
		await this.panel.locator(NAME).first().hover();
		for (let turns = 0; turns < MOST_TURNS && (await this.found(name).count()) === 0; turns++) {
			await page.mouse.wheel(0, TURN_PX);
			await this.editor.settle();
		}
		await this.found(name).first().scrollIntoViewIfNeeded();
	}

	/** Takes what is found first, with the key Enter. */
	async takeFirst() {
		await this.searchBar.press('Enter');
	}

	/** Chooses what is found under a name. */
	async choose(name) {
		await this.editor.click(this.found(name).first());
	}
}
