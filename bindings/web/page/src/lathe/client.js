// Talks to lathe in its web worker: a queue of calls, time limits, stop and restart.

const GRACE = 3000; // milliseconds that a call may take beyond its limit, before the worker is ended
const START = 60000;

/** What a call was refused with: `message`, and where known `reason`, `code`, `file`, `path`, `offset`. */
export class CallError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

const stopped = (message) => new CallError({ message, code: "stopped" });

/** Events, which are set from outside:
 *   onViewer(script)    the script of the viewer was unpacked; once, before the client is ready
 *   onReply(reply)      each reply, before the promise of its call is fulfilled
 *   onBusy(call)        the call that runs now ({ name, since }), or null
 *   onEnded(why, started)   the worker has ended, and calls that waited are refused. `started`: a promise of whether another one has
 *                       started; calls that are made before wait for it
 *   onBroken(message)   lathe cannot be started: each call is refused from now on */
export class Client {
  /** `script`: the text of the worker. `lathe`: what the worker begins with, of worker/worker.js. */
  constructor(script, lathe) {
    this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.lathe = lathe;
    this.queue = [];
    this.running = null;
    this.number = 0;
    this.broken = null; // why lathe cannot be started
    this.onViewer = this.onReply = this.onBusy = this.onEnded = this.onBroken = () => {};
  }

  /** Starts the worker. The promise is rejected if that fails. */
  start() {
    this.ready = false;
    return new Promise((resolve, reject) => {
      const worker = new Worker(this.url);
      this.worker = worker;
      const timer = setTimeout(() => failed("it does not answer"), START);
      const failed = (why) => {
        clearTimeout(timer);
        worker.terminate();
        reject(new Error(why));
      };
      worker.onerror = (event) => failed(event.message || "the browser refuses its worker");
      worker.onmessage = ({ data }) => {
        if (data.broken) return failed(data.broken);
        if (data.viewer) return this.onViewer(data.viewer);
        clearTimeout(timer);
        this.ready = true;
        this.lathe = { compiled: data.compiled }; // another worker need not unpack and compile it again
        worker.onerror = (event) => this.end(event.message || "lathe has crashed");
        worker.onmessage = (event) => this.heard(event.data);
        resolve();
        this.pump();
      };
      worker.postMessage(this.lathe);
    });
  }

  /** Makes a call. `args`: an object, or a function that makes it when the call begins. Options:
   *   blobs         Uint8Arrays, which are given away
   *   limit         milliseconds; default 15,000
   *   first         whether it goes before the calls that wait
   *   onEvent       called with "progress" and "output" events
   * Returns a promise of { result, blobs }. */
  call(name, args = {}, { blobs = [], limit = 15000, first = false, onEvent = null } = {}) {
    if (this.broken) return Promise.reject(stopped(this.broken));
    return new Promise((resolve, reject) => {
      const call = { id: ++this.number, name, args, blobs, limit, onEvent, resolve, reject };
      if (first) this.queue.unshift(call);
      else this.queue.push(call);
      this.pump();
    });
  }

  /** Whether it has nothing to do. */
  get idle() {
    return this.ready && !this.running && this.queue.length === 0;
  }

  /** Loads what the first file needs, in short steps, until there is something else to do. */
  async prepare() {
    try {
      while (this.idle && (await this.call("prepare")).result.more);
    } catch (error) {
      if (error.code !== "stopped") throw error;
    }
  }

  pump() {
    if (!this.ready || this.running || this.queue.length === 0) return;
    const call = this.queue.shift(), { id, name, limit, blobs } = call;
    let args;
    try {
      args = typeof call.args === "function" ? call.args() : call.args;
    } catch (error) {
      call.reject(error);
      this.pump();
      return;
    }
    this.running = call;
    call.since = Date.now();
    call.timer = setTimeout(() => this.end(`${name} took longer than ${Math.round((limit + GRACE) / 1000)} seconds`), limit + GRACE);
    this.onBusy(call);
    this.worker.postMessage({ request: { id, name, args }, blobs, milliseconds: limit }, blobs.map((bytes) => bytes.buffer));
  }

  heard(data) {
    const call = this.running;
    if (data.broken) {
      this.end(data.broken);
    } else if (data.event) {
      if (call && call.onEvent && data.event.id === call.id) call.onEvent(data.event);
    } else if (call) {
      clearTimeout(call.timer);
      this.running = null;
      try {
        this.onReply(data.reply);
      } finally { // a fault of a listener must not stop the calls that wait
        if (data.reply.ok) call.resolve({ result: data.reply.result, blobs: data.blobs });
        else call.reject(new CallError(data.reply.error));
        this.pump();
        if (!this.running) this.onBusy(null);
      }
    }
  }

  /** Ends the worker, refuses all calls, and starts another worker. While one starts, there is nothing to end. */
  end(why) {
    if (!this.ready) return;
    this.ready = false;
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
    const calls = [this.running, ...this.queue].filter(Boolean);
    this.running = null;
    this.queue = [];
    for (const call of calls) {
      clearTimeout(call.timer);
      call.reject(stopped(why));
    }
    this.onBusy(null);
    const started = this.start().then(() => true, (error) => {
      this.breakDown(error.message);
      return false;
    });
    this.onEnded(why, started);
  }

  breakDown(why) {
    this.broken = why;
    for (const call of this.queue.splice(0)) call.reject(stopped(why));
    this.onBroken(why);
  }
}
