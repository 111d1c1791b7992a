// Events by name.

export class Emitter {
  constructor() {
    this.listeners = new Map();
  }

  /** Calls a function at each event of a name. Returns a function that ends that. */
  on(name, fn) {
    if (!this.listeners.has(name)) this.listeners.set(name, new Set());
    this.listeners.get(name).add(fn);
    return () => this.listeners.get(name).delete(fn);
  }

  emit(name, ...values) {
    for (const fn of [...(this.listeners.get(name) || [])]) fn(...values);
  }
}
