// How long the page takes to start, and from a dropped NIF to its picture, in Chromium by file://.

import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Browser } from "../../support/browser/webdriver.mjs";

const PAGES = 8; // the first one is told apart: the browser is new
const SECOND = 1000;

// Runs before the page. The size of the model is shown when the picture is; two frames later it is on the screen.
const WATCH = `window.times = {};
  const look = () => {
    if (document.documentElement && document.documentElement.dataset.ready) times.ready ??= performance.now();
    const size = document.querySelector(".picture-size");
    if (times.dropped && size && size.textContent && !times.asked) {
      times.asked = true;
      requestAnimationFrame(() => requestAnimationFrame(() => (times.drawn = performance.now())));
    }
  };
  new MutationObserver(look).observe(document, { attributes: true, childList: true, characterData: true, subtree: true });
  document.addEventListener("change", () => {
    document.querySelector(".picture-size").textContent = "";
    Object.assign(times, { dropped: performance.now(), asked: false, drawn: 0 });
  }, true);`;

async function until(browser, expression) {
  for (let i = 0; i < 3000; i++) {
    const value = await browser.run(`return ${expression}`);
    if (value) return value;
    await sleep(10);
  }
  throw new Error(`waited in vain for ${expression}`);
}

async function drop(browser, file) {
  await browser.run("document.getElementById('pick-files').hidden = false");
  await browser.type("#pick-files", file);
  return until(browser, "times.drawn && times.drawn - times.dropped");
}

// { first, ready: […], cold: […], warm: […] } in milliseconds; null without a browser.
export async function measurePage(page, file) {
  let browser;
  try {
    browser = await Browser.open();
  } catch (error) {
    console.log(`  NOT MEASURED: the page; no browser (${error.message})`);
    return null;
  }
  const all = { ready: [], cold: [], warm: [] };
  try {
    await browser.call("POST", "/goog/cdp/execute", { cmd: "Page.addScriptToEvaluateOnNewDocument", params: { source: WATCH } });
    for (let i = 0; i < PAGES; i++) {
      await browser.go("about:blank");
      await browser.go(pathToFileURL(page).href);
      const ready = await until(browser, "times.ready");
      await sleep(SECOND); // as a user needs at least
      const cold = await drop(browser, file);
      await sleep(SECOND);
      const warm = await drop(browser, file);
      if (i === 0) all.first = ready;
      else all.ready.push(ready), all.cold.push(cold), all.warm.push(warm);
    }
  } finally {
    await browser.close();
  }
  return all;
}
