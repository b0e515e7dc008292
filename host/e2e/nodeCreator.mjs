const NAME = '[data-test-id="node-creator-item-name"]';
/** A word that is in no node's name. */
const NOTHING = 'qqqqzzzz';

/** Distance and number of turns of the mouse wheel. */
const TURN_PX = 600;
const MOST_TURNS = 10;

/** The panel for finding and adding a node. */
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

	/** Searches for a word, and waits until the earlier results are gone. */
	async search(word) {
		await this.searchBar.fill(NOTHING);
		await this.panel.locator(NAME).first().waitFor({ state: 'hidden' });
		await this.searchBar.fill(word);
		await this.panel.locator(NAME).first().waitFor();
	}

	/** Returns the names of the results, best first. */
	async names() {
		return await this.panel.locator(NAME).allInnerTexts();
	}

	/** Returns the results with exactly this name. */
	found(name) {
		return this.panel
			.locator(NAME)
			.filter({ has: this.editor.page.getByText(name, { exact: true }) });
	}

	/** Returns whether the first result with a name is visible without scrolling. */
	async isSeen(name) {
		const { y, height } = await this.found(name).first().boundingBox();
		return y + height <= this.editor.page.viewportSize().height;
	}

	/** Scrolls down to a result. The editor fills a long list only while the user scrolls. */
	async scrollTo(name) {
		const { page } = this.editor;
		await this.panel.locator(NAME).first().hover();
		for (let turns = 0; turns < MOST_TURNS && (await this.found(name).count()) === 0; turns++) {
			await page.mouse.wheel(0, TURN_PX);
			await this.editor.settle();
		}
		await this.found(name).first().scrollIntoViewIfNeeded();
	}

	/** Chooses the first result, with the key Enter. */
	async takeFirst() {
		await this.searchBar.press('Enter');
	}

	/** Chooses the result with a name. */
	async choose(name) {
		await this.editor.click(this.found(name).first());
	}
}
