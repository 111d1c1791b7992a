// A small client of WebDriver: starts chromedriver, and Chromium without a window, whose WebGL needs no GPU.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ARGS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--disable-background-networking",
  "--force-device-scale-factor=1", "--hide-scrollbars"];
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const START = 60000; // milliseconds that chromedriver may take to start

function started(driver) {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error("chromedriver does not start: " + said)), START);
    driver.on("error", reject);
    driver.stdout.on("data", (bytes) => {
      said += bytes;
      const port = said.match(/started successfully on port (\d+)/);
      if (!port) return;
      clearTimeout(timer);
      resolve(port[1]);
    });
  });
}

export class Browser {
  static async open({ args = [] } = {}) {
    const self = new Browser();
    self.profile = mkdtempSync(join(tmpdir(), "lathe-browser-"));
    self.driver = spawn("chromedriver", ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
    self.base = `http://127.0.0.1:${await started(self.driver)}/session`;
    const options = { args: [...ARGS, `--user-data-dir=${self.profile}`, ...args] };
    const capabilities = { alwaysMatch: { browserName: "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { browser: "ALL" } } };
    const { sessionId } = await self.call("POST", "", { capabilities });
    self.base += "/" + sessionId;
    await self.call("POST", "/timeouts", { script: 60000, pageLoad: 60000 });
    return self;
  }

  async call(method, path, body) {
    const answer = await fetch(this.base + path, {
      method, headers: { "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  async close() {
    try {
      await this.call("DELETE", "");
    } finally {
      this.driver.kill();
      try {
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      } catch {
        // a process of the browser still writes there; it is a temporary folder
      }
    }
  }

  go(url) {
    return this.call("POST", "/url", { url });
  }

  // The size of the page itself: headless windows have a frame, too.
  async resize(width, height) {
    await this.call("POST", "/goog/cdp/execute", { cmd: "Emulation.setDeviceMetricsOverride",
      params: { width, height, deviceScaleFactor: 1, mobile: false } });
    await this.isWide(width);
  }

  // Waits until the page has a width, in pixels.
  isWide(width) {
    return this.later(`const [width, done] = arguments, wait = () => (innerWidth === width ? done() : setTimeout(wait, 10));
      wait();`, width);
  }

  dark(on) {
    return this.call("POST", "/goog/cdp/execute", { cmd: "Emulation.setEmulatedMedia",
      params: { features: [{ name: "prefers-color-scheme", value: on ? "dark" : "light" }] } });
  }

  run(script, ...args) {
    return this.call("POST", "/execute/sync", { script, args });
  }

  later(script, ...args) {
    return this.call("POST", "/execute/async", { script, args });
  }

  async find(css) {
    return (await this.call("POST", "/element", { using: "css selector", value: css }))[ELEMENT];
  }

  async click(css) {
    await this.call("POST", `/element/${await this.find(css)}/click`, {});
  }

  async type(css, text) {
    await this.call("POST", `/element/${await this.find(css)}/value`, { text });
  }

  // Drags with a pointer ("mouse" or "touch") from the middle of an element.
  async drag(css, dx, dy, pointerType = "mouse", button = 0) {
    const origin = { [ELEMENT]: await this.find(css) };
    const steps = [1, 2, 3].map((k) => ({ type: "pointerMove", duration: 10, origin, x: Math.round((dx * k) / 3), y: Math.round((dy * k) / 3) }));
    await this.call("POST", "/actions", { actions: [{ type: "pointer", id: pointerType, parameters: { pointerType }, actions: [
      { type: "pointerMove", duration: 0, origin, x: 0, y: 0 }, { type: "pointerDown", button }, ...steps, { type: "pointerUp", button },
    ] }] });
  }

  keys(...keys) {
    const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    return this.call("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  // A key while another one is held.
  hold(held, value) {
    const actions = [{ type: "keyDown", value: held }, { type: "keyDown", value }, { type: "keyUp", value }, { type: "keyUp", value: held }];
    return this.call("POST", "/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
  }

  // What the page and the browser said at the console. That WebGL waited for pixels is the browser's remark about this machine.
  async log() {
    const lines = await this.call("POST", "/se/log", { type: "browser" });
    return lines.filter((line) => !line.message.includes("GPU stall due to ReadPixels")).map((line) => `${line.level} ${line.message}`);
  }

  async screenshot(path) {
    const shot = Buffer.from(await this.call("GET", "/screenshot"), "base64");
    if (path) writeFileSync(path, shot);
    return shot;
  }
}
